/** Inputs of the choice of the revision that a workload follows. */
export interface RevisionInput {
  /** Revision of its objects. @default - unknown */
  readonly recorded: string | undefined;
  /** Revision that a rollout in progress has released it to. @default - none */
  readonly released: string | undefined;
  /** Whether it has neither a status nor objects. */
  readonly isNew: boolean;
  /** Whether it is a run in progress, which keeps the revision that it started with. */
  readonly isRunning: boolean;
  /** Whether its spec changed, except for its number of replicas. */
  readonly isRedeployed: boolean;
  /** Whether it belongs to the canary, which tests the current revision before other workloads get it. */
  readonly isCanary: boolean;
  readonly current: string;
  /** Last revision that was rolled out. */
  readonly completed: string;
  /** Returns the revision of a workload that has none recorded, by the runtime profile of its pods. */
  readonly ofProfile: () => string | undefined;
  /** Returns whether the move to a revision changes none of its objects. */
  readonly isUnchangedAt: (revision: string) => boolean;
}

/**
 * Selects the revision that a workload follows: that which it has, unless a rollout has released it. New workloads get the last
 * revision that was rolled out. Neither a deployment during a rollout nor scaling moves a workload. Pure.
 */
export function selectRevision(input: RevisionInput): string {
  const { recorded, released, current, completed } = input;
  if (input.isCanary && !input.isRunning) return current;
  if (recorded === undefined) return released ?? (input.isNew ? undefined : input.ofProfile()) ?? completed;
  if (input.isRunning) return recorded;
  if (released !== undefined) return released;
  if (recorded === completed || current !== completed) return recorded;
  // The rollout of the completed revision has ended, so that only workloads that it did not change or could not move are behind.
  return input.isRedeployed || input.isUnchangedAt(completed) ? completed : recorded;
}
