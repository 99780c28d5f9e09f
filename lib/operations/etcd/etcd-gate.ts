import { type EtcdHalt } from './plan-etcd';
import { type EtcdMember, type EtcdObserved } from './etcd-observed';
import { type EtcdPolicy } from './etcd-policy';

/** Why no step may be taken now: a member is ill, behind, or of another mind about who leads. Undefined where all is well. */
export function etcdGate({ members }: EtcdObserved, { lag }: EtcdPolicy): EtcdHalt | undefined {
  // Where one is gone the others may be without a leader for a while: it is the one to name.
  const all = members.filter(({ unhealthyReason }) => unhealthyReason !== undefined);
  const ill = all.find(({ version }) => version === '') ?? all[0];
  if (ill)
    return {
      reason: `member ${ill.name} is not healthy: ${ill.unhealthyReason}`,
      remedy: 'bring it back, or remove it from the cluster, then run the same again',
    };
  const newest = Math.max(0, ...members.map(({ committed }) => committed));
  const behind = members.find(({ applied }) => newest - applied > lag);
  if (behind)
    return {
      reason: `member ${behind.name} is ${newest - behind.applied} entries behind the others`,
      remedy: 'wait until it has caught up, then run the same again',
    };
  return leaderless(members);
}

function leaderless(members: readonly EtcdMember[]): EtcdHalt | undefined {
  const leaders = new Set(members.map(({ leader }) => leader));
  const [leader] = leaders;
  if (leaders.size === 1 && members.some(({ id }) => id === leader)) return undefined;
  return {
    reason: 'the members do not agree on a leader',
    remedy: 'wait for the election to end, then run the same again',
  };
}

/** Whether a compaction is still at work: what is in use falls from one look to the next. */
export const isSettling = (before: EtcdObserved, now: EtcdObserved): boolean =>
  now.members.some(({ id, inUse }) => inUse < (before.members.find((member) => member.id === id)?.inUse ?? 0));
