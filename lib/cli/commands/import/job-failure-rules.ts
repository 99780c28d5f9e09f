import { entriesAt, fieldIfSet, textAt, type Fields } from './fields';
import { type AddNote } from './note';
import { shownValue } from './shown-value';
import { noteUnconverted } from './unconverted-fields';

const path = 'spec.failurePolicy';

/** Actions that restart one Job, and those that restart the set instead. */
const restartsOfSet: Readonly<Record<string, string>> = {
  RestartJob: 'RestartJobSet',
  RestartJobAndIgnoreMaxRestarts: 'RestartJobSetAndIgnoreMaxRestarts',
};

/** Reasons of a Job whose retries are those of each index, by that of a Job whose retries are shared. */
const reasonsOf: Readonly<Record<string, readonly string[]>> = {
  BackoffLimitExceeded: ['FailedIndexes', 'MaxFailedIndexesExceeded'],
};

/** Returns the failure policy of a set of Jobs from that of a JobSet. */
export function jobFailurePolicyOf(policy: Fields, note: AddNote): Fields {
  noteUnconverted(
    policy,
    ['maxRestarts', 'rules', ...(policy['restartStrategy'] === 'Recreate' ? ['restartStrategy'] : [])],
    `${path}.`,
    note,
  );
  const rules = entriesAt(policy, 'rules').flatMap((rule, index) => ruleOf(rule, `${path}.rules[${index}]`, note));
  const { maxRestarts } = policy;
  return fieldIfSet('failurePolicy', {
    ...(maxRestarts !== 0 && fieldIfSet('maxRestarts', maxRestarts)),
    ...fieldIfSet('rules', rules),
  });
}

function ruleOf(rule: Fields, at: string, note: AddNote): Fields[] {
  const { action, targetReplicatedJobs: jobs, onJobFailureReasons: reasons, onJobFailureMessagePatterns } = rule;
  if (Array.isArray(onJobFailureMessagePatterns) && onJobFailureMessagePatterns.length > 0) {
    note(at, `no rule can depend on the message of a Job, so it is not carried over: ${shownValue(rule)}`);
    return [];
  }
  noteUnconverted(
    rule,
    ['name', 'action', 'targetReplicatedJobs', 'onJobFailureReasons', 'onJobFailureMessagePatterns'],
    `${at}.`,
    note,
  );
  const name = textAt(rule, 'name');
  // The API server numbers rules without a name.
  if (name !== undefined && !/^failurePolicyRule\d+$/.test(name)) note(`${at}.name`, `rules have no name: ${name}`);
  const setAction = Object.hasOwn(restartsOfSet, String(action)) ? restartsOfSet[String(action)] : undefined;
  if (setAction !== undefined)
    note(`${at}.action`, `${String(action)} restarted only the failed Job; ${setAction} restarts the whole set`);
  return [
    {
      action: setAction ?? action,
      ...fieldIfSet('jobs', jobs),
      ...fieldIfSet('reasons', reasonsIn(reasons, at, note)),
    },
  ];
}

function reasonsIn(reasons: unknown, at: string, note: AddNote): readonly unknown[] | undefined {
  if (!Array.isArray(reasons)) return undefined;
  for (const reason of reasons.map(String).filter((known) => Object.hasOwn(reasonsOf, known)))
    note(
      `${at}.onJobFailureReasons`,
      `retries are now those of each shard, so that the reason ${reason} is ${(reasonsOf[reason] ?? []).join(' or ')}`,
    );
  return [...new Set(reasons.flatMap((reason: unknown): unknown[] => [...(reasonsOf[String(reason)] ?? [reason])]))];
}
