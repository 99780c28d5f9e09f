import { type CanaryCause, type CanaryPart } from './canary-report';
import { type CanaryFacts } from './canary-facts';
import { refusalCause } from './refusal-cause';

/** Looks at facts and names a part, or leaves it to the next. */
type Rule = (facts: CanaryFacts) => CanaryCause | undefined;

/** Makes a cause of the platform. */
export const platformCause = (part: CanaryPart, message: string, next: string): CanaryCause => ({
  part,
  owner: 'platform',
  message,
  next,
});

/** Seconds after which a leader that does not renew its lease is gone: leases of Kubernetes last 15. */
const silence = 30;
const isSilent = (seconds: number | undefined): boolean => seconds === undefined || seconds > silence;
const sinceWhen = (seconds: number | undefined): string =>
  seconds === undefined ? 'it holds no lease' : `it has not renewed its lease for ${Math.round(seconds)} s`;

/** The API server answers from memory, and waits for what is stored. */
const slowEtcd: Rule = ({ writes }) =>
  writes && writes.stored > 1000 && writes.stored > 3 * writes.cached
    ? platformCause(
        'etcd',
        `etcd is slow: a write takes ${Math.round(writes.stored)} ms, a read from memory ${Math.round(writes.cached)} ms`,
        'see the disks and members of etcd: "pinion etcd status"',
      )
    : undefined;

const failedCall: Rule = (facts) => facts.call && refusalCause(facts.call);

const unseenResource: Rule = ({ custom, leases }) => {
  if (!custom || custom.isEnding || custom.observedGeneration === custom.generation) return undefined;
  const message = isSilent(leases.controller)
    ? `pinion's controller does not run: nobody looked at the custom resource, and ${sinceWhen(leases.controller)}`
    : "pinion's controller does not get to the custom resource, though it renews its lease: it is stuck or behind";
  return platformCause(
    'controller',
    message,
    'see its log: "kubectl logs -n pinion-controller deploy/pinion-controller"',
  );
};

const unseenNative: Rule = ({ natives, leases }) => {
  const unseen = natives.find(({ isSeen, isEnding }) => !isSeen && !isEnding);
  return unseen
    ? platformCause(
        'controller-manager',
        `the controller manager does not run: nobody looked at ${unseen.kind} ${unseen.name}${leases.controllerManager === undefined ? '' : `; ${sinceWhen(leases.controllerManager)}`}`,
        'see kube-controller-manager on the masters, and its log',
      )
    : undefined;
};

const unscheduled: Rule = ({ pods, nodes, leases }) => {
  const waiting = pods.filter(({ node, isEnding }) => node === undefined && !isEnding);
  const [first] = waiting;
  if (!first) return undefined;
  if (nodes.ready === 0) return noNodes(nodes.all);
  if (first.scheduling === undefined)
    return platformCause(
      'scheduler',
      `the scheduler does not run: pod ${first.name} waits, and it has said nothing of it${leases.scheduler === undefined ? '' : `; ${sinceWhen(leases.scheduler)}`}`,
      'see kube-scheduler on the masters, and its log',
    );
  const message = `no node takes pod ${first.name}: ${first.scheduling}`;
  return { part: 'capacity', owner: 'capacity', message, next: 'see "pinion nodes", and the pools of the Platform' };
};

const noNodes = (all: number): CanaryCause =>
  platformCause(
    'nodes',
    all === 0 ? 'the cluster has no nodes' : `no node is ready, of ${all}`,
    'see "kubectl get nodes" and the kubelets of these machines',
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
  const where = `container ${container} of pod ${pod}`;
  const said = message === '' ? reason : `${reason}: ${message}`;
  if (imageReasons.includes(reason))
    return platformCause(
      'images',
      `the image of ${where} does not pull: ${said}`,
      'see the registry, and the name of the image',
    );
  const next = `see its log: "kubectl logs ${pod} -c ${container} --previous"`;
  if (container === 'pinion-traffic')
    return platformCause(
      'zookeeper',
      `the registrar fails: ${where}: ${said}`,
      `${next}, and whether ZooKeeper answers`,
    );
  if (container.startsWith('pinion-'))
    return platformCause('runtime-profile', `a part of the runtime profile fails: ${where}: ${said}`, next);
  return platformCause('canary', `the canary's own container fails: ${where}: ${said}`, next);
};

