import { conditionOf } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type Child, type Observed } from '../observed/child';
import { fieldsOf, statusNumber, statusString } from '../observed/child-status';
import { type PodFacts } from '../observed/pod-facts';

/**
 * Returns the pods that represent the current state of a workload: of its newest revision, and not terminating.
 *
 * Failures of older pods disappear with those pods. Returns none if the newest revision has no pod yet.
 */
export function newestPods(
  desired: readonly KubernetesObject[],
  observed: Observed,
  pods: readonly PodFacts[],
): readonly PodFacts[] {
  const activePods = pods.filter(({ deleting }) => !deleting);
  const deployments = desired.filter(({ kind }) => kind === 'Deployment');
  const youngestByOwnerUid = youngestByOwner(activePods);
  return activePods.filter((pod) => {
    const { controller } = pod;
    if (!controller) return false;
    if (controller.kind === 'ReplicaSet')
      return deployments.some((object) => isFromNewestReplicaSet(object, observed, pod, youngestByOwnerUid));
    // The Jobs of a cron job have no status of their own.
    const child = observed.child(controller.kind, controller.name);
    if (!child) return controller.kind === 'Job';
    if (child.uid !== controller.uid) return false;
    const object = desired.find(({ kind, metadata }) => kind === child.kind && metadata.name === child.name);
    if (child.kind === 'StatefulSet') return isNewestStatefulSetPod(object, child, pod);
    return child.kind !== 'DaemonSet' || isNewestDaemonSetPod(child, pod, youngestByOwnerUid);
  });
}

function isFromNewestReplicaSet(
  { metadata }: KubernetesObject,
  observed: Observed,
  pod: PodFacts,
  youngestByOwnerUid: ReadonlyMap<string, PodFacts>,
): boolean {
  const name = pod.controller?.name ?? '';
  const child = observed.child('Deployment', metadata.name);
  if (!child || !isReplicaSetOf(metadata.name, name)) return false;
  if (statusNumber(child.status, 'observedGeneration') < child.generation) return false;
  const newest = newestReplicaSet(child);
  if (newest !== undefined) return name === newest;
  const candidates = [...youngestByOwnerUid.values()].filter(({ controller }) =>
    isReplicaSetOf(metadata.name, controller?.name ?? ''),
  );
  return (
    name ===
    candidates.reduce((youngestPod, candidate) => (isYounger(candidate, youngestPod) ? candidate : youngestPod))
      .controller?.name
  );
}

/** Returns whether a ReplicaSet has a name of a Deployment's: a hash follows it, which has no dash. */
const isReplicaSetOf = (deployment: string, name: string): boolean =>
  name.slice(0, name.lastIndexOf('-')) === deployment;

/** Returns the newest ReplicaSet, which the Deployment controller names in its Progressing condition. */
export function newestReplicaSet({ status }: Child): string | undefined {
  const message = conditionOf(status, 'Progressing')?.message ?? '';
  return /[Rr]eplica ?[Ss]et "([^"]+)"/.exec(message)?.[1];
}

function isNewestStatefulSetPod(
  object: KubernetesObject | undefined,
  { status }: Child,
  { revision }: PodFacts,
): boolean {
  const strategy = fieldsOf(object, 'spec', 'updateStrategy');
  // Pods that intentionally stay at an older revision count as well.
  if (strategy['type'] === 'OnDelete' || statusNumber(fieldsOf(strategy, 'rollingUpdate'), 'partition') > 0)
    return true;
  const newest = statusString(status, 'updateRevision');
  return newest === undefined || revision === undefined || revision === newest;
}

/** Returns whether a pod of a DaemonSet is of the newest revision; new pods always are. */
function isNewestDaemonSetPod(
  { status, uid }: Child,
  { revision }: PodFacts,
  youngestByOwnerUid: ReadonlyMap<string, PodFacts>,
): boolean {
  return statusNumber(status, 'updatedNumberScheduled') > 0 && revision === youngestByOwnerUid.get(uid)?.revision;
}

/** Returns the youngest pod of each owner, by the owner's UID. */
function youngestByOwner(pods: readonly PodFacts[]): ReadonlyMap<string, PodFacts> {
  const youngest = new Map<string, PodFacts>();
  for (const pod of pods) {
    const youngestPod = pod.controller && youngest.get(pod.controller.uid);
    if (pod.controller && (!youngestPod || isYounger(pod, youngestPod))) youngest.set(pod.controller.uid, pod);
  }
  return youngest;
}

/**
 * Compares the ages of pods. Creation times are in whole seconds, so the name decides between equal ones, to keep the
 * order stable.
 */
function isYounger(podA: PodFacts, podB: PodFacts): boolean {
  return podA.created === podB.created ? podA.name > podB.name : podA.created > podB.created;
}
