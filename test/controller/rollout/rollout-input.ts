import { rolloutPolicy, type RolloutPolicy } from '../../../lib/api/fields/rollout-policy';
import { type RolloutInput } from '../../../lib/controller/rollout/decide-rollout';
import { type RolloutSpec, type RolloutWorkload } from '../../../lib/controller/rollout/rollout-workload';

/** Noon of a day, in milliseconds since 1970. */
export const start = Date.parse('2026-03-01T12:00:00Z');

/** Returns a ready workload that the rollout to `rev-b` has not released. */
export const waiting = (uid: string, more: Partial<RolloutWorkload> = {}): RolloutWorkload => ({
  ...{ uid, key: `PinterestService/shop/${uid}`, kind: 'PinterestService', project: 'shop', tier: 'batch', labels: {} },
  ...{ perNode: false, pods: 1, target: 'rev-b', isMoved: false, isSettled: false, isReady: true },
  ...more,
});

/** Returns a workload that is ready at `rev-b`. */
export const moved = (uid: string, more: Partial<RolloutWorkload> = {}): RolloutWorkload =>
  waiting(uid, { isMoved: true, isSettled: true, ...more });

/** Returns a policy with defaults. */
export const policyOf = (fields: Parameters<ReturnType<typeof rolloutPolicy>['parse']>[0] = {}): RolloutPolicy =>
  rolloutPolicy().parse(fields);

/** Returns the spec of a rollout to `rev-b`. */
export const specOf = (policy: RolloutPolicy = policyOf(), more: Partial<RolloutSpec> = {}): RolloutSpec => ({
  ...{ revision: 'rev-b', policy, paused: false, aborted: false, rollback: false },
  ...more,
});

/** Returns the input of a first decision that nothing holds. */
export const inputOf = (
  workloads: readonly RolloutWorkload[],
  more: Partial<Omit<RolloutInput, 'workloads'>> = {},
): RolloutInput => ({
  ...{ spec: specOf(), generation: 1, previous: undefined, workloads, now: start },
  conditions: { isSuperseded: false },
  ...more,
});
