import { podBehavior, crashLimit, notReadyNode } from './pod-behavior';
import { type PodMoment, podStatusTemplate } from './pod-status-template';

/**
 * Returns the configuration of kwok, which defines how nodes, pods and claims behave.
 * The default stages of kwok would complete Jobs in a second, report any pod as Ready, and support neither crashes nor sidecars
 * that exit.
 */
export function simulationDocuments(): readonly object[] {
  const options = { podPlayStageParallelism: 16, nodePlayStageParallelism: 8, podsOnNodeSyncParallelism: 16 };
  const configuration = { apiVersion: 'config.kwok.x-k8s.io/v1alpha1', kind: 'KwokConfiguration', options };
  return [configuration, ...podStages, ...nodeStages, claimStage];
}

/** Variables for the conditions of pods; containers that the pod does not have are ignored. */
const podVariables = `
  (.metadata.annotations // {}) as $a
  | [(.spec.containers, .spec.initContainers // [])[].name] as $names
  | ($a["${podBehavior.imagePull}"] | select(. as $n | any($names[]; . == $n)) // "") as $pull
  | ($a["${podBehavior.crashLoop}"] | select(. as $n | any($names[]; . == $n)) // "") as $crash
  | ($a["${podBehavior.readyAfter}"] // "") as $readyAfter
  | ($a["${podBehavior.exitAfter}"] // (if .spec.restartPolicy == "Always" then "never" else "1s" end)) as $exitAfter
  | (.status.phase == "Pending" or .status.phase == "Running") as $alive
  | [.status.containerStatuses // [], .status.initContainerStatuses // [] | .[]] as $all
  | any($all[]; .name == $pull and .state.waiting.reason == "ImagePullBackOff") as $pulling
  | ([$all[] | select(.name == $crash and .state.waiting.reason == "CrashLoopBackOff")][0]) as $crashing
  | (.status.podIP != null and all($all[]; .state.waiting == null)) as $runs
  | all(.status.containerStatuses // [] | .[]; .ready) as $ready
  | .metadata.deletionTimestamp as $deleted
  | `;

interface PodStage {
  readonly name: string;
  /** jq expression over the variables above; at most one stage matches at a time. */
  readonly condition: string;
  /** jq expression that returns a duration. @default - at once */
  readonly delay?: string;
  readonly moment?: PodMoment;
  readonly event?: { readonly type: string; readonly reason: string; readonly message: string };
}

const backOff = { type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container' };
const pullFailed = { type: 'Warning', reason: 'Failed', message: 'Error: ImagePullBackOff' };
const alive = '$deleted == null and $alive';
const healthy = `${alive} and $pull == "" and $crash == ""`;
const deleteAfter = `.metadata.annotations["${podBehavior.deleteAfter}"] // "0s"`;

const podStages = (
  [
    {
      name: 'image-does-not-pull',
      condition: `${alive} and $pull != "" and ($pulling | not)`,
      moment: {},
      event: pullFailed,
    },
    {
      name: 'crash',
      condition: `${alive} and $pull == "" and $crash != "" and $crashing == null`,
      moment: {},
      event: backOff,
    },
    {
      name: 'crash-again',
      condition: `${alive} and $pull == "" and $crashing != null and $crashing.restartCount < ${crashLimit}`,
      delay: '"3s"',
      moment: { crash: true },
      event: backOff,
    },
    { name: 'start', condition: `${healthy} and ($runs | not)`, moment: {} },
    {
      name: 'ready',
      condition: `${healthy} and $runs and ($ready | not) and $readyAfter != "never"`,
      delay: `.metadata.annotations["${podBehavior.readyAfter}"] // "0s"`,
      moment: { ready: true },
    },
    {
      name: 'unready',
      condition: `${healthy} and $runs and $ready and $readyAfter == "never"`,
      moment: { ready: false },
    },
    {
      name: 'exit',
      condition: `${healthy} and $runs and ($ready or $readyAfter == "never") and $exitAfter != "never"`,
      delay: `.metadata.annotations["${podBehavior.exitAfter}"] // "1s"`,
      moment: { end: 'exit', ready: true },
    },
    // A pod with a finalizer (which its Job counts first) exits before it is deleted; other pods are deleted at once.
    {
      name: 'end',
      condition: '$deleted != null and $alive and .metadata.finalizers != null',
      delay: deleteAfter,
      moment: { end: 'delete' },
    },
    {
      name: 'delete',
      condition: '$deleted != null and (.metadata.finalizers == null or ($alive | not))',
      delay: `if .metadata.finalizers == null then ${deleteAfter} else "0s" end`,
    },
  ] satisfies readonly PodStage[]
).map(podStage);

function podStage({ name, condition, delay, moment, event }: PodStage): object {
  const next = moment
    ? { patches: [statusPatch(podStatusTemplate(moment))], ...(event && { event }) }
    : { delete: true };
  return stage(`pod-${name}`, { apiGroup: 'v1', kind: 'Pod' }, podVariables + `(${condition})`, next, delay);
}

const nodeTemplate = (isReady: boolean): string => `
{{ $now := Now }}
conditions:
- type: Ready
  status: "${isReady ? 'True' : 'False'}"
  reason: ${isReady ? 'KubeletReady' : 'KubeletNotReady'}
  message: ${isReady ? 'kubelet is posting ready status' : 'made unready by the test'}
  lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ $now | Quote }}
`;

const nodeStages = [true, false].map((isReady) =>
  stage(
    isReady ? 'node-ready' : 'node-not-ready',
    { apiGroup: 'v1', kind: 'Node' },
    `(.metadata.annotations["${notReadyNode}"] == null) == ${isReady}
     and ([.status.conditions // [] | .[] | select(.type == "Ready") | .status == "True"][0] // false) != ${isReady}`,
    { patches: [statusPatch(nodeTemplate(isReady))] },
  ),
);

/** The provisioner of the controller manager cannot expand a volume; this stage does. */
const claimStage = stage(
  'claim-expand',
  { apiGroup: 'v1', kind: 'PersistentVolumeClaim' },
  `.status.phase == "Bound" and .metadata.deletionTimestamp == null
   and .status.capacity.storage != .spec.resources.requests.storage`,
  { patches: [statusPatch('capacity: {storage: {{ .spec.resources.requests.storage | Quote }}}', 'merge')] },
);

function statusPatch(template: string, type?: string): object {
  return { subresource: 'status', root: 'status', template, ...(type && { type }) };
}

function stage(name: string, resourceRef: object, condition: string, next: object, delay?: string): object {
  return {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name },
    spec: {
      resourceRef,
      selector: { matchExpressions: [{ key: condition, operator: 'In', values: ['true'] }] },
      ...(delay && { delay: { durationFrom: { expressionFrom: delay } } }),
      next,
    },
  };
}
