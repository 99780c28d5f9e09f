import { type Deployment, type WorkloadView } from '../../contract';
import { workloadKey } from './inventory';
import { type DeploymentFilter, type WorkloadFilter } from './route';

/** Returns the words of a search in lower case; each must match. */
const wordsOf = (text: string | undefined): string[] => (text ?? '').toLowerCase().split(/\s+/).filter(Boolean);

const textOf = ({ project, target, kind, name, phase, cause, artifact }: WorkloadView): string =>
  [project, target, kind, name, phase, cause?.reason, cause?.message, cause?.owner, artifact].join('\n').toLowerCase();

/** Lists the workloads that match a filter, those that are not ready first, then by project, name, kind and cluster. */
export function listWorkloads(all: Iterable<WorkloadView>, filter: WorkloadFilter): readonly WorkloadView[] {
  const words = wordsOf(filter.text);
  return [...all]
    .filter(
      (workload) =>
        (filter.project === undefined || workload.project === filter.project) &&
        (filter.target === undefined || workload.target === filter.target) &&
        (filter.kind === undefined || workload.kind === filter.kind) &&
        !(filter.notReady && workload.ready) &&
        (words.length === 0 || includesAll(textOf(workload), words)),
    )
    .sort(byReadinessAndName);
}

const includesAll = (text: string, words: readonly string[]): boolean => words.every((word) => text.includes(word));

function byReadinessAndName(one: WorkloadView, other: WorkloadView): number {
  if (one.ready !== other.ready) return one.ready ? 1 : -1;
  return (
    compare(one.project, other.project) ||
    compare(one.name, other.name) ||
    compare(one.kind, other.kind) ||
    compare(one.target, other.target)
  );
}

/** Compares code units, which is correct and fast because names are ASCII. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const indexCache = new WeakMap<readonly WorkloadView[], { readonly key: string; readonly index: number }>();

/** Returns the index of a workload in a list, or undefined; cached, so that scrolling does not search again. */
export function listIndexOf(list: readonly WorkloadView[], key: string | undefined): number | undefined {
  if (key === undefined) return undefined;
  const known = indexCache.get(list);
  const index = known?.key === key ? known.index : list.findIndex((workload) => workloadKey(workload) === key);
  indexCache.set(list, { key, index });
  return index < 0 ? undefined : index;
}

/** Lists the deployments that match a filter, newest first; none older than the horizon, before which the list is incomplete. */
export function listDeployments(
  all: Iterable<Deployment>,
  filter: DeploymentFilter,
  horizon?: string,
): readonly Deployment[] {
  return [...all]
    .filter(
      (deployment) =>
        (filter.project === undefined || deployment.project === filter.project) &&
        (filter.workflow === undefined || deployment.workflow === filter.workflow) &&
        (filter.stage === undefined || deployment.stage === filter.stage) &&
        (horizon === undefined || Date.parse(deployment.requestedAt) >= Date.parse(horizon)),
    )
    .sort(newestFirst);
}

const newestFirst = (one: Deployment, other: Deployment): number =>
  Date.parse(other.requestedAt) - Date.parse(one.requestedAt) || other.sequence - one.sequence;

/** Workloads that are not ready for the same reason. */
export interface CauseGroup {
  readonly cause: WorkloadView['cause'];
  readonly workloads: readonly WorkloadView[];
}

/** Groups workloads that are not ready by owner and reason, largest group first. */
export function groupByCause(notReady: readonly WorkloadView[]): readonly CauseGroup[] {
  const groups = new Map<string, WorkloadView[]>();
  for (const workload of notReady) {
    const key = `${workload.cause?.owner} ${workload.cause?.reason}`;
    const group = groups.get(key);
    if (group) group.push(workload);
    else groups.set(key, [workload]);
  }
  return [...groups.values()]
    .map((workloads) => ({ cause: workloads[0]?.cause, workloads }))
    .sort((one, other) => other.workloads.length - one.workloads.length);
}
