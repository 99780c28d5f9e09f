import { type Caller, type Change, type WorkloadView } from '../../contract';
import { type Clock } from '../../kube';
import { roleOf } from '../authorization';
import { type ConfigMapState } from '../state/config-map-state';
import { type DeploymentTarget, type TargetChange } from '../targets/deployment-target';
import { withCleanup, LiveStream } from './live-stream';
import { projectView } from './project-view';
import { type Visibility } from './visibility';
import { createWorkloadView } from './workload-view';

/** Sources of a change stream. */
export interface ChangeSources {
  readonly state: ConfigMapState;
  readonly targets: ReadonlyMap<string, DeploymentTarget>;
  readonly clock: Clock;
  readonly visibility: Visibility;
}

/** Streams all changes from now on that a caller may see, or those of one project. */
export function changeStream(
  sources: ChangeSources,
  caller: Caller,
  only: string | undefined,
  signal: AbortSignal,
): AsyncIterable<Change> {
  const { state, targets, visibility } = sources;
  const stream = new LiveStream<Change>(signal);
  const matchesProject = (project: string): boolean => only === undefined || project === only;
  /** Projects known to the caller; only their deletion is reported. */
  const knownProjects = new Set(
    visibility
      .memberships(caller)
      .filter(({ project }) => matchesProject(project.metadata.name))
      .map(({ target, project }) => projectKey(target, project.metadata.name)),
  );
  const unsubscribers = [...targets.values()].map((target) =>
    target.onChange((change) => {
      const item = matchesProject(change.project)
        ? change.type === 'workload'
          ? workloadChange(caller, target, change)
          : projectChange(sources, caller, target, change.project, knownProjects)
        : undefined;
      if (item) stream.put(...item);
      // The last change that the caller gets is the loss of the last project.
      if (knownProjects.size === 0) stream.end();
    }),
  );
  unsubscribers.push(
    state.onChange(({ project, record }) => {
      if (record && matchesProject(project) && visibility.canSee(caller, record.deployment))
        stream.put(`deployment/${record.deployment.id}`, { type: 'deployment', deployment: record.deployment });
    }),
  );
  const end = (): void => unsubscribers.forEach((one) => void one());
  signal.addEventListener('abort', end, { once: true });
  return withCleanup(stream, end);
}

function workloadChange(
  caller: Caller,
  target: DeploymentTarget,
  { project: name, workload, gone }: Extract<TargetChange, { readonly type: 'workload' }>,
): [string, Change] | undefined {
  const project = target.project(name);
  if (!project || !roleOf(caller, project)) return undefined;
  const { kind, metadata } = workload;
  const key = `workload/${target.name}/${name}/${kind}/${metadata.name}`;
  if (!gone) return [key, { type: 'workload', workload: createWorkloadView(target, workload) }];
  const removed = { project: name, target: target.name, kind: kind as WorkloadView['kind'], name: metadata.name };
  return [key, { type: 'workloadGone', workload: removed }];
}

function projectChange(
  { clock }: ChangeSources,
  caller: Caller,
  target: DeploymentTarget,
  name: string,
  knownProjects: Set<string>,
): [string, Change] | undefined {
  const key = projectKey(target, name);
  const project = target.project(name);
  const role = project && roleOf(caller, project);
  if (role) {
    knownProjects.add(key);
    return [key, { type: 'project', project: projectView(target, project, role, clock.now()) }];
  }
  return knownProjects.delete(key) ? [key, { type: 'projectGone', project: { name, target: target.name } }] : undefined;
}

const projectKey = (target: DeploymentTarget, project: string): string => `project/${target.name}/${project}`;
