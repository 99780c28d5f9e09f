import * as z from 'zod';
import { duration, listOf, integer } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { type PodFailurePolicyRule } from '../native';
import { nativeLeaf } from '../schema/native-leaf';

/** Returns the fields that all kinds of runs share. */
export const completionFields = () => ({
  retries: integer(0, 1000).default(3).describe('Number of retries of a failed pod before its work counts as failed.'),
  activeDeadline: duration()
    .optional()
    .describe('Maximum duration of the whole run, after which it is terminated and counts as failed.'),
  ttlAfterFinished: duration().default('1d').describe('Time to keep it after it finishes.'),
  podFailurePolicy: z
    .strictObject({
      rules: nativeLeaf<readonly PodFailurePolicyRule[]>('PodFailurePolicyRule', 20).describe(
        'Rules by exit code or pod condition, as in a Job.',
      ),
    })
    .optional()
    .describe('Policy for failed pods.'),
  podReplacementPolicy: z
    .enum(['TerminatingOrFailed', 'Failed'])
    .optional()
    .describe(
      'When to create a replacement pod: while the failed pod terminates, or after it failed. Defaults to TerminatingOrFailed, or to Failed with podFailurePolicy.',
    ),
});

/** Returns the schema of a list of shard indexes. */
export const shardIndexes = (max = 1000) => listOf(integer(0, 9999), max, 1);

/** Returns the fields of a success policy. */
export const successPolicyFields = () => ({
  shards: shardIndexes().optional().describe('Indexes of the shards that count. Defaults to all shards.'),
  count: integer(1, 10000).optional().describe('Number of these shards that must succeed. Defaults to all of them.'),
});

/** Returns the schema of a success policy. */
export const successPolicy = () =>
  withRules(z.strictObject(successPolicyFields()), [
    {
      name: 'shard-success-policy',
      cel: 'has(self.shards) || has(self.count)',
      reason: 'must set shards or count',
      remedy: 'set shards, count or both, or omit successPolicy',
      code: 'required',
    },
  ]);
