import { expectStatus } from '../../control-plane/api-response';
import { type Client } from '../../control-plane/client';

/** Pod fields that the comparison reads. */
export interface LivePod {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly { readonly name: string; readonly uid: string }[];
  };
  readonly status: {
    readonly phase?: string;
    readonly conditions?: readonly LiveCondition[];
  };
}

/** Condition of an object. */
export interface LiveCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Job fields that the comparison reads. */
export interface LiveJobObject {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
  };
  readonly spec: {
    readonly suspend?: boolean;
    readonly parallelism: number;
    readonly completions: number;
    readonly activeDeadlineSeconds?: number;
  };
  readonly status: {
    readonly active?: number;
    readonly ready?: number;
    readonly succeeded?: number;
    readonly startTime?: string;
    readonly completedIndexes?: string;
    readonly failedIndexes?: string;
    readonly uncountedTerminatedPods?: { readonly succeeded?: readonly string[]; readonly failed?: readonly string[] };
    readonly conditions?: readonly LiveCondition[];
  };
}

/** Set of one of the controllers, with its status. */
export interface LiveSet {
  readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly generation: number };
  readonly spec: { readonly suspend?: boolean };
  readonly status?: { readonly [field: string]: unknown; readonly conditions?: readonly LiveCondition[] };
}

/** Objects of one set. */
export interface SetObjects {
  readonly set: LiveSet;
  readonly jobs: readonly LiveJobObject[];
  /** Pods by UID of their Job. */
  readonly pods: ReadonlyMap<string, readonly LivePod[]>;
}

/** Objects of a namespace, by name of the set. */
export type NamespaceState = (name: string) => SetObjects | undefined;

/** Reads the sets of a collection and the Jobs and pods of its namespace. */
export async function readNamespace(client: Client, sets: string, namespace: string): Promise<NamespaceState> {
  // Pods before Jobs before sets: a set never seems to have handled a state of its pods that is read later.
  const pods = await listOf<LivePod>(client, `/api/v1/namespaces/${namespace}/pods`);
  const jobs = await listOf<LiveJobObject>(client, `/apis/batch/v1/namespaces/${namespace}/jobs`);
  const all = await listOf<LiveSet>(client, sets);
  const podsByJob = groupBy(pods, ({ metadata }) => metadata.ownerReferences?.[0]?.uid);
  const jobsBySet = groupBy(jobs, ({ metadata }) => metadata.ownerReferences?.[0]?.name);
  return (name) => {
    const set = all.find(({ metadata }) => metadata.name === name);
    return set && { set, jobs: jobsBySet.get(name) ?? [], pods: podsByJob };
  };
}

async function listOf<T>(client: Client, path: string): Promise<readonly T[]> {
  const { body } = expectStatus(await client.request('GET', path), [200]);
  return (body as { readonly items: readonly T[] }).items;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item) ?? '';
    const group = groups.get(key) ?? [];
    group.push(item);
    groups.set(key, group);
  }
  return groups;
}
