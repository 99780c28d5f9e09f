import {
  finalPhases,
  type Deployment,
  type ProjectView,
  type ServiceClient,
  type WorkloadView,
} from '../../../contract';

/** Scope of a status request. */
export interface StatusScope {
  readonly project: string;
  readonly workflow?: string;
}

/** View of projects, workloads and deployments in `pinion status`. */
export interface StatusView {
  readonly projects: readonly ProjectView[];
  readonly workloads: readonly WorkloadView[];
  /** Unfinished deployments, newest first. */
  readonly deployments: readonly Deployment[];
}

/** Number of recent deployments to search for unfinished ones; older deployments have finished. */
const maxDeployments = 200;

/** Fetches the status of a project or workflow; without a scope, that of all projects and of the workloads that are not Ready. */
export async function fetchStatus(scope: StatusScope | undefined, client: ServiceClient): Promise<StatusView> {
  const query = { ...(scope && { project: scope.project }) };
  const projects: ProjectView[] = [];
  for await (const project of client.list('projects', {}))
    if (scope === undefined || project.name === scope.project) projects.push(project);
  const workloads: WorkloadView[] = [];
  for await (const workload of client.list('workloads', { query }))
    if (scope ? isInScope(scope)(workload) : !workload.ready) workloads.push(workload);
  const page = await client.request('deployments', { query: { ...query, ...scope, limit: maxDeployments } });
  return { projects, workloads, deployments: page.items.filter(({ phase }) => !finalPhases.includes(phase)) };
}

/** Returns a function that checks whether a workload is in a scope. */
export const isInScope =
  ({ project, workflow }: StatusScope) =>
  (workload: WorkloadView): boolean =>
    workload.project === project &&
    (workflow === undefined || workload.artifact?.startsWith(`${project}/${workflow}@`) === true);
