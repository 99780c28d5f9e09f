import { type RolloutPolicy } from '../../api';
import { workloadNames } from './rollout-gate';
import { type RolloutWorkload, type Transit, type UnreadyWorkload, type WorkloadInMotion } from './rollout-workload';

/** Input of the choice of the next releases. */
export interface ReleaseInput {
  /** Workloads that may be released, in their order. */
  readonly open: readonly RolloutWorkload[];
  readonly transit: readonly Transit[];
  /** Workloads of other rollouts whose pods still change. @default - there are none */
  readonly inMotion?: readonly WorkloadInMotion[];
  /** All workloads of the rollout, by UID. */
  readonly byUid: ReadonlyMap<string, RolloutWorkload>;
  readonly budget: RolloutPolicy['budget'];
  /** Unready workloads that count, by tier. */
  readonly unreadyByTier: ReadonlyMap<string, readonly UnreadyWorkload[]>;
}

/** Returns the workloads to release now: as many as the budget permits, in their order. Pure. */
export function nextReleases({
  open,
  transit,
  inMotion = [],
  byUid,
  budget,
  unreadyByTier,
}: ReleaseInput): readonly RolloutWorkload[] {
  const chosen: RolloutWorkload[] = [];
  const inTransit = new Set(transit.map(({ uid }) => uid));
  const left = inMotion.filter(({ uid }) => !inTransit.has(uid));
  const moving = [...transit.flatMap(({ uid }) => byUid.get(uid) ?? []), ...left];
  const counted = new Set(left.map(({ uid }) => uid));
  const inProject = new Map<string, number>();
  for (const { project } of moving) inProject.set(project, (inProject.get(project) ?? 0) + 1);
  let pods = moving.reduce((sum, workload) => sum + workload.pods, 0);
  let count = transit.length + left.length;
  for (const workload of open) {
    const { project, tier } = workload;
    // Its pods change already.
    if (counted.has(workload.uid)) {
      chosen.push(workload);
      continue;
    }
    if (count >= budget.workloads) continue;
    if ((inProject.get(project) ?? 0) >= budget.workloadsPerProject) continue;
    // A workload above the limit would never move, so it moves alone.
    if (count > 0 && pods + workload.pods > budget.pods) continue;
    // The release of an unready one makes no other one unready.
    if (workload.isReady && isTierFull(tier, { budget, unreadyByTier })) continue;
    chosen.push(workload);
    count += 1;
    inProject.set(project, (inProject.get(project) ?? 0) + 1);
    pods += workload.pods;
  }
  return chosen;
}

/** Maximum number of workloads in the message of a tier. */
const maxHolding = 3;

type TierInput = Pick<ReleaseInput, 'budget' | 'unreadyByTier'>;

function isTierFull(tier: string, { budget, unreadyByTier }: TierInput): boolean {
  const limit = budget.unready[tier];
  return limit !== undefined && (unreadyByTier.get(tier) ?? []).length >= limit;
}

/** Returns which tiers have too many unready workloads for a release of those that wait, as text; undefined if none has. Pure. */
export function fullTiers(
  open: readonly Pick<RolloutWorkload, 'tier' | 'isReady'>[],
  input: TierInput,
): string | undefined {
  const ready = open.filter(({ isReady }) => isReady);
  const tiers = [...new Set(ready.map(({ tier }) => tier))].filter((tier) => isTierFull(tier, input)).sort();
  if (tiers.length === 0) return undefined;
  const counts = tiers.map((tier) => {
    const unready = input.unreadyByTier.get(tier) ?? [];
    return `tier ${tier} has ${unready.length} (limit ${input.budget.unready[tier]}): ${workloadNames(unready, maxHolding)}`;
  });
  return `no workload is released while too many of its tier are unready: ${counts.join(', ')}`;
}
