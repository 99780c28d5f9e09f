import { conditionOf } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type Child, type Observed } from '../observed/child';
import { fieldsOf, statusNumber, statusString } from '../observed/child-status';
import { type PodFacts } from '../observed/pod-facts';

/**
 * Returns the pods that represent the current state of a workload: of its newest revision, and not terminating.
 *
 * Failures of older pods end with them. If the newest revision has no pod yet, there are none.
 */
export function newestPods(
  desired: readonly KubernetesObject[],
  observed: Observed,
  pods: readonly PodFacts[],
): readonly PodFacts[] {
  const staying = pods.filter(({ deleting }) => !deleting);
  const deployments = desired.filter(({ kind }) => kind === 'Deployment');
  const youngestOf = youngestByOwner(staying);
  return staying.filter((pod) => {
    const { controller } = pod;
    if (!controller) return false;
    if (controller.kind === 'ReplicaSet')
      return deployments.some((object) => isNewestOf(object, observed, pod, youngestOf));
    // The Jobs of a cron job have no status of their own.
    const child = observed.child(controller.kind, controller.name);
    if (!child) return controller.kind === 'Job';
    if (child.uid !== controller.uid) return false;
    const object = desired.find(({ kind, metadata }) => kind === child.kind && metadata.name === child.name);
    if (child.kind === 'StatefulSet') return isNewestMember(object, child, pod);
    return child.kind !== 'DaemonSet' || isNewestDaemon(child, pod, youngestOf);
  });
}

function isNewestOf(
  { metadata }: KubernetesObject,
  observed: Observed,
  pod: PodFacts,
  youngestOf: ReadonlyMap<string, PodFacts>,
): boolean {
  const name = pod.controller?.name ?? '';
  const child = observed.child('Deployment', metadata.name);
  if (!child || !name.startsWith(`${metadata.name}-`)) return false;
  if (statusNumber(child.status, 'observedGeneration') < child.generation) return false;
  const newest = newestReplicaSet(child);
  if (newest !== undefined) return name === newest;
  const sets = [...youngestOf.values()].filter(({ controller }) => controller?.name.startsWith(`${metadata.name}-`));
  return name === sets.reduce((last, one) => (isYounger(one, last) ? one : last)).controller?.name;
}

/** Returns the ReplicaSet of the newest version, which the Deployment controller names when it reports progress. */
export function newestReplicaSet({ status }: Child): string | undefined {
  const message = conditionOf(status, 'Progressing')?.message ?? '';
  return /[Rr]eplica ?[Ss]et "([^"]+)"/.exec(message)?.[1];
}

function isNewestMember(object: KubernetesObject | undefined, { status }: Child, { revision }: PodFacts): boolean {
  const strategy = fieldsOf(object, 'spec', 'updateStrategy');
  // Members that stay at an older revision on purpose count as well.
  if (strategy['type'] === 'OnDelete' || statusNumber(fieldsOf(strategy, 'rollingUpdate'), 'partition') > 0)
    return true;
  const newest = statusString(status, 'updateRevision');
  return newest === undefined || revision === undefined || revision === newest;
}

/** Returns whether a pod of a DaemonSet is of the newest revision; new pods always are. */
function isNewestDaemon(
  { status, uid }: Child,
  { revision }: PodFacts,
  youngestOf: ReadonlyMap<string, PodFacts>,
): boolean {
  return statusNumber(status, 'updatedNumberScheduled') > 0 && revision === youngestOf.get(uid)?.revision;
}

/** Returns the youngest pod of each owner, by the owner's UID. */
function youngestByOwner(pods: readonly PodFacts[]): ReadonlyMap<string, PodFacts> {
  const youngest = new Map<string, PodFacts>();
  for (const pod of pods) {
    const last = pod.controller && youngest.get(pod.controller.uid);
    if (pod.controller && (!last || isYounger(pod, last))) youngest.set(pod.controller.uid, pod);
  }
  return youngest;
}

/**
 * Compares the ages of pods. Creation times are in whole seconds, so the name decides between equal ones, to keep the
 * order stable.
 */
function isYounger(one: PodFacts, other: PodFacts): boolean {
  return one.created === other.created ? one.name > other.name : one.created > other.created;
}
