import * as z from 'zod';
import { duration, integer } from '../schema/field';
import { leaf, withRules } from '../schema/field-facts';
import { millisOf } from '../rules/workload-rules';

/** Returns the schema of a count, or a percentage such as `25%`. */
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
          reason: 'must be a count or a percentage',
          remedy: 'write a whole number, such as 1, or a percentage up to "100%"',
        });
    },
  );

const isNone = (value: unknown): boolean => value === 0 || value === '0%' || value === '00%';

/** Returns the schema of `rollout` of a Deployment. */
export const rollout = () =>
  withRules(
    z.strictObject({
      strategy: z
        .enum(['RollingUpdate', 'Recreate'])
        .default('RollingUpdate')
        .describe(
          'Replacement strategy: RollingUpdate overlaps old and new pods, Recreate terminates the old ones first.',
        ),
      maxSurge: countOrPercent()
        .default('25%')
        .describe('Maximum number of pods above `replicas` during a rollout, absolute or in percent.'),
      maxUnavailable: countOrPercent()
        .default(0)
        .describe('Maximum number of unavailable pods during a rollout, absolute or in percent.'),
      minReady: duration().default('0s').describe('Time that a new pod must be ready before it counts as available.'),
      progressDeadline: duration()
        .default('10m')
        .describe('Time without progress after which a rollout counts as failed.'),
      revisionHistoryLimit: integer(0, 100).default(5).describe('Number of old revisions to keep for rollbacks.'),
      paused: z.boolean().default(false).describe('Whether to pause rollouts.'),
    }),
    [
      {
        name: 'rollout-progress',
        cel: '!(self.maxSurge in [dyn(0), dyn("0%"), dyn("00%")]) || !(self.maxUnavailable in [dyn(0), dyn("0%"), dyn("00%")])',
        holds: ({ maxSurge, maxUnavailable }) => !isNone(maxSurge) || !isNone(maxUnavailable),
        reason: 'must not set both maxSurge and maxUnavailable to 0, or rollouts cannot progress',
        remedy: 'raise maxSurge or maxUnavailable',
        code: 'invalid-combination',
      },
      {
        name: 'rollout-deadline',
        cel: 'true',
        where: 'client',
        find: (self) => (millisOf(self['progressDeadline']) > millisOf(self['minReady']) ? [] : [['progressDeadline']]),
        reason: 'must be longer than minReady, or every rollout fails',
        remedy: 'set progressDeadline longer than minReady',
        code: 'invalid-combination',
      },
    ],
  );

/** Returns the schema of the budget for voluntary disruptions, such as drains. */
export const disruption = (fallback = '1, or to 25% from eight replicas on') =>
  withRules(
    z.strictObject({
      minAvailable: countOrPercent().optional().describe('Minimum number of available pods, absolute or in percent.'),
      maxUnavailable: countOrPercent()
        .optional()
        .describe(`Maximum number of unavailable pods, absolute or in percent. Defaults to ${fallback}.`),
      unhealthyPodEvictionPolicy: z
        .enum(['IfHealthyBudget', 'AlwaysAllow'])
        .default('AlwaysAllow')
        .describe('Eviction of unhealthy pods: always, or only while the budget is met.'),
      enabled: z.boolean().default(true).describe('Whether to create a PodDisruptionBudget.'),
    }),
    [
      {
        name: 'disruption-budget',
        cel: '!has(self.minAvailable) || !has(self.maxUnavailable)',
        fieldPath: ['maxUnavailable'],
        reason: 'cannot be combined with minAvailable',
        remedy: 'set only one of them',
        code: 'invalid-combination',
      },
    ],
  );
