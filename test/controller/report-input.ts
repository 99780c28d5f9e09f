import { parseManifest, explainProblem, type ManifestInput, type WorkloadKind } from '../../lib/api';
import { type Child } from '../../lib/controller/observed/child';
import { type ReconcilePlan } from '../../lib/controller/plan/plan-step';
import { podFactsOf } from '../../lib/controller/observed/pod-facts-of';
import { type PodFacts } from '../../lib/controller/observed/pod-facts';
import { type ReportInput } from '../../lib/controller/report/report';
import { safeExpand, type KubernetesObject } from '../../lib/expand';
import { type LiveObject } from '../../lib/kube';
import { makeProjectContext } from '../../lib/testing';

/** Noon of an arbitrary day. */
export const noon = Date.UTC(2026, 2, 1, 12);

type Fields = Readonly<Record<string, unknown>>;

/** Differences of the cluster from the desired state. */
export interface ObservedDifferences extends Partial<
  Pick<
    ReportInput,
    'previous' | 'pods' | 'failures' | 'rejected' | 'record' | 'profile' | 'now' | 'generation' | 'problems'
  >
> {
  /** Statuses by `Kind/name`; `undefined` for a missing object. */
  readonly statuses?: Readonly<Record<string, Fields | undefined>>;
  /** Replica counts by `Kind/name`, if different from the desired one. */
  readonly scales?: Readonly<Record<string, number>>;
  readonly deleting?: readonly string[];
  /** Owned objects that are not desired. */
  readonly others?: readonly Child[];
  readonly plan?: Partial<ReconcilePlan>;
}

/** A child with generation 2. */
export const childAt = (kind: string, name: string, status: Fields = {}, more: Partial<Child> = {}): Child => ({
  kind,
  name,
  namespace: 'shop',
  uid: `uid-${kind}-${name}`,
  resourceVersion: '7',
  generation: 2,
  deleting: false,
  digest: '',
  status,
  content: () => {
    throw new Error('a report must not read content');
  },
  ...more,
});

interface Expansion {
  readonly workload: NonNullable<ReportInput['workload']>;
  readonly desired: readonly KubernetesObject[];
}

const expansions = new WeakMap<ManifestInput, Expansion>();

/** Returns a workload and its expansion, cached. */
function expanded(input: ManifestInput): Expansion {
  const known = expansions.get(input);
  if (known) return known;
  const workload = parseManifest(input) as Expansion['workload'];
  const context = makeProjectContext(workload.kind === 'PinterestDaemon' ? { project: { infrastructure: true } } : {});
  const { objects: desired, problems } = safeExpand(workload, context);
  if (!desired) throw new Error(problems.map(explainProblem).join('\n'));
  expansions.set(input, { workload, desired });
  return { workload, desired };
}

/** Returns the input of a report on a workload in a healthy cluster with the given differences. */
export function reportInput<K extends WorkloadKind>(
  input: ManifestInput<K>,
  seen: ObservedDifferences = {},
): ReportInput {
  const { workload, desired } = expanded(input as ManifestInput);
  const children = new Map<string, Child>();
  for (const { kind, metadata } of desired) {
    const key = `${kind}/${metadata.name}`;
    if (seen.statuses && key in seen.statuses && seen.statuses[key] === undefined) continue;
    const scale = seen.scales?.[key];
    const child = childAt(kind, metadata.name, seen.statuses?.[key] ?? settled(desired, key), {
      deleting: seen.deleting?.includes(key) ?? false,
      ...(scale !== undefined && { scale: { replicas: scale, ownedByPinion: false, ownedByOthers: true } }),
    });
    children.set(key, child);
  }
  return {
    kind: workload.kind,
    name: workload.metadata.name,
    namespace: workload.metadata.namespace,
    generation: seen.generation ?? 3,
    previous: seen.previous,
    workload,
    problems: seen.problems ?? [],
    desired,
    observed: {
      child: (kind, name) => children.get(`${kind}/${name}`),
      owned: [...children.values(), ...(seen.others ?? [])],
    },
    pods: seen.pods ?? [],
    failures: seen.failures ?? [],
    plan: { steps: [], blockingIssues: [], waits: false, ...seen.plan },
    rejected: seen.rejected ?? [],
    record: seen.record,
    profile: seen.profile ?? 'default-v1',
    now: seen.now ?? noon,
  };
}

