import { type Spec } from '../../api';
import { type JobProgress } from './job-progress';

type Over = NonNullable<JobProgress['over']>;
type Policy = Pick<Spec<'PinterestJobSet'>, 'failurePolicy' | 'podFailurePolicy'>;

/** Whether more shards have failed than may. */
export const tooManyFailed = ({ failurePolicy }: Policy, failed: ReadonlySet<number>): boolean =>
  failurePolicy.maxFailedShards !== undefined && failed.size > failurePolicy.maxFailedShards;

/**
 * Whether the failure of one shard's Job ends all shards.
 *
 * A Job without indexes knows FailJob only, which stands for the shard; its message names the rule, and the rule of the
 * spec says what was meant.
 */
export function endsAll({ podFailurePolicy }: Policy, { reason, message }: Over): boolean {
  if (reason !== 'PodFailurePolicy') return false;
  const index = /rule at index (\d+)/.exec(message)?.[1];
  if (index !== undefined) return podFailurePolicy?.rules[Number(index)]?.action === 'FailJob';
  const ends = (podFailurePolicy?.rules ?? []).filter(({ action }) => action === 'FailJob' || action === 'FailIndex');
  return ends.length > 0 && ends.every(({ action }) => action === 'FailJob');
}

/** Reasons of a Job's failure after which another attempt of the whole is of no use: a rule said so, or the time is over. */
export const isPermanentFailure = (reason: string): boolean =>
  reason === 'PodFailurePolicy' || reason === 'DeadlineExceeded';
