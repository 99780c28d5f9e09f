import { bytesText } from '../../api';
import {
  type EtcdAlarm,
  type EtcdAlarmKind,
  type EtcdMember,
  type EtcdObserved,
  givesBack,
  isLeader,
} from './etcd-observed';
import { type EtcdPolicy } from './etcd-policy';

/** What somebody wants of an etcd. */
export type EtcdGoal = 'compact' | 'defrag' | 'disarm' | 'recover';

/** One act. Each may be done twice without harm. */
export type EtcdStep =
  | { readonly do: 'compact'; readonly member: string; readonly revision: number }
  | { readonly do: 'defrag'; readonly member: string; readonly size: number; readonly gives: number }
  | { readonly do: 'disarm'; readonly member: string; readonly kind: EtcdAlarmKind };

/** Why it does not go on, and what to do about it. */
export interface EtcdHalt {
  readonly reason: string;
  readonly remedy: string;
}

/** What is left to do, in its order; the next plan is made from what came of the first step. */
export interface EtcdPlan {
  readonly steps: readonly EtcdStep[];
  readonly halt?: EtcdHalt;
}

/** What a run has done already; of a process that was killed nothing needs to be known. */
export interface EtcdDone {
  /** Revision to compact to: it stands still while writes go on. */
  readonly revision: number;
  /** Members that were defragmented: writes go on there, and soon leave something to give back again. */
  readonly defragmented: ReadonlySet<string>;
}

/** Revision that a goal compacts to: with an alarm the newest, else what the API server would compact to by itself next. */
export function compactionTarget(goal: EtcdGoal, { revision, noted }: EtcdObserved, policy: EtcdPolicy): number {
  if (policy.revision !== undefined) return Math.min(policy.revision, revision);
  return goal === 'recover' ? revision : (noted ?? revision);
}

/** Plans what is left to do for a goal. */
export function planEtcd(goal: EtcdGoal, observed: EtcdObserved, policy: EtcdPolicy, done: EtcdDone): EtcdPlan {
  const corrupt = observed.alarms.find(({ kind }) => kind === 'CORRUPT');
  if (corrupt && !(goal === 'disarm' && policy.corrupt)) return { steps: [], halt: corruption(corrupt, observed) };
  switch (goal) {
    case 'compact':
      return { steps: compaction(observed, done) };
    case 'defrag':
      return { steps: defragmentation(observed, done, (member) => isWorth(member, policy)) };
    case 'disarm':
      return disarming(observed, policy);
    case 'recover':
      return recovery(observed, policy, done);
  }
}

function compaction({ members, compacted }: EtcdObserved, { revision }: EtcdDone): readonly EtcdStep[] {
  const member = members.find(isLeader) ?? members[0];
  return member && revision > compacted ? [{ do: 'compact', member: member.id, revision }] : [];
}

/** Followers by name, then the leader: its members wait for it while it is at work. */
function defragmentation(
  { members }: EtcdObserved,
  { defragmented }: EtcdDone,
  isMeant: (member: EtcdMember) => boolean,
): readonly EtcdStep[] {
  return inOrder(members)
    .filter((member) => isMeant(member) && !defragmented.has(member.id))
    .map((member) => ({ do: 'defrag', member: member.id, size: member.size, gives: givesBack(member) }));
}

const isWorth = (member: EtcdMember, { worth }: EtcdPolicy): boolean =>
  givesBack(member) > Math.max(worth.bytes, worth.share * member.size);

const inOrder = (members: readonly EtcdMember[]): readonly EtcdMember[] =>
  [...members].sort((a, b) => Number(isLeader(a)) - Number(isLeader(b)) || (a.name < b.name ? -1 : 1));

function disarming({ members, alarms }: EtcdObserved, policy: EtcdPolicy): EtcdPlan {
  const steps = alarms.map(({ member, kind }): EtcdStep => ({ do: 'disarm', member, kind }));
  const full = alarms.some(({ kind }) => kind === 'NOSPACE') && members.find((member) => isFull(member, policy));
  return full ? { steps, halt: fullness(full, policy) } : { steps };
}

const quotaOf = ({ quota }: EtcdMember, policy: EtcdPolicy): number => quota ?? policy.quota;
const isFull = (member: EtcdMember, policy: EtcdPolicy): boolean =>
  member.size > (1 - policy.room) * quotaOf(member, policy);

/** Nothing is left to recover without an alarm; with one, room comes first: a disarmed etcd that is full is alarmed again by the next write. */
function recovery(observed: EtcdObserved, policy: EtcdPolicy, done: EtcdDone): EtcdPlan {
  if (observed.alarms.length === 0) return { steps: [] };
  const compact = compaction(observed, done);
  const { steps: disarm, halt } = disarming(observed, policy);
  if (compact.length > 0) {
    // What compaction frees is seen once it is done: until then all members stand in the plan.
    return { steps: [...compact, ...defragmentation(observed, done, () => true), ...disarm] };
  }
  // Pages that compaction freed count as used until something is written, and that is refused: a full member is meant too.
  const defrag = defragmentation(observed, done, (member) => isWorth(member, policy) || isFull(member, policy));
  if (defrag.length > 0) return { steps: [...defrag, ...disarm] };
  return halt ? { steps: [], halt } : { steps: disarm };
}

function corruption({ member }: EtcdAlarm, { members }: EtcdObserved): EtcdHalt {
  const name = members.find(({ id }) => id === member)?.name ?? member;
  return {
    reason: `member ${name} has the alarm CORRUPT: its contents differ from those of the others, and what is done to it may be lost`,
    remedy:
      'replace that member by an empty one; "pinion etcd disarm --corrupt" takes the alarm back once the contents are known to be right',
  };
}

const fullness = (member: EtcdMember, policy: EtcdPolicy): EtcdHalt => ({
  reason: `member ${member.name} has ${bytesText(member.size)} of a quota of ${bytesText(quotaOf(member, policy))}, and nothing more to give back`,
  remedy:
    'see "pinion etcd analyze" of a snapshot for what takes the room; delete that, or start all members with a larger --quota-backend-bytes; then run the same again',
});
