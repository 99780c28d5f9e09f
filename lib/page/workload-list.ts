import { type Deployment, type WorkloadView } from '../contract';
import { workloadKey } from './inventory';
import { type DeploymentFilter, type WorkloadFilter } from './route';

/** Words of a search, in lower case; each must be found. */
const wordsOf = (text: string | undefined): string[] => (text ?? '').toLowerCase().split(/\s+/).filter(Boolean);

const textOf = ({ project, target, kind, name, phase, cause, artifact }: WorkloadView): string =>
  [project, target, kind, name, phase, cause?.reason, cause?.message, cause?.owner, artifact].join('\n').toLowerCase();

/** Workloads that a filter lets through, those that are not ready first, then by project, name, kind and cluster. */
export function listWorkloads(all: Iterable<WorkloadView>, filter: WorkloadFilter): readonly WorkloadView[] {
  const words = wordsOf(filter.text);
  return [...all]
    .filter(
      (workload) =>
        (filter.project === undefined || workload.project === filter.project) &&
        (filter.target === undefined || workload.target === filter.target) &&
        (filter.kind === undefined || workload.kind === filter.kind) &&
        !(filter.notReady && workload.ready) &&
        (words.length === 0 || holdsAll(textOf(workload), words)),
    )
    .sort(byReadinessAndName);
}

const holdsAll = (text: string, words: readonly string[]): boolean => words.every((word) => text.includes(word));

function byReadinessAndName(one: WorkloadView, other: WorkloadView): number {
  if (one.ready !== other.ready) return one.ready ? 1 : -1;
  return (
    compare(one.project, other.project) ||
    compare(one.name, other.name) ||
    compare(one.kind, other.kind) ||
    compare(one.target, other.target)
  );
}

/** Names here are plain letters, so that comparing code units is right and quick. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const found = new WeakMap<readonly WorkloadView[], { readonly key: string; readonly place: number }>();

/** Where a workload stands in a list, or undefined where it does not; looked for once, and not with every scroll. */
export function listIndexOf(list: readonly WorkloadView[], key: string | undefined): number | undefined {
  if (key === undefined) return undefined;
  const known = found.get(list);
  const place = known?.key === key ? known.place : list.findIndex((workload) => workloadKey(workload) === key);
  found.set(list, { key, place });
  return place < 0 ? undefined : place;
}

/** Deployments that a filter lets through, the newest first; none older than the horizon, up to which all are known. */
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
