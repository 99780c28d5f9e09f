import { caseBuilders, type Fields, type ProblemCase } from './problem-case';

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

const { crdCase, pinionCase } = caseBuilders(cronJob);

export const cases: readonly ProblemCase[] = [
  crdCase('no schedule', { schedule: undefined }, 'required', 'spec.schedule'),
  pinionCase('a schedule of six fields', { schedule: '0 0 3 * * *' }, 'bad-format', 'spec.schedule'),
  pinionCase('a Sunday written as 7', { schedule: '0 3 * * 7' }, 'bad-format', 'spec.schedule'),
  pinionCase('a time zone within the schedule', { schedule: 'TZ=UTC 0 3 * * *' }, 'bad-format', 'spec.schedule'),
  pinionCase(
    'a date that never occurs',
    { schedule: '0 0 31 2 *' },
    'invalid-combination',
    'spec.schedule',
    'cron-never-fires',
  ),
  pinionCase('an unknown time zone', { timeZone: 'America/Los_Angles' }, 'bad-format', 'spec.timeZone'),
  crdCase(
    'an unknown concurrency policy',
    { concurrencyPolicy: 'forbid' },
    'unsupported-value',
    'spec.concurrencyPolicy',
  ),
  pinionCase(
    "a deadline shorter than the controller's polling interval",
    { startingDeadline: '5s' },
    'out-of-range',
    'spec.startingDeadline',
    'cron-starting-deadline',
  ),
  crdCase(
    'more parallelism than completions',
    { parallelism: 3, completions: 2 },
    'invalid-combination',
    'spec.parallelism',
    'cron-parallelism',
  ),
  crdCase('an unlimited history', { history: { failed: 1000 } }, 'out-of-range', 'spec.history.failed'),
  crdCase('an unknown field name', { concurrency: 'Forbid' }, 'unknown-field', 'spec.concurrency'),
  crdCase(
    'a replacement before a rule can match',
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
  crdCase('an invalid expected duration', { expectedDuration: 'short' }, 'bad-format', 'spec.expectedDuration'),
  crdCase('unlimited retries', { retries: -1 }, 'out-of-range', 'spec.retries'),
];
