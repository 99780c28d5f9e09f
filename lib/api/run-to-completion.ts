import * as z from 'zod';
import { duration, listOf, whole } from './field';
import { withRules } from './field-facts';
import { type PodFailurePolicyRule } from './native';
import { nativeLeaf } from './native-leaf';

/** Fields of everything that ends when its work is done. */
export const completionFields = () => ({
  retries: whole(0, 1000).default(3).describe('How often a failed pod is replaced before its work counts as failed.'),
  deadline: duration().optional().describe('How long all of it may take before it is ended and counts as failed.'),
  ttl: duration().default('1d').describe('How long it stays to be looked at after its end.'),
  failureRules: nativeLeaf<readonly PodFailurePolicyRule[]>('PodFailurePolicyRule', 20)
    .optional()
    .describe('What a failure means, by exit code or pod condition, exactly as in a Job.'),
  replacement: z
    .enum(['onceEnding', 'onceEnded'])
    .optional()
    .describe(
      'Whether a new pod starts while the old one is still ending; onceEnding where left out, onceEnded with failureRules.',
    ),
});

/** Which shards, by index. */
export const shardIndexes = (max = 1000) => listOf(whole(0, 9999), max, 1);

/** When a set of shards has succeeded before all of them have. */
export const successPolicy = () =>
  withRules(
    z.strictObject({
      shards: shardIndexes().optional().describe('Shards that decide; all where left out.'),
      count: whole(1, 10000).optional().describe('How many of them must succeed; all of them where left out.'),
    }),
    [
      {
        name: 'success-policy',
        cel: 'has(self.shards) || has(self.count)',
        reason: 'says neither which shards decide nor how many',
        remedy: 'give shards, count or both, or leave success out',
        code: 'required',
      },
    ],
  );