const unstarted: Rule = ({ pods, nodes }) => {
  const pod = pods.find(({ node, isReady, isEnding }) => node !== undefined && !isReady && !isEnding);
  if (!pod?.node) return undefined;
  if (nodes.ready === 0) return noNodes(nodes.all);
  return platformCause(
    'nodes',
    pod.hasBegun
      ? `pod ${pod.name} runs on node ${pod.node} and does not become ready`
      : `node ${pod.node} does not start pod ${pod.name}`,
    `see "kubectl describe pod ${pod.name}" and the kubelet of ${pod.node}`,
  );
};

/** What Kubernetes' controllers were refused when they made pods. */
const refusedPods: Rule = ({ warnings, pods }) => {
  if (pods.some(({ isEnding }) => !isEnding)) return undefined;
  const refused = [...warnings].reverse().find(({ reason }) => reason === 'FailedCreate');
  return refused && refusalCause({ of: 'api-server', status: 403, message: refused.message });
};

/** Parts that the controller's own reasons speak of (docs/reasons.md). */
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

/** What the controller found out by itself. */
const toldCause: Rule = ({ custom }) => {
  if (!custom?.cause) return undefined;
  const { owner, reason, message } = custom.cause;
  const part = owner === 'quota' || owner === 'capacity' ? owner : (partsByReason[reason] ?? 'controller');
  // The workload is the platform's own: what elsewhere is the application's to mend is the platform's here.
  const whose = owner === 'quota' || owner === 'capacity' ? owner : 'platform';
  return {
    part,
    owner: whose,
    message: `${reason}: ${message}`,
    next: 'docs/reasons.md says what this reason asks for',
  };
};

const unrefused: Rule = ({ step, quota }) => {
  if (step !== 'quota-refusal') return undefined;
  const { hard, wanted } = quota;
  const message = hard
    ? `the quota of the canary's project does not hold back what is far beyond it: it says ${amounts(hard)}, the Project ${amounts(wanted)}`
    : "the canary's namespace has no quota, so that nothing holds back what is far beyond the Project's";
  return {
    part: 'quota',
    owner: 'quota',
    message,
    next: 'see the ResourceQuota "project" of the namespace, and who changed it',
  };
};

const wrongQuota: Rule = ({ quota: { hard, wanted } }) => {
  const [name] = Object.entries(wanted).find(([resource, value]) => hard && hard[resource] !== value) ?? [];
  if (!hard || name === undefined) return undefined;
  const message = `the quota of the canary's project is wrong: ${name} is ${hard[name] ?? 'not counted'}, and ${wanted[name] ?? ''} by its Project`;
  return {
    part: 'quota',
    owner: 'quota',
    message,
    next: 'see the ResourceQuota "project" of the namespace, and who changed it',
  };
};

const unended: Rule = ({ step, custom, natives, pods, leases }) => {
  if (step !== 'delete') return undefined;
  if (custom?.isEnding && custom.finalizers.length > 0)
    return platformCause(
      'controller',
      `the custom resource cannot end: ${custom.finalizers.join(', ')} holds it`,
      'see who keeps that finalizer',
    );
  const ending = pods.find((pod) => pod.isEnding && pod.node !== undefined);
  if (ending)
    return platformCause('nodes', `node ${ending.node ?? ''} does not end pod ${ending.name}`, 'see its kubelet');
  if (natives.length + pods.length === 0) return undefined;
  return platformCause(
    'controller-manager',
    `the garbage collector of the controller manager does not remove what belonged to a deleted object${leases.controllerManager === undefined ? '' : `; ${sinceWhen(leases.controllerManager)}`}`,
    'see kube-controller-manager on the masters, and its log',
  );
};

/** The first that says something is believed: what others lean on comes before them. */
const rules: readonly Rule[] = [
  slowEtcd,
  failedCall,
  unended,
  unseenResource,
  unrefused,
  refusedPods,
  unseenNative,
  unscheduled,
  waitingContainer,
  unstarted,
  wrongQuota,
  toldCause,
];

/** Names the broken part by what is seen right after a step failed. Pure. */
export function diagnose(facts: CanaryFacts): CanaryCause {
  for (const rule of rules) {
    const cause = rule(facts);
    if (cause) return cause;
  }
  const message = `waited in vain for ${facts.waitedFor ?? 'an answer'}; nothing that is known says why`;
  return platformCause('unknown', message, 'see the events of the namespace: "kubectl get events"');
}

const amounts = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .slice(0, 4)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || 'nothing';
