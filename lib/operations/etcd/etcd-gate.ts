import { type EtcdHalt } from './plan-etcd';
import { type EtcdMember, type EtcdObserved } from './etcd-observed';
import { type EtcdPolicy } from './etcd-policy';

/** Returns why no step is allowed now: a member is unhealthy or behind, or the members do not agree on a leader. */
export function etcdGate({ members }: EtcdObserved, { lag }: EtcdPolicy): EtcdHalt | undefined {
  // A lost member may leave its peers without a leader for a while, so it is reported first.
  const all = members.filter(({ unhealthyReason }) => unhealthyReason !== undefined);
  const unhealthy = all.find(({ version }) => version === '') ?? all[0];
  if (unhealthy)
    return {
      reason: `member ${unhealthy.name} is unhealthy: ${unhealthy.unhealthyReason}`,
      remedy: 'restore it, or remove it from the cluster, then rerun',
    };
  const newest = Math.max(0, ...members.map(({ committed }) => committed));
  const behind = members.find(({ applied }) => newest - applied > lag);
  if (behind)
    return {
      reason: `member ${behind.name} is ${newest - behind.applied} entries behind its peers`,
      remedy: 'wait until it has caught up, then rerun',
    };
  return leaderless(members);
}

function leaderless(members: readonly EtcdMember[]): EtcdHalt | undefined {
  const leaders = new Set(members.map(({ leader }) => leader));
  const [leader] = leaders;
  if (leaders.size === 1 && members.some(({ id }) => id === leader)) return undefined;
  return {
    reason: 'the members do not agree on a leader',
    remedy: 'wait for the election to end, then rerun',
  };
}

/** Returns whether a compaction is still running: the bytes in use are decreasing. */
export const isSettling = (before: EtcdObserved, now: EtcdObserved): boolean =>
  now.members.some(({ id, inUse }) => inUse < (before.members.find((member) => member.id === id)?.inUse ?? 0));
