import { conditionOf, metadataKeys, type PodSpec, type Quantity, trueCondition } from '../../api';
import { kindOfPod, podFootprint } from '../../expand';
import { type LiveObject } from '../../client';
import { containerIssues, unreadyContainers, type PodStatus } from './container-issues';
import { type PodFacts } from './pod-facts';
import { SharedValues } from './shared-values';
import { WeakValues } from './weak-values';

type Workload = NonNullable<PodFacts['workload']>;

/** Fields that pods of one workload share; dropped with the last of them. */
class CommonFacts {
  readonly #texts = new SharedValues<string>(256);
  readonly #owners = new SharedValues<NonNullable<PodFacts['controller']>>(64);

  readonly text = (text: string): string => this.#texts.get(text, () => text);

  owner({ kind, name, uid }: NonNullable<PodFacts['controller']>): NonNullable<PodFacts['controller']> {
    return this.#owners.get(uid, () => ({ kind, name, uid }));
  }
}

const workloads = new WeakValues<Workload>();
const factsByWorkload = new WeakMap<Workload, CommonFacts>();
const amounts = new WeakValues<PodFacts['requests']>();

/** Kubernetes' own labels and annotations that identify a pod among the others of its owner. */
const indexKey = 'batch.kubernetes.io/job-completion-index';
const revisionKeys = ['pod-template-hash', 'controller-revision-hash'] as const;

/** Maximum length of a message, in characters. */
const maxMessageLength = 1024;

const noIssues: PodFacts['containerIssues'] = Object.freeze([]);

/** Converts a pod for the cache; the transform of its informer. Never includes termination messages of containers. */
export function podFactsOf(pod: LiveObject): PodFacts {
  const { metadata } = pod;
  const workload = workloadOf(pod);
  const shared = commonOf(workload);
  const intern = shared.text;
  const spec = (pod['spec'] ?? { containers: [] }) as PodSpec;
  const status = (pod['status'] ?? {}) as PodStatus;
  const issues = containerIssues(spec, status, intern);
  const unready = unreadyContainers(status, intern);
  const unschedulable = unschedulableOf(status);
  return {
    name: metadata.name,
    namespace: intern(metadata.namespace ?? ''),
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    deleting: metadata.deletionTimestamp !== undefined,
    created: Date.parse(metadata.creationTimestamp ?? '') || 0,
    ...(workload && { workload }),
    ...positionOf(pod, shared),
    ...(spec.nodeName && { node: intern(spec.nodeName) }),
    phase: phaseOf(status, intern),
    ready: trueCondition(status, 'Ready') !== undefined,
    ...(unschedulable !== undefined && { unschedulable: intern(unschedulable) }),
    ...(status.reason && { reason: intern(status.reason) }),
    ...(status.message && { message: intern(status.message.slice(0, maxMessageLength)) }),
    containerIssues: issues.length > 0 ? issues : noIssues,
    ...(unready.length > 0 && { unready }),
    requests: requestsOf(spec),
  };
}

/** Returns the workload of a pod from its labels, the same object for all of its pods. */
function workloadOf({ metadata }: LiveObject): Workload | undefined {
  const { [metadataKeys.workload]: label } = metadata.labels ?? {};
  const kind = kindOfPod(metadata.labels ?? {});
  if (kind === undefined || label === undefined) return undefined;
  return workloads.get(`${metadata.namespace}/${kind}/${label}`, () => ({ kind, label }));
}

/** Returns the shared fields of a workload's pods; a pod without a workload shares nothing. */
function commonOf(workload: Workload | undefined): CommonFacts {
  const cached = workload && factsByWorkload.get(workload);
  if (cached) return cached;
  const created = new CommonFacts();
  if (workload) factsByWorkload.set(workload, created);
  return created;
}

/** Returns the position of a pod within its workload, and its owner. */
function positionOf(
  { metadata }: LiveObject,
  shared: CommonFacts,
): Pick<PodFacts, 'hook' | 'member' | 'index' | 'controller' | 'revision'> {
  const { labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  const { [metadataKeys.member]: member, [metadataKeys.hook]: hook } = labels;
  const owner = ownerReferences.find(({ controller }) => controller);
  const index = annotations[indexKey] ?? labels[indexKey];
  const revision = revisionKeys.map((key) => labels[key]).find((value) => value !== undefined);
  return {
    ...(hook !== undefined && { hook: shared.text(hook) }),
    ...(member !== undefined && { member: shared.text(member) }),
    ...(index !== undefined && { index: Number(index) }),
    ...(owner && { controller: shared.owner(owner) }),
    ...(revision !== undefined && { revision: shared.text(revision) }),
  };
}

const phases = new Set(['Pending', 'Running', 'Succeeded', 'Failed']);
const phaseOf = ({ phase = 'Pending' }: PodStatus, intern: (text: string) => string): PodFacts['phase'] =>
  phases.has(phase) ? (intern(phase) as PodFacts['phase']) : 'Unknown';

/** The preemption part of the message comes last, is long, and does not help readers of a status. */
function unschedulableOf(status: PodStatus): string | undefined {
  const scheduled = conditionOf(status, 'PodScheduled');
  if (scheduled?.status !== 'False') return undefined;
  const { message = '', reason = '' } = scheduled;
  return (message.split(' preemption: ')[0] ?? '').slice(0, maxMessageLength) || reason || 'Unschedulable';
}

function requestsOf(spec: PodSpec): PodFacts['requests'] {
  const parts = [spec.initContainers, spec.containers].map((list) =>
    list?.map(({ resources, restartPolicy }) => [resources?.requests, resources?.limits, restartPolicy]),
  );
  return amounts.get(JSON.stringify([parts, spec.overhead, spec.resources]), () => {
    const { requests } = podFootprint(spec);
    return Object.freeze(
      Object.fromEntries(Object.entries(requests).map(([name, amount]) => [name, wholeUnits(name, amount)])),
    );
  });
}

const wholeUnits = (name: string, { nanos }: Quantity): number => {
  const unit = name === 'cpu' ? 1_000_000n : 1_000_000_000n;
  return Number((nanos + unit - 1n) / unit);
};
