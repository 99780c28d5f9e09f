import { casesAbout, type Fields, type ProblemCase } from './problem-case';

const cronJob = (spec: Fields) => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestCronJob',
  metadata: { name: 'report', namespace: 'shop' },
  spec: {
    schedule: '0 3 * * *',
    template: { spec: { containers: [{ name: 'report', image: 'registry.example.com/report:1.0.0' }] } },
    ...spec,
  },
});

const { broken, seenByUs } = casesAbout(cronJob);

export const cases: readonly ProblemCase[] = [
  broken('no schedule', { schedule: undefined }, 'required', 'spec.schedule'),
  seenByUs('a schedule of six fields', { schedule: '0 0 3 * * *' }, 'bad-format', 'spec.schedule'),
  seenByUs('a Sunday that is called 7', { schedule: '0 3 * * 7' }, 'bad-format', 'spec.schedule'),
  seenByUs('a zone within the schedule', { schedule: 'TZ=UTC 0 3 * * *' }, 'bad-format', 'spec.schedule'),
  seenByUs(
    'a date that never comes',
    { schedule: '0 0 31 2 *' },
    'invalid-combination',
    'spec.schedule',
    'cron-never-fires',
  ),
  seenByUs('a zone that does not exist', { timeZone: 'America/Los_Angles' }, 'bad-format', 'spec.timeZone'),
  broken(
    'a way of running together that does not exist',
    { concurrencyPolicy: 'forbid' },
    'unsupported-value',
    'spec.concurrencyPolicy',
  ),
  seenByUs(
    'a deadline shorter than the look at the schedule',
    { startingDeadline: '5s' },
    'out-of-range',
    'spec.startingDeadline',
    'cron-starting-deadline',
  ),
  broken(
    'more pods at a time than have work',
    { parallelism: 3, completions: 2 },
    'invalid-combination',
    'spec.parallelism',
    'cron-parallelism',
  ),
  broken('a history without an end', { history: { failed: 1000 } }, 'out-of-range', 'spec.history.failed'),
  broken('a field name that does not exist', { concurrency: 'Forbid' }, 'unknown-field', 'spec.concurrency'),
  broken(
    'replacement before a rule can judge',
    {
      podReplacementPolicy: 'TerminatingOrFailed',
      podFailurePolicy: {
        rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      },
    },
    'invalid-combination',
    'spec.podReplacementPolicy',
    'replacement-with-failure-rules',
  ),
  broken('an expected duration in words', { expectedDuration: 'short' }, 'bad-format', 'spec.expectedDuration'),
  broken('retries without an end', { retries: -1 }, 'out-of-range', 'spec.retries'),
];
