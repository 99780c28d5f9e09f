import { entriesAt, durationOf, fieldIfSet, fieldsAt, numberAt, textAt, type Fields } from './fields';
import { type AddNote } from './note';
import { shownValue } from './shown-value';

/** Seconds that pinion keeps a finished run. */
const defaultTtl = 86_400;

/** Maximum number of retries of a shard. */
const maxRetries = 1000;

/** Returns the fields of a run from the spec of a Job. `path` is that of the Job's spec in the notes. */
export function completionOf(job: Fields, path: string, note: AddNote): Fields {
  const deadline = numberAt(job, 'activeDeadlineSeconds');
  return {
    ...retriesOf(job, path, note),
    ...(deadline !== undefined && { activeDeadline: durationOf(deadline) }),
    ...ttlOf(job, path, note),
    ...fieldIfSet('podFailurePolicy', job['podFailurePolicy']),
    ...(job['podReplacementPolicy'] === 'Failed' &&
      job['podFailurePolicy'] === undefined && { podReplacementPolicy: 'Failed' }),
    ...fieldIfSet('successPolicy', successPolicyOf(job, path, note)),
  };
}

function retriesOf(job: Fields, path: string, note: AddNote): Fields {
  const perIndex = numberAt(job, 'backoffLimitPerIndex');
  const limit = numberAt(job, 'backoffLimit');
  const completions = numberAt(job, 'completions') ?? 1;
  const written = perIndex ?? limit ?? 6;
  const retries = Math.min(written, maxRetries);
  if (written > maxRetries) note(`${path}.backoffLimit`, `${written} retries are now ${maxRetries}, the maximum`);
  if (perIndex === undefined && completions > 1)
    note(
      `${path}.backoffLimit`,
      `${retries} retries of all pods together are now ${retries} for each of the ${completions} shards; the first shard that uses them up still fails the others (maxFailedShards: 0)`,
    );
  else if (perIndex !== undefined && limit !== undefined)
    note(`${path}.backoffLimit`, `has no counterpart beside backoffLimitPerIndex: ${limit}; set failurePolicy`);
  return retries === 3 ? {} : { retries };
}

/** Returns how many indexes may fail: none, where the retries of a Job were those of all its pods. */
export function maxFailedShardsOf(job: Fields): Fields {
  const isShared = job['backoffLimitPerIndex'] === undefined && (numberAt(job, 'completions') ?? 1) > 1;
  return isShared ? { maxFailedShards: 0 } : fieldIfSet('maxFailedShards', job['maxFailedIndexes']);
}

/** Returns the time to keep a finished run. */
export function ttlOf(job: Fields, path: string, note: AddNote): Fields {
  const ttl = numberAt(job, 'ttlSecondsAfterFinished');
  if (ttl === undefined)
    note(
      `${path}.ttlSecondsAfterFinished`,
      'was not set; it is now deleted a day after it ends: set spec.ttlAfterFinished',
    );
  return ttl === undefined || ttl === defaultTtl ? {} : { ttlAfterFinished: durationOf(ttl) };
}

function successPolicyOf(job: Fields, path: string, note: AddNote): Fields {
  const [rule, ...others] = entriesAt(job, 'successPolicy', 'rules');
  if (!rule) return {};
  if (others.length > 0)
    note(
      `${path}.successPolicy.rules`,
      `only the first rule has a counterpart; not carried over: ${shownValue(others)}`,
    );
  const count = numberAt(rule, 'succeededCount');
  const indexes = textAt(rule, 'succeededIndexes');
  return { ...(indexes !== undefined && { shards: indexesIn(indexes) }), ...(count !== undefined && { count }) };
}

/** Returns the indexes in a text such as `0,2-4`. */
const indexesIn = (text: string): readonly number[] =>
  text.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return from === undefined || to === undefined || !(to >= from) || to - from > 10_000
      ? []
      : Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });

/** Notes that a failed container is no longer restarted in its pod. */
export function noteRestarts(job: Fields, path: string, note: AddNote): void {
  if (textAt(fieldsAt(job), 'template', 'spec', 'restartPolicy') === 'OnFailure')
    note(
      `${path}.template.spec.restartPolicy`,
      'a failed container is now replaced with its pod, at most spec.retries times',
    );
}
