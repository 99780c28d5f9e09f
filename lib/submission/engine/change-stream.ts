import { type Caller, type Change, type WorkloadView } from '../../contract';
import { type Clock } from '../../kube';
import { roleOf } from '../authorization';
import { type ConfigMapState } from '../state/config-map-state';
import { type DeploymentTarget, type TargetChange } from '../targets/deployment-target';
import { withCleanup, LiveStream } from './live-stream';
import { projectView } from './project-view';
import { type Visibility } from './visibility';
import { createWorkloadView } from './workload-view';

/**
 * Maximum number of unread changes of a stream. The readers of many streams may be slow at once; a reader that lost changes
 * reconnects and lists again, as after any disconnect.
 */
export const maxUnreadChanges = 1_000;

/** Sources of a change stream. */
export interface ChangeSources {
  readonly state: ConfigMapState;
  readonly targets: ReadonlyMap<string, DeploymentTarget>;
  readonly clock: Clock;
  readonly visibility: Visibility;
}

/**
 * Streams all changes from now on that a caller may see, or those of one project. Ends if the reader is too slow.
 */
export function changeStream(
  sources: ChangeSources,
  caller: Caller,
  only: string | undefined,
  signal: AbortSignal,
): AsyncIterable<Change> {
  const { state, targets, visibility } = sources;
  const stream = new LiveStream<Change>(signal, maxUnreadChanges);
  const matchesProject = (project: string): boolean => only === undefined || project === only;
  /** Projects known to the caller; only their deletion is reported. */
  const knownProjects = new Set(
    visibility
      .memberships(caller)
      .filter(({ project }) => matchesProject(project.metadata.name))
      .map(({ target, project }) => projectKey(target, project.metadata.name)),
  );
  const unsubscribers: (() => void)[] = [];
  const end = (): void => unsubscribers.forEach((one) => void one());
  for (const target of targets.values()) {
    const unsubscribe = target.onChange((change) => {
      if (stream.hasEnded) return end();
      const item = matchesProject(change.project)
        ? change.type === 'workload'
          ? workloadChange(caller, target, change)
          : projectChange(sources, caller, target, change.project, knownProjects)
        : undefined;
      if (item) stream.put(...item);
      // The last change that the caller gets is the loss of the last project.
      if (knownProjects.size === 0) stream.end();
    });
    unsubscribers.push(unsubscribe);
  }
  unsubscribers.push(
    state.onChange(({ project, record }) => {
      if (record && matchesProject(project) && visibility.canSee(caller, record.deployment))
        stream.put(`deployment/${record.deployment.id}`, { type: 'deployment', deployment: record.deployment });
    }),
  );
  signal.addEventListener('abort', end, { once: true });
  return withCleanup(stream, end);
}

function workloadChange(
  caller: Caller,
  target: DeploymentTarget,
  change: WorkloadChange,
): readonly [string, Change] | undefined {
  const project = target.project(change.project);
  if (!project || !roleOf(caller, project)) return undefined;
  const item = workloadItems.get(change) ?? workloadItem(target, change);
  workloadItems.set(change, item);
  return item;
}

type WorkloadChange = Extract<TargetChange, { readonly type: 'workload' }>;
/** Items by change: all streams share one, which slow readers retain. */
const workloadItems = new WeakMap<WorkloadChange, readonly [string, Change]>();

function workloadItem(
  target: DeploymentTarget,
  { project: name, workload, gone }: WorkloadChange,
): readonly [string, Change] {
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
