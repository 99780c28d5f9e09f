import { type ValidationRule } from './validation-rule';

const path = ['runtime', 'rollout'];

/** Warns about restarts of all workloads at once, and about the deprecated field of a Platform where it does not count. */
export const immediateRollout: ValidationRule = {
  name: 'platform-immediate-rollout',
  cel: 'true',
  where: 'client',
  severity: 'warning',
  find: ({ runtime, rollouts }) => {
    const value = (runtime as { readonly rollout?: unknown } | undefined)?.rollout;
    if (value !== 'Immediate') return [];
    if (rollouts === undefined) return [{ path, value }];
    return [{ path, value, reason: 'does not count, because rollouts is set', remedy: 'remove it' }];
  },
  reason: 'restarts the pods of all workloads at once when the profile changes',
  remedy: 'set rollouts, such as {}, so that changes reach workloads in waves, and remove it',
  code: 'invalid-combination',
};
