import { type Spec } from '../../api';
import { type JobStanding } from './job-standing';

type Over = NonNullable<JobStanding['over']>;
type Policy = Pick<Spec<'PinterestJobSet'>, 'failure' | 'failureRules'>;

/** Whether more shards have failed than may. */
export const tooManyFailed = ({ failure }: Policy, failed: ReadonlySet<number>): boolean =>
  failure.maxFailedShards !== undefined && failed.size > failure.maxFailedShards;

/**
 * Whether the failure of one shard's Job ends all shards.
 *
 * A Job without indexes knows FailJob only, which stands for the shard; its message names the rule, and the rule of the
 * spec says what was meant.
 */
export function endsAll({ failureRules }: Policy, { reason, message }: Over): boolean {
  if (reason !== 'PodFailurePolicy') return false;
  const index = /rule at index (\d+)/.exec(message)?.[1];
  if (index !== undefined) return failureRules?.[Number(index)]?.action === 'FailJob';
  const ends = (failureRules ?? []).filter(({ action }) => action === 'FailJob' || action === 'FailIndex');
  return ends.length > 0 && ends.every(({ action }) => action === 'FailJob');
}

/** Reasons of a Job's failure after which another attempt of the whole is of no use: a rule said so, or the time is over. */
export const isFinal = (reason: string): boolean => reason === 'PodFailurePolicy' || reason === 'DeadlineExceeded';
