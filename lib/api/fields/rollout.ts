import * as z from 'zod';
import { duration, integer } from '../schema/field';
import { leaf, withRules } from '../schema/field-facts';
import { millisOf } from '../rules/workload-rules';

/** A count, or a percentage such as `25%`. */
export const countOrPercent = (): z.ZodType<number | string, number | string> =>
  leaf<number | string>(
    'CountOrPercent',
    () => ({
      'x-kubernetes-int-or-string': true,
      minimum: 0,
      maximum: 2147483647,
      pattern: '^(100|[0-9]{1,2})%$',
    }),
    (value, report) => {
      if (value === undefined) return;
      const fits =
        typeof value === 'number'
          ? Number.isInteger(value) && value >= 0 && value <= 2147483647
          : typeof value === 'string' && /^(100|[0-9]{1,2})%$/.test(value);
      if (!fits)
        report({
          code: typeof value === 'number' ? 'out-of-range' : typeof value === 'string' ? 'bad-format' : 'wrong-type',
          path: [],
          value,
          reason: 'is neither a count nor a percentage',
          remedy: 'write a whole number, such as 1, or a percentage up to "100%"',
        });
    },
  );

const isNone = (value: unknown): boolean => value === 0 || value === '0%' || value === '00%';

/** How a Deployment replaces its pods. */
export const rollout = () =>
  withRules(
    z.strictObject({
      strategy: z
        .enum(['RollingUpdate', 'Recreate'])
        .default('RollingUpdate')
        .describe('Whether old and new pods run side by side, or old ones end first.'),
      maxSurge: countOrPercent().default('25%').describe('Pods above the wanted number during a rollout.'),
      maxUnavailable: countOrPercent().default(0).describe('Pods below the wanted number during a rollout.'),
      minReady: duration().default('0s').describe('How long a new pod must be ready before it counts.'),
      progressDeadline: duration()
        .default('10m')
        .describe('How long a rollout may make no progress before it is called failed.'),
      revisionHistoryLimit: integer(0, 100).default(5).describe('Old versions to keep for a roll back.'),
      paused: z.boolean().default(false).describe('Whether changes wait.'),
    }),
    [
      {
        name: 'rollout-progress',
        cel: '!(self.maxSurge in [dyn(0), dyn("0%"), dyn("00%")]) || !(self.maxUnavailable in [dyn(0), dyn("0%"), dyn("00%")])',
        holds: ({ maxSurge, maxUnavailable }) => !isNone(maxSurge) || !isNone(maxUnavailable),
        reason: 'allows neither a pod more nor a pod less, so that it could never begin',
        remedy: 'raise maxSurge or maxUnavailable',
        code: 'invalid-combination',
      },
      {
        name: 'rollout-deadline',
        cel: 'true',
        where: 'client',
        find: (self) => (millisOf(self['progressDeadline']) > millisOf(self['minReady']) ? [] : [['progressDeadline']]),
        reason: 'is not longer than minReady, so that every rollout would be called failed',
        remedy: 'set progressDeadline longer than minReady',
        code: 'invalid-combination',
      },
    ],
  );

/** How many pods a voluntary disruption, such as a drain, must leave. */
export const disruption = (fallback = '1 where neither is given, and 25% from eight replicas on') =>
  withRules(
    z.strictObject({
      minAvailable: countOrPercent().optional().describe('Pods that must stay.'),
      maxUnavailable: countOrPercent().optional().describe(`Pods that may go; ${fallback}.`),
      unhealthyPodEvictionPolicy: z
        .enum(['IfHealthyBudget', 'AlwaysAllow'])
        .default('AlwaysAllow')
        .describe('Whether pods that are not ready may always be evicted.'),
      enabled: z.boolean().default(true).describe('Whether there is a budget at all.'),
    }),
    [
      {
        name: 'disruption-budget',
        cel: '!has(self.minAvailable) || !has(self.maxUnavailable)',
        fieldPath: ['maxUnavailable'],
        reason: 'goes against minAvailable',
        remedy: 'give one of the two',
        code: 'invalid-combination',
      },
    ],
  );
