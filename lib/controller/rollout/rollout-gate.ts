import { type RolloutPolicy } from '../../api';
import { type WaveMember } from '../../expand';
import { type RolloutWorkload, type Transit } from './rollout-workload';

/** Input of the gate of a rollout. */
export interface GateInput {
  /** Workloads that were ready at the start; others stop nothing. */
  readonly counted: readonly RolloutWorkload[];
  readonly transit: readonly Transit[];
  readonly policy: Pick<RolloutPolicy, 'maxFailures' | 'stalledAfter'>;
  /** `stalledAfter` in milliseconds. */
  readonly stalledAfter: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What the health of the workloads says: `pause` ends by itself, `fail` is final. */
export interface GateVerdict {
  readonly verdict: 'pass' | 'pause' | 'fail';
  readonly reason?: 'WorkloadsFail' | 'UnrelatedFailures' | 'ClusterUnhealthy' | 'Stalled';
  readonly message?: string;
  /** Workloads that fail after their release. */
  readonly failed: readonly RolloutWorkload[];
}

/** Share of the workloads that were not released and have become unready from which the cluster is taken to be ill. */
const illShare = 0.1;
/** Number of them from which one application that fails for itself is ruled out. */
const illCount = 2;

/** Returns the number of workloads, where no project counts for more than all others: one tenant cannot stop a rollout. */
function countAcrossProjects(workloads: readonly RolloutWorkload[], all: readonly RolloutWorkload[]): number {
  if (new Set(all.map(({ project }) => project)).size <= 1) return workloads.length;
  const byProject = new Map<string, number>();
  for (const { project } of workloads) byProject.set(project, (byProject.get(project) ?? 0) + 1);
  const most = Math.max(0, ...byProject.values());
  const others = workloads.length - most;
  return others + Math.min(most, others);
}

/**
 * Judges the health of the workloads of a rollout. Failures stop it only if workloads that were not released do not fail likewise:
 * if both do, another cause is likely, and the rollout pauses. Pure.
 */
export function judgeHealth({ counted, transit, policy, stalledAfter, now }: GateInput): GateVerdict {
  const inTransit = new Set(transit.map(({ uid }) => uid));
  const released = counted.filter(({ uid, isMoved }) => isMoved || inTransit.has(uid));
  const peers = counted.filter(({ uid, isMoved }) => !isMoved && !inTransit.has(uid));
  const failed = released.filter(({ failure }) => failure !== undefined);
  const unready = peers.filter(({ isReady }) => !isReady);
  const peerShare = peers.length === 0 ? 0 : unready.length / peers.length;
  if (failed.length > policy.maxFailures) {
    const isUnrelated = unready.length > 0 && peerShare >= failed.length / released.length / 2;
    const message = `${failed.map(({ key, failure }) => `${key}: ${failure}`).join('; ')}`;
    if (!isUnrelated) return { verdict: 'fail', reason: 'WorkloadsFail', message, failed };
    const others = `${unready.length} of ${peers.length} workloads that were not released are unready, too, so the cause may be another one`;
    return { verdict: 'pause', reason: 'UnrelatedFailures', message: `${others}; ${message}`, failed };
  }
  // At the end few peers are left, and those that wait for their release last are unready.
  const ill = countAcrossProjects(unready, counted);
  if (ill >= illCount && ill / counted.length > illShare) {
    const message = `${unready.length} of ${peers.length} workloads that were not released have become unready: ${workloadNames(unready)}`;
    return { verdict: 'pause', reason: 'ClusterUnhealthy', message, failed };
  }
  const uids = new Set(counted.map(({ uid }) => uid));
  const stalled = transit.filter(({ uid, since }) => uids.has(uid) && now - Date.parse(since) > stalledAfter);
  if (stalled.length > 0) {
    const message = `not ready ${policy.stalledAfter} after their release: ${stalled.map(({ workload }) => workload).join(', ')}`;
    return { verdict: 'pause', reason: 'Stalled', message, failed };
  }
  return { verdict: 'pass', failed };
}

/**
 * Returns whether the workloads of a wave are healthy: in a large cluster some are always unready by themselves. As many may be as may
 * fail, or twice the share of those that were not released or were not ready at the start. Pure.
 */
export function isHealthyWave(
  released: readonly Judged[],
  all: readonly Judged[],
  { maxFailures }: Pick<RolloutPolicy, 'maxFailures'>,
): boolean {
  const counted = released.filter(({ wasUnready, blocked }) => !wasUnready && blocked === undefined);
  const unready = counted.filter(({ isReady }) => !isReady).length;
  if (unready <= maxFailures) return true;
  const peers = all.filter(({ wasUnready, isMoved }) => !wasUnready && !isMoved);
  const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
  const ofPeers = shareOf(peers.filter(({ isReady }) => !isReady).length, peers.length);
  const atStart = shareOf(all.filter(({ wasUnready }) => wasUnready).length, all.length);
  return unready <= Math.floor(2 * Math.max(ofPeers, atStart) * counted.length);
}

/** A workload whose health before the rollout is known. */
type Judged = RolloutWorkload & Pick<WaveMember, 'wasUnready'>;

/** Maximum number of workloads in a message. */
const maxNamed = 5;

/** Returns the names of the first workloads, and how many more there are. */
export const workloadNames = (workloads: readonly Pick<RolloutWorkload, 'key'>[], most = maxNamed): string =>
  [
    ...workloads.slice(0, most).map(({ key }) => key),
    ...(workloads.length > most ? [`${workloads.length - most} more`] : []),
  ].join(', ');
