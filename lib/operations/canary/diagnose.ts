import { type CanaryCause, type CanaryPart } from './canary-report';
import { type CanaryFacts } from './canary-facts';
import { rejectionCause } from './rejection-cause';

/** Returns a cause, or undefined if the rule does not apply. */
type Rule = (facts: CanaryFacts) => CanaryCause | undefined;

/** Creates a cause that the platform owns. */
export const platformCause = (part: CanaryPart, message: string, next: string): CanaryCause => ({
  part,
  owner: 'platform',
  message,
  next,
});

/** Seconds without a lease renewal after which a leader is considered gone; Kubernetes leases last 15. */
const leaseTimeout = 30;
const isLeaseExpired = (seconds: number | undefined): boolean => seconds === undefined || seconds > leaseTimeout;
const leaseState = (seconds: number | undefined): string =>
  seconds === undefined ? 'it holds no lease' : `it has not renewed its lease for ${Math.round(seconds)} s`;

/** The API server serves reads from its watch cache and waits for etcd to store writes. */
const slowEtcd: Rule = ({ writes }) =>
  writes && writes.stored > 1000 && writes.stored > 3 * writes.cached
    ? platformCause(
        'etcd',
        `etcd is slow: a write takes ${Math.round(writes.stored)} ms, a read from memory ${Math.round(writes.cached)} ms`,
        'check the disks and members of etcd: "pinion etcd status"',
      )
    : undefined;

const failedCall: Rule = (facts) => facts.call && rejectionCause(facts.call);

const unobservedResource: Rule = ({ custom, leases }) => {
  if (!custom || custom.isTerminating || custom.observedGeneration === custom.generation) return undefined;
  const message = isLeaseExpired(leases.controller)
    ? `pinion's controller is not running: the custom resource is unobserved, and ${leaseState(leases.controller)}`
    : "pinion's controller renews its lease but has not observed the custom resource: it is stuck or overloaded";
  return platformCause(
    'controller',
    message,
    'check its log: "kubectl logs -n pinion-controller deploy/pinion-controller"',
  );
};

const unobservedNative: Rule = ({ natives, leases }) => {
  const unobserved = natives.find(({ isObserved, isTerminating }) => !isObserved && !isTerminating);
  return unobserved
    ? platformCause(
        'controller-manager',
        `the controller manager is not running: ${unobserved.kind} ${unobserved.name} is unobserved${leases.controllerManager === undefined ? '' : `; ${leaseState(leases.controllerManager)}`}`,
        'check kube-controller-manager on the control plane nodes, and its log',
      )
    : undefined;
};

const unscheduled: Rule = ({ pods, nodes, leases }) => {
  const waiting = pods.filter(({ node, isTerminating }) => node === undefined && !isTerminating);
  const [first] = waiting;
  if (!first) return undefined;
  if (nodes.ready === 0) return noNodes(nodes.all);
  if (first.scheduling === undefined)
    return platformCause(
      'scheduler',
      `the scheduler is not running: pod ${first.name} is pending without a scheduling condition${leases.scheduler === undefined ? '' : `; ${leaseState(leases.scheduler)}`}`,
      'check kube-scheduler on the control plane nodes, and its log',
    );
  const message = `pod ${first.name} fits no node: ${first.scheduling}`;
  return { part: 'capacity', owner: 'capacity', message, next: 'check "pinion nodes", and the pools of the Platform' };
};

const noNodes = (all: number): CanaryCause =>
  platformCause(
    'nodes',
    all === 0 ? 'the cluster has no nodes' : `none of ${all} nodes is ready`,
    'check "kubectl get nodes" and the kubelets',
  );

const imageReasons = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
];

const waitingContainer: Rule = ({ pods }) => {
  const [found] = pods.flatMap((pod) => pod.waiting.map((container) => ({ pod: pod.name, ...container })));
  if (!found) return undefined;
  const { pod, container, reason, message } = found;
  const location = `container ${container} of pod ${pod}`;
  const detail = message === '' ? reason : `${reason}: ${message}`;
  if (imageReasons.includes(reason))
    return platformCause(
      'images',
      `the image of ${location} cannot be pulled: ${detail}`,
      'check the registry and the image name',
    );
  const next = `check its log: "kubectl logs ${pod} -c ${container} --previous"`;
  if (container === 'pinion-traffic')
    return platformCause(
      'zookeeper',
      `the registrar fails: ${location}: ${detail}`,
      `${next}, and whether ZooKeeper responds`,
    );
  if (container.startsWith('pinion-'))
    return platformCause('runtime-profile', `a container of the runtime profile fails: ${location}: ${detail}`, next);
  return platformCause('canary', `the canary's own container fails: ${location}: ${detail}`, next);
};

const unstarted: Rule = ({ pods, nodes }) => {
  const pod = pods.find(({ node, isReady, isTerminating }) => node !== undefined && !isReady && !isTerminating);
  if (!pod?.node) return undefined;
  if (nodes.ready === 0) return noNodes(nodes.all);
  return platformCause(
    'nodes',
    pod.hasStarted
      ? `pod ${pod.name} runs on node ${pod.node} but does not become ready`
      : `node ${pod.node} does not start pod ${pod.name}`,
    `check "kubectl describe pod ${pod.name}" and the kubelet of ${pod.node}`,
  );
};

