import { bytesText } from '../../api';
import {
  type EtcdAlarm,
  type EtcdAlarmKind,
  type EtcdMember,
  type EtcdObserved,
  reclaimableBytes,
  isLeader,
} from './etcd-observed';
import { type EtcdPolicy } from './etcd-policy';

/** Goal of a run. */
export type EtcdGoal = 'compact' | 'defrag' | 'disarm' | 'recover';

/** Idempotent step of a plan. */
export type EtcdStep =
  | { readonly do: 'compact'; readonly member: string; readonly revision: number }
  | { readonly do: 'defrag'; readonly member: string; readonly size: number; readonly reclaims: number }
  | { readonly do: 'disarm'; readonly member: string; readonly kind: EtcdAlarmKind };

/** Reason why a run halts, and the remedy. */
export interface EtcdHalt {
  readonly reason: string;
  readonly remedy: string;
}

/** Remaining steps in order; planned again after each step. */
export interface EtcdPlan {
  readonly steps: readonly EtcdStep[];
  readonly halt?: EtcdHalt;
}

/** Progress of a run; a rerun does not need the progress of a killed run. */
export interface EtcdDone {
  /** Revision to compact to, fixed for the run while writes continue. */
  readonly revision: number;
  /** Defragmented members, which continued writes would soon make worth defragmenting again. */
  readonly defragmented: ReadonlySet<string>;
}

/**
 * Returns the revision to compact to: the newest for `recover`, otherwise the one that the API server would compact to
 * next.
 */
export function compactionTarget(
  goal: EtcdGoal,
  { revision, lastApiServerCompaction }: EtcdObserved,
  policy: EtcdPolicy,
): number {
  if (policy.revision !== undefined) return Math.min(policy.revision, revision);
  return goal === 'recover' ? revision : (lastApiServerCompaction ?? revision);
}

/** Plans the remaining steps of a goal. */
export function planEtcd(goal: EtcdGoal, observed: EtcdObserved, policy: EtcdPolicy, done: EtcdDone): EtcdPlan {
  const corrupt = observed.alarms.find(({ kind }) => kind === 'CORRUPT');
  if (corrupt && !(goal === 'disarm' && policy.corrupt)) return { steps: [], halt: corruptHalt(corrupt, observed) };
  switch (goal) {
    case 'compact':
      return { steps: compactionSteps(observed, done) };
    case 'defrag':
      return { steps: defragSteps(observed, done, (member) => isWorthwhile(member, policy)) };
    case 'disarm':
      return planDisarm(observed, policy);
    case 'recover':
      return planRecovery(observed, policy, done);
  }
}

function compactionSteps({ members, compacted }: EtcdObserved, { revision }: EtcdDone): readonly EtcdStep[] {
  const member = members.find(isLeader) ?? members[0];
  return member && revision > compacted ? [{ do: 'compact', member: member.id, revision }] : [];
}

/** Followers by name, then the leader, because defragmenting it stalls the cluster. */
function defragSteps(
  { members }: EtcdObserved,
  { defragmented }: EtcdDone,
  isSelected: (member: EtcdMember) => boolean,
): readonly EtcdStep[] {
  return inOrder(members)
    .filter((member) => isSelected(member) && !defragmented.has(member.id))
    .map((member) => ({ do: 'defrag', member: member.id, size: member.size, reclaims: reclaimableBytes(member) }));
}

const isWorthwhile = (member: EtcdMember, { minReclaim }: EtcdPolicy): boolean =>
  reclaimableBytes(member) > Math.max(minReclaim.bytes, minReclaim.share * member.size);

const inOrder = (members: readonly EtcdMember[]): readonly EtcdMember[] =>
  [...members].sort((a, b) => Number(isLeader(a)) - Number(isLeader(b)) || (a.name < b.name ? -1 : 1));

function planDisarm({ members, alarms }: EtcdObserved, policy: EtcdPolicy): EtcdPlan {
  const steps = alarms.map(({ member, kind }): EtcdStep => ({ do: 'disarm', member, kind }));
  const full = alarms.some(({ kind }) => kind === 'NOSPACE') && members.find((member) => isFull(member, policy));
  return full ? { steps, halt: fullHalt(full, policy) } : { steps };
}

const quotaOf = ({ quota }: EtcdMember, policy: EtcdPolicy): number => quota ?? policy.quota;
const isFull = (member: EtcdMember, policy: EtcdPolicy): boolean =>
  member.size > (1 - policy.minFree) * quotaOf(member, policy);

/** Frees space before it disarms alarms: the next write to a full member would raise the alarm again. */
function planRecovery(observed: EtcdObserved, policy: EtcdPolicy, done: EtcdDone): EtcdPlan {
  if (observed.alarms.length === 0) return { steps: [] };
  const compact = compactionSteps(observed, done);
  const { steps: disarm, halt } = planDisarm(observed, policy);
  if (compact.length > 0) {
    // How much compaction frees is unknown until it is done, so the plan contains all members.
    return { steps: [...compact, ...defragSteps(observed, done, () => true), ...disarm] };
  }
  // Pages that compaction freed count as used until the next write, which a full member rejects, so full members are included.
  const defrag = defragSteps(observed, done, (member) => isWorthwhile(member, policy) || isFull(member, policy));
  if (defrag.length > 0) return { steps: [...defrag, ...disarm] };
  return halt ? { steps: [], halt } : { steps: disarm };
}

function corruptHalt({ member }: EtcdAlarm, { members }: EtcdObserved): EtcdHalt {
  const name = members.find(({ id }) => id === member)?.name ?? member;
  return {
    reason: `member ${name} has the alarm CORRUPT: its data differs from that of its peers, and changes to it may be lost`,
    remedy:
      'replace that member with an empty one; if its data is known to be correct, disarm the alarm with "pinion etcd disarm --corrupt"',
  };
}

const fullHalt = (member: EtcdMember, policy: EtcdPolicy): EtcdHalt => ({
  reason: `member ${member.name} has ${bytesText(member.size)} of a quota of ${bytesText(quotaOf(member, policy))}, and nothing left to reclaim`,
  remedy:
    'run "pinion etcd analyze" on a snapshot to find the largest keys and delete them, or start all members with a larger --quota-backend-bytes; then rerun',
});
