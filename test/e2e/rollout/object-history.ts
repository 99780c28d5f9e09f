import { waitFor } from '../../control-plane/wait-for';
import { type PinionCluster } from '../pinion-suite';

/** Flags with which etcd keeps each change of workloads' objects, and the API server serves all of them to a late watch. */
export const historyFlags = [
  '--etcd-compaction-interval=0',
  '--watch-cache-sizes=deployments.apps#0,statefulsets.apps#0,daemonsets.apps#0',
];

const resources = ['deployments', 'statefulsets', 'daemonsets'] as const;

interface Fields {
  readonly [field: string]: unknown;
}

/** An object of a workload at one time. */
interface Recorded {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion: string;
    readonly generation: number;
  };
  readonly spec: { readonly replicas?: number; readonly template: object };
  readonly status?: Fields;
}

/** Change of an object of a workload, in the order of etcd. */
export interface RecordedChange {
  /** As namespace/name. */
  readonly workload: string;
  /** Whether the pod template is another one than before. */
  readonly hasNewTemplate: boolean;
  /** Whether all pods follow the template and are available. */
  readonly isComplete: boolean;
  /** Tag of the sidecar in the template. */
  readonly tag: string;
}

/** Templates of the objects at a time. */
export interface HistoryMark {
  readonly version: string;
  readonly templates: ReadonlyMap<string, string>;
  readonly versions: ReadonlyMap<string, number>;
}

/** Returns the current state, after which changes are read. */
export async function markHistory(pinion: PinionCluster): Promise<HistoryMark> {
  const lists = await Promise.all(resources.map((resource) => read(pinion, `/apis/apps/v1/${resource}`)));
  const items = lists.flatMap((text) => (JSON.parse(text) as { readonly items: readonly Recorded[] }).items);
  // The oldest of the lists: what another one knows already is no new template.
  const version = Math.min(...lists.map((text) => versionOf(JSON.parse(text) as Recorded)));
  return {
    version: String(version),
    templates: new Map(items.map((item) => [keyOf(item), JSON.stringify(item.spec.template)])),
    versions: new Map(items.map((item) => [keyOf(item), versionOf(item)])),
  };
}

/** Returns all changes since a mark, in the order in which etcd stored them: none is missed, whatever was killed meanwhile. */
export async function changesOf(pinion: PinionCluster, mark: HistoryMark): Promise<readonly RecordedChange[]> {
  const { versions } = await markHistory(pinion);
  const events = await waitFor('the history of objects', async () => {
    const found = await eventsSince(pinion, mark);
    const last = new Map([...mark.versions, ...found.map((object) => [keyOf(object), versionOf(object)] as const)]);
    return [...versions].every(([key, version]) => (last.get(key) ?? 0) >= version) && found;
  });
  const templates = new Map(mark.templates);
  return events.map((object) => {
    const template = JSON.stringify(object.spec.template);
    const hasNewTemplate = templates.get(keyOf(object)) !== template;
    templates.set(keyOf(object), template);
    const tag = /registry\.example\.com\/logs:(\w+)/.exec(template)?.[1] ?? 'none';
    return { workload: keyOf(object), hasNewTemplate, isComplete: isComplete(object), tag };
  });
}

async function eventsSince(pinion: PinionCluster, { version }: HistoryMark): Promise<readonly Recorded[]> {
  const watches = resources.map((resource) =>
    read(pinion, `/apis/apps/v1/${resource}?watch=true&resourceVersion=${version}&timeoutSeconds=1`),
  );
  const lines = (await Promise.all(watches)).flatMap((text) => text.split('\n').filter(Boolean));
  const events = lines.map((line) => JSON.parse(line) as { readonly type: string; readonly object: Recorded });
  const failed = events.find(({ type }) => type === 'ERROR');
  if (failed) throw new Error(JSON.stringify(failed));
  return events.map(({ object }) => object).sort((a, b) => versionOf(a) - versionOf(b));
}

/** What a history says of the budgets of a rollout. */
export interface HistoryFacts {
  /** Maximum number of workloads whose template was new and whose pods did not all follow it. */
  readonly most: number;
  /** The same within one namespace. */
  readonly mostOfProject: number;
  /** Workloads in the order of their new templates. */
  readonly changed: readonly string[];
}

/** Returns what changes say of budgets. Pure. */
export function factsOfHistory(changes: readonly RecordedChange[]): HistoryFacts {
  const moving = new Set<string>();
  const changed: string[] = [];
  let [most, mostOfProject] = [0, 0];
  for (const { workload, hasNewTemplate, isComplete: isOver } of changes) {
    if (hasNewTemplate) {
      moving.add(workload);
      changed.push(workload);
    } else if (isOver) moving.delete(workload);
    most = Math.max(most, moving.size);
    const projects = [...moving].map((key) => key.split('/')[0]);
    for (const project of projects)
      mostOfProject = Math.max(mostOfProject, projects.filter((one) => one === project).length);
  }
  return { most, mostOfProject, changed };
}

const versionOf = ({ metadata }: Recorded): number => Number(metadata.resourceVersion);
const keyOf = ({ metadata: { namespace, name } }: Recorded): string => `${namespace}/${name}`;

/** Returns whether the controllers of Kubernetes have made all pods of an object follow its template, by the rules of kubectl. */
function isComplete({ metadata, spec, status = {} }: Recorded): boolean {
  if (status['observedGeneration'] !== metadata.generation) return false;
  const counts = (...names: readonly string[]): readonly unknown[] => names.map((name) => status[name] ?? 0);
  if (spec.replicas === undefined) {
    const wanted = status['desiredNumberScheduled'] ?? 0;
    return counts('updatedNumberScheduled', 'numberAvailable').every((count) => count === wanted);
  }
  return counts('updatedReplicas', 'availableReplicas', 'replicas').every((count) => count === spec.replicas);
}

async function read({ cluster }: PinionCluster, path: string): Promise<string> {
  const { code, stdout, stderr } = await cluster.kubectl(['get', '--raw', path]);
  if (code !== 0) throw new Error(`${path}: ${stderr}`);
  return stdout;
}
