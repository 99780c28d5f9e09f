import * as z from 'zod';
import { duration, listOf, integer } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { type PodFailurePolicyRule } from '../native';
import { nativeLeaf } from '../schema/native-leaf';

/** Fields of everything that ends when its work is done. */
export const completionFields = () => ({
  retries: integer(0, 1000).default(3).describe('How often a failed pod is replaced before its work counts as failed.'),
  activeDeadline: duration()
    .optional()
    .describe('How long all of it may take before it is ended and counts as failed.'),
  ttlAfterFinished: duration().default('1d').describe('How long it stays to be looked at after its end.'),
  podFailurePolicy: z
    .strictObject({
      rules: nativeLeaf<readonly PodFailurePolicyRule[]>('PodFailurePolicyRule', 20).describe(
        'Rules by exit code or pod condition, exactly as in a Job.',
      ),
    })
    .optional()
    .describe('How pod failures are handled.'),
  podReplacementPolicy: z
    .enum(['TerminatingOrFailed', 'Failed'])
    .optional()
    .describe(
      'Whether a new pod starts while the old one is still ending; Defaults to TerminatingOrFailed, and to Failed with podFailurePolicy.',
    ),
});

/** Which shards, by index. */
export const shardIndexes = (max = 1000) => listOf(integer(0, 9999), max, 1);

/** When a set of shards has succeeded before all of them have. */
export const successPolicy = () =>
  withRules(
    z.strictObject({
      shards: shardIndexes().optional().describe('Shards that decide; all where left out.'),
      count: integer(1, 10000).optional().describe('How many of them must succeed; all of them where left out.'),
    }),
    [
      {
        name: 'success-policy',
        cel: 'has(self.shards) || has(self.count)',
        reason: 'says neither which shards decide nor how many',
        remedy: 'give shards, count or both, or leave successPolicy out',
        code: 'required',
      },
    ],
  );