/** Returns the status of an object that matches its spec. */
function settled(desired: readonly KubernetesObject[], key: string): Fields {
  const object = desired.find(({ kind, metadata }) => `${kind}/${metadata.name}` === key);
  const count = Number((object?.['spec'] as Fields | undefined)?.['replicas'] ?? 1);
  const pods = { replicas: count, readyReplicas: count, updatedReplicas: count, availableReplicas: count };
  switch (object?.kind) {
    case 'Deployment':
      return {
        observedGeneration: 2,
        ...pods,
        conditions: [progress('NewReplicaSetAvailable', 'has successfully progressed')],
      };
    case 'StatefulSet':
      return { observedGeneration: 2, ...pods, currentRevision: 'app-1', updateRevision: 'app-1' };
    case 'DaemonSet':
      return {
        observedGeneration: 2,
        desiredNumberScheduled: 4,
        currentNumberScheduled: 4,
        numberReady: 4,
        updatedNumberScheduled: 4,
        numberAvailable: 4,
      };
    case 'Job':
      return { startTime: '2026-03-01T11:00:00Z', active: 1, ready: 1 };
    default:
      return {};
  }
}

/** Condition by which the Deployment controller reports a rollout to ReplicaSet `app-new`. */
export const progress = (reason: string, what: string, set = 'app-new') => ({
  type: 'Progressing',
  status: reason === 'ProgressDeadlineExceeded' ? 'False' : 'True',
  reason,
  message: `ReplicaSet "${set}" ${what}.`,
});

/** Returns a pod as the API server stores it. */
export interface PodOptions {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly owner?: { readonly kind: string; readonly name: string; readonly uid?: string };
  readonly created?: number;
  readonly spec?: Fields;
  readonly status?: Fields;
}

/** Returns a pod of the Deployment `app`, of its newest version by default. */
export function livePod({
  name = 'app-new-x1',
  labels,
  annotations,
  owner,
  created = noon - 60_000,
  spec,
  status,
}: PodOptions): LiveObject {
  const { kind, name: of, uid } = owner ?? { kind: 'ReplicaSet', name: 'app-new' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${name}`,
      resourceVersion: '9',
      creationTimestamp: new Date(created).toISOString(),
      labels: { 'pinterest.com/kind': 'PinterestService', 'pinterest.com/workload': 'app', ...labels },
      ...(annotations && { annotations }),
      ownerReferences: [{ apiVersion: 'v1', kind, name: of, uid: uid ?? `uid-${kind}-${of}`, controller: true }],
    },
    spec: {
      nodeName: 'node-1',
      initContainers: [
        { name: 'pinion-configuration', image: 'registry.example.com/configuration:1' },
        { name: 'pinion-certificates', image: 'registry.example.com/certificates:1', restartPolicy: 'Always' },
        { name: 'prepare', image: 'registry.example.com/prepare:1' },
      ],
      containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0' }],
      ...spec,
    },
    status: { phase: 'Pending', ...status },
  };
}

/** Returns the cached facts of such a pod. */
export const pod = (options: PodOptions = {}): PodFacts => podFactsOf(livePod(options));

/** Returns a condition of a report's status. */
export const conditionIn = (status: object, type: string) =>
  (
    (
      status as {
        conditions?: { type: string; status: string; reason: string; message: string; lastTransitionTime: string }[];
      }
    ).conditions ?? []
  ).find((condition) => condition.type === type);