/** Pods that Kubernetes' controllers could not create. */
const rejectedPods: Rule = ({ warnings, pods }) => {
  if (pods.some(({ isTerminating }) => !isTerminating)) return undefined;
  const rejected = [...warnings].reverse().find(({ reason }) => reason === 'FailedCreate');
  return rejected && rejectionCause({ service: 'api-server', status: 403, message: rejected.message });
};

/** Platform part by the controller's cause reason (docs/reasons.md). */
const partsByReason: Readonly<Record<string, CanaryPart>> = {
  PolicyDenied: 'admission',
  PodSecurity: 'admission',
  WebhookUnavailable: 'admission',
  Rejected: 'admission',
  QuotaNotReady: 'controller-manager',
  NotScheduled: 'scheduler',
  NodeLost: 'nodes',
  NodesCordoned: 'nodes',
  StartsSlowly: 'nodes',
  ImagePullUnauthorized: 'images',
  ImageNotFound: 'images',
  ImageNotPulled: 'images',
  RegistryLimits: 'images',
  RegistryUnreachable: 'images',
  InitCrashLoop: 'runtime-profile',
  SidecarCrashLoop: 'runtime-profile',
  SidecarNotReady: 'runtime-profile',
  APIServerError: 'api-server',
};

/** The cause that the controller reported. */
const reportedCause: Rule = ({ custom }) => {
  if (!custom?.cause) return undefined;
  const { owner, reason, message } = custom.cause;
  const part = owner === 'quota' || owner === 'capacity' ? owner : (partsByReason[reason] ?? 'controller');
  // The platform owns the canary's workloads, so application causes are its own too.
  const causeOwner = owner === 'quota' || owner === 'capacity' ? owner : 'platform';
  return {
    part,
    owner: causeOwner,
    message: `${reason}: ${message}`,
    next: 'see docs/reasons.md for this reason',
  };
};

const unenforcedQuota: Rule = ({ step, quota }) => {
  if (step !== 'quota-refusal') return undefined;
  const { hard, desired } = quota;
  const message = hard
    ? `the quota of the canary's namespace (${amounts(hard)}) does not block a workload that exceeds the Project's quota (${amounts(desired)})`
    : "the canary's namespace has no quota, so nothing blocks a workload that exceeds the Project's quota";
  return {
    part: 'quota',
    owner: 'quota',
    message,
    next: 'check ResourceQuota "project" of the namespace, and who changed it',
  };
};

const wrongQuota: Rule = ({ quota: { hard, desired } }) => {
  const [name] = Object.entries(desired).find(([resource, value]) => hard && hard[resource] !== value) ?? [];
  if (!hard || name === undefined) return undefined;
  const message = `the quota of the canary's project is wrong: ${name} is ${hard[name] ?? 'unset'}, but ${desired[name] ?? ''} in its Project`;
  return {
    part: 'quota',
    owner: 'quota',
    message,
    next: 'check ResourceQuota "project" of the namespace, and who changed it',
  };
};

const stuckDeletion: Rule = ({ step, custom, natives, pods, leases }) => {
  if (step !== 'delete') return undefined;
  if (custom?.isTerminating && custom.finalizers.length > 0)
    return platformCause(
      'controller',
      `finalizers block deletion of the custom resource: ${custom.finalizers.join(', ')}`,
      'check which controller owns that finalizer',
    );
  const terminating = pods.find((pod) => pod.isTerminating && pod.node !== undefined);
  if (terminating)
    return platformCause(
      'nodes',
      `node ${terminating.node ?? ''} does not terminate pod ${terminating.name}`,
      'check its kubelet',
    );
  if (natives.length + pods.length === 0) return undefined;
  return platformCause(
    'controller-manager',
    `the controller manager's garbage collector does not delete the dependents of a deleted object${leases.controllerManager === undefined ? '' : `; ${leaseState(leases.controllerManager)}`}`,
    'check kube-controller-manager on the control plane nodes, and its log',
  );
};

/** The first rule that applies wins: dependencies come before their dependents. */
const rules: readonly Rule[] = [
  slowEtcd,
  failedCall,
  stuckDeletion,
  unobservedResource,
  unenforcedQuota,
  rejectedPods,
  unobservedNative,
  unscheduled,
  waitingContainer,
  unstarted,
  wrongQuota,
  reportedCause,
];

/** Returns the cause of a failed step from the cluster state right after it. Pure. */
export function diagnose(facts: CanaryFacts): CanaryCause {
  for (const rule of rules) {
    const cause = rule(facts);
    if (cause) return cause;
  }
  const message = `timed out waiting for ${facts.waitedFor ?? 'a response'}; the cause is unknown`;
  return platformCause('unknown', message, 'check the events of the namespace: "kubectl get events"');
}

const amounts = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .slice(0, 4)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || 'nothing';
