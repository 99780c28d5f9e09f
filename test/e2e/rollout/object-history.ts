import { RunningControlPlane } from '../../control-plane/running-control-plane';
import { type PinionCluster } from '../pinion-suite';

/** Flags with which etcd keeps each change of an object, in a form that tests can read. */
export const historyFlags = ['--etcd-compaction-interval=0', '--storage-media-type=application/json'];

const resources = ['deployments', 'statefulsets', 'daemonsets'] as const;

interface Fields {
  readonly [field: string]: unknown;
}

/** An object of a workload at one time. */
interface Recorded {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string; readonly generation: number };
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

/** State of the objects at a time. */
export interface HistoryMark {
  /** Revision of etcd. */
  readonly revision: number;
  readonly templates: ReadonlyMap<string, string>;
}

/** Returns the current state, after which changes are read. */
export async function markHistory(pinion: PinionCluster): Promise<HistoryMark> {
  const ranges = await Promise.all(resources.map((resource) => rangeOf(pinion, resource)));
  const stored = ranges.flatMap(({ kvs = [] }) => kvs).map(({ value }) => decode(value));
  return {
    // What a later one of the ranges knows already is no new template.
    revision: Math.min(...ranges.map(({ header }) => Number(header.revision))),
    templates: new Map(stored.map((object) => [keyOf(object), JSON.stringify(object.spec.template)])),
  };
}

/** Returns all changes since a mark, in the order in which etcd stored them: none is missed, whatever was killed meanwhile. */
export async function changesOf(pinion: PinionCluster, mark: HistoryMark): Promise<readonly RecordedChange[]> {
  const histories = await Promise.all(resources.map((resource) => historyOf(pinion, resource, mark.revision)));
  const templates = new Map(mark.templates);
  return histories
    .flat()
    .sort((a, b) => Number(a.mod_revision) - Number(b.mod_revision))
    .map(({ value }) => {
      const object = decode(value);
      const template = JSON.stringify(object.spec.template);
      const hasNewTemplate = templates.get(keyOf(object)) !== template;
      templates.set(keyOf(object), template);
      const tag = /registry\.example\.com\/logs:(\w+)/.exec(template)?.[1] ?? 'none';
      return { workload: keyOf(object), hasNewTemplate, isComplete: isComplete(object), tag };
    });
}

/**
 * Returns the number of writes since a revision of etcd that changed only the revision of the platform in the status of a
 * service: a write beside it says something of its pods, as often as they are seen to change.
 */
export async function revisionWrites(pinion: PinionCluster, since: number): Promise<number> {
  const resource = 'pinterest.com/pinterestservices';
  const { kvs = [] } = await rangeOf(pinion, resource, since);
  const former = new Map(kvs.map(({ value }) => splitStatus(value)));
  const writes = (await historyOf(pinion, resource, since)).map(({ value }) => splitStatus(value));
  return writes.filter(([key, { revision, rest }]) => {
    const before = former.get(key);
    former.set(key, { revision, rest });
    return before?.rest === rest && before.revision !== revision;
  }).length;
}

/** Returns the key of a service, the revision of the platform in its status, and all else of it apart from metadata. */
function splitStatus(value: string): readonly [string, { readonly revision: string; readonly rest: string }] {
  const { metadata, spec, status = {} } = decode(value);
  const { platformRevision, ...rest } = status;
  const seen = JSON.stringify([metadata.generation, spec, rest]);
  return [`${metadata.namespace}/${metadata.name}`, { revision: JSON.stringify(platformRevision ?? null), rest: seen }];
}

/** A key of etcd; numbers are texts in its JSON. */
interface Stored {
  readonly value: string;
  readonly mod_revision: string;
}

interface Range {
  readonly header: { readonly revision: string };
  readonly kvs?: readonly Stored[];
}

interface WatchAnswer {
  readonly result?: { readonly canceled?: boolean; readonly events?: readonly { readonly kv: Stored }[] };
}

/** Returns the keys of a resource as etcd wants them: the end is the next prefix. */
const keysOf = (resource: string) => ({
  key: Buffer.from(`/registry/${resource}/`).toString('base64'),
  range_end: Buffer.from(`/registry/${resource}0`).toString('base64'),
});

/** Returns the objects of a resource, now or at a revision. */
const rangeOf = async (pinion: PinionCluster, resource: string, revision?: number): Promise<Range> => {
  const range = { ...keysOf(resource), ...(revision !== undefined && { revision: String(revision) }) };
  return (await (await ask(pinion, 'kv/range', range)).json()) as Range;
};

/** Reads a watch of etcd from a revision on, up to the last change of the resource. */
async function historyOf(pinion: PinionCluster, resource: string, since: number): Promise<readonly Stored[]> {
  const { kvs = [] } = await rangeOf(pinion, resource);
  const last = Math.max(0, ...kvs.map(({ mod_revision }) => Number(mod_revision)));
  const found: Stored[] = [];
  if (last <= since) return found;
  const request = { create_request: { ...keysOf(resource), start_revision: String(since + 1) } };
  const { body } = await ask(pinion, 'watch', request);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines.filter(Boolean)) {
      const { result } = JSON.parse(line) as WatchAnswer;
      if (result?.canceled) throw new Error(`etcd does not have the history of ${resource}: ${line}`);
      // A deletion has no value.
      found.push(...(result?.events ?? []).map(({ kv }) => kv).filter(({ value }) => Boolean(value)));
    }
    if (Number(found.at(-1)?.mod_revision ?? 0) >= last) break;
  }
  return found;
}

async function ask({ cluster }: PinionCluster, path: string, body: object): Promise<Response> {
  if (!(cluster instanceof RunningControlPlane)) throw new Error('the cluster has no etcd of its own');
  const response = await fetch(`${cluster.etcdUrl}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`etcd: ${await response.text()}`);
  return response;
}

const decode = (value: string): Recorded => JSON.parse(Buffer.from(value, 'base64').toString()) as Recorded;

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
