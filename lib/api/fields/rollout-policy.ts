import * as z from 'zod';
import {
  duration,
  integer,
  keyedList,
  label,
  labelKey,
  labelValue,
  listOf,
  mapOf,
  sentence,
  text,
} from '../schema/field';
import { withRules } from '../schema/field-facts';
import { type ValidationRule } from '../rules/validation-rule';
import { cronSchedule, timeZone } from '../values/schedule';
import { workloadDefinitions, type WorkloadKind } from '../kinds/workload-kinds';

const kindNames = Object.keys(workloadDefinitions) as [WorkloadKind, ...WorkloadKind[]];

/** Names of waves that a policy does not define: those of other workloads, and the one of a rollback. */
export const builtInWaves = {
  rest: 'rest',
  daemons: 'daemons',
  unready: 'unready',
  created: 'created',
  rollback: 'rollback',
} as const;

/** A status finds a wave by its name. */
const reservedName: ValidationRule = {
  name: 'wave-reserved-name',
  cel: `!(self.name in ${JSON.stringify(Object.values(builtInWaves))})`,
  fieldPath: ['name'],
  code: 'platform-owned',
  reason: 'is the name of a built-in wave',
  remedy: 'use another name',
};

/** An interval begins when a process starts, so that no freeze has a start. */
const calendarSchedule: ValidationRule = {
  name: 'freeze-calendar',
  cel: '!self.schedule.startsWith("@every")',
  fieldPath: ['schedule'],
  code: 'unsupported-value',
  reason: 'is an interval, which has no start in the calendar',
  remedy: 'write the times at which the freeze starts, such as "0 18 * * 5"',
};

/** A wave of a rollout: workloads that match all of its conditions and no earlier wave. */
const wave = () =>
  withRules(
    z.strictObject({
      name: label('early').describe('Name of the wave.'),
      tiers: listOf(label('batch'), 16, 1).optional().describe('Tiers of its workloads. Defaults to all.'),
      projects: listOf(label('shop'), 256, 1).optional().describe('Projects of its workloads. Defaults to all.'),
      kinds: listOf(z.enum(kindNames), 16, 1)
        .optional()
        .describe('Kinds of its workloads. Defaults to all except PinterestDaemon, whose wave is the last but one.'),
      labels: mapOf(labelKey(), labelValue(), 16).default({}).describe('Labels that its workloads have.'),
      share: integer(1, 100)
        .default(100)
        .describe('Percentage of the workloads that match, at least one; other revisions choose others.'),
      soak: duration().default('5m').describe('Time that its workloads must stay healthy before the next wave.'),
    }),
    [reservedName],
  );

/** A time without releases. */
const freeze = () =>
  withRules(
    z.strictObject({
      name: label('weekend').describe('Name of the freeze.'),
      schedule: cronSchedule().describe('Start of the freeze, as a cron expression.'),
      timeZone: timeZone().default('Etc/UTC').describe('Time zone of the schedule, as an IANA name.'),
      duration: duration().describe('Duration of the freeze.'),
    }),
    [calendarSchedule],
  );

/** Limits of what changes at once. */
const budget = () =>
  z.strictObject({
    workloads: integer(1, 100).default(10).describe('Maximum number of workloads that change at once.'),
    workloadsPerProject: integer(1, 100)
      .default(2)
      .describe('Maximum number of workloads of one project that change at once.'),
    pods: integer(1, 100000)
      .default(200)
      .describe('Maximum number of pods of workloads that change at once; a larger workload changes alone.'),
    unready: mapOf(label('critical'), integer(1, 100000), 16)
      .default({})
      .describe(
        'By tier, the number of workloads that have become unready since the start from which no other of the tier is released.',
      ),
  });

/** Expressions of Prometheus that stop a rollout. */
const metricGates = () =>
  z.strictObject({
    prometheus: text({
      // A password would be visible to all who read the Platform and its rollouts.
      pattern: /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/,
      what: 'an http or https URL without user, query and fragment',
      example: 'https://prometheus.example.com/prometheus',
      max: 2048,
    }).describe('URL of Prometheus, which the controller must reach without credentials.'),
    queries: keyedList(
      z.strictObject({
        name: label('errors').describe('Name of the gate.'),
        expression: sentence(4096).describe(
          'Expression in PromQL that has a result only while something is wrong, as that of an alert.',
        ),
      }),
      ['name'],
      16,
    )
      .min(1)
      .describe('Gates; a result of one stops the rollout.'),
  });

/** Returns the schema of the digest of the impact of a rollout. */
export const impactDigestField = () =>
  text({
    pattern: /^sha256:[0-9a-f]{64}$/,
    what: 'the digest of an impact',
    example: `sha256:${'0a'.repeat(32)}`,
    max: 71,
  });

/** Default waves: a few workloads first. */
const defaultWaves = [
  { name: 'first', share: 2 },
  { name: 'early', share: 20 },
];

/** Returns the schema of how a revision is rolled out to the workloads of a cluster. */
export const rolloutPolicy = () =>
  z.strictObject({
    waves: keyedList(wave(), ['name'], 16)
      .prefault(defaultWaves)
      .describe(
        'Waves in their order; workloads of no wave follow in the wave "rest", then daemons in "daemons", workloads that were not ready at the start in "unready", and those created since in "created".',
      ),
    soak: duration().default('5m').describe('Time that workloads of the last waves must stay healthy.'),
    budget: budget().prefault({}).describe('Limits of what changes at once.'),
    maxFailures: integer(0, 1000)
      .default(0)
      .describe('Number of workloads that may fail after their release; one more stops the rollout.'),
    stalledAfter: duration()
      .default('30m')
      .describe('Time after which a released workload that is not ready pauses the rollout.'),
    onFailure: z
      .enum(['Rollback', 'Halt'])
      .default('Rollback')
      .describe('What follows a failure: workloads return to their former revisions, or stay as they are.'),
    metricGates: metricGates()
      .optional()
      .describe(
        'Metrics that stop the rollout as failures do; without an answer, it pauses. Defaults to none: the health of workloads alone decides.',
      ),
    freezes: keyedList(freeze(), ['name'], 16).default([]).describe('Times without releases.'),
    requireApproval: z
      .boolean()
      .default(false)
      .describe('Whether to release workloads only once the impact of the rollout is approved in the PlatformRollout.'),
  });

/** How a revision is rolled out to the workloads of a cluster. */
export type RolloutPolicy = z.output<ReturnType<typeof rolloutPolicy>>;
