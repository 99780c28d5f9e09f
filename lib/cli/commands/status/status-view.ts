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

/** What `pinion status` shows of projects, workloads and deployments. */
export interface StatusView {
  readonly projects: readonly ProjectView[];
  readonly workloads: readonly WorkloadView[];
  /** Those that have not ended, the newest first. */
  readonly deployments: readonly Deployment[];
}

/** How many of the newest deployments are looked through for those that are under way: one that is older has long ended. */
const newest = 200;

/** Asks how things stand; without a name, of all projects, and then of their workloads those alone that are not Ready. */
export async function fetchStatus(where: StatusScope | undefined, client: ServiceClient): Promise<StatusView> {
  const query = { ...(where && { project: where.project }) };
  const projects: ProjectView[] = [];
  for await (const project of client.list('projects', {}))
    if (where === undefined || project.name === where.project) projects.push(project);
  const workloads: WorkloadView[] = [];
  for await (const workload of client.list('workloads', { query }))
    if (where ? isInScope(where)(workload) : !workload.ready) workloads.push(workload);
  const page = await client.request('deployments', { query: { ...query, ...where, limit: newest } });
  return { projects, workloads, deployments: page.items.filter(({ phase }) => !finalPhases.includes(phase)) };
}

/** Whether a workload is in a scope. */
export const isInScope =
  ({ project, workflow }: StatusScope) =>
  (workload: WorkloadView): boolean =>
    workload.project === project &&
    (workflow === undefined || workload.artifact?.startsWith(`${project}/${workflow}@`) === true);
