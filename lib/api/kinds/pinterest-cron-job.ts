import * as z from 'zod';
import { completionRules } from '../rules/completion-rules';
import { neverFires, parseCron } from '../values/cron';
import { parseDuration } from '../values/duration';
import { duration, integer } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { completionFields } from '../fields/completion-fields';
import { cronSchedule, timeZone } from '../values/schedule';
import { workloadFields } from '../fields/workload-fields';
import { workloadRules } from '../rules/workload-rules';
import { column, countColumn, dateColumn, lastWorkloadColumns, readyColumn, textColumn } from '../crd/printer-columns';
import { workloadStatusFields, statusTime, statusCount } from '../fields/status-fields';
import { onePodTemplate, type WorkloadKindDefinition } from './kind-definition';

/** Schema of `PinterestCronJob.spec`: work that begins by the clock. */
export const cronJobSpec = () =>
  withRules(
    z.strictObject({
      schedule: cronSchedule().describe(
        'When it starts, as a cron expression of five fields or a name such as @daily.',
      ),
      timeZone: timeZone().default('Etc/UTC').describe('Time zone of the schedule.'),
      concurrencyPolicy: z
        .enum(['Allow', 'Forbid', 'Replace'])
        .default('Forbid')
        .describe('What happens at a start while the last run goes on.'),
      suspend: z.boolean().default(false).describe('Whether no run starts.'),
      startingDeadline: duration().optional().describe('How late a run may start; later ones are skipped.'),
      history: z
        .strictObject({
          successful: integer(0, 100).default(3).describe('Successful runs to keep.'),
          failed: integer(0, 100).default(3).describe('Failed runs to keep.'),
        })
        .prefault({})
        .describe('Runs to keep.'),
      parallelism: integer(1, 1000).default(1).describe('Pods of a run at the same time.'),
      completions: integer(1, 10000).default(1).describe('Pods that must succeed for a run to succeed.'),
      expectedDuration: duration().optional().describe('How long a run usually takes; alerts compare with it.'),
      ...completionFields(),
      ttlAfterFinished: duration()
        .optional()
        .describe('How long a run stays to be looked at after its end; as long as history says where left out.'),
      ...workloadFields(),
    }),
    [
      {
        name: 'cron-parallelism',
        cel: 'self.parallelism <= self.completions',
        fieldPath: ['parallelism'],
        reason: 'is more than completions, so that pods would have no work',
        remedy: 'lower parallelism or raise completions',
        code: 'invalid-combination',
      },
      {
        name: 'cron-starting-deadline',
        cel: '!has(self.startingDeadline) || duration(self.startingDeadline) >= duration("10s")',
        where: 'client',
        find: ({ startingDeadline }) =>
          typeof startingDeadline === 'string' && (parseDuration(startingDeadline)?.millis ?? 0) < 10_000
            ? [['startingDeadline']]
            : [],
        reason: 'is shorter than the 10s between two looks at the schedule, so that runs would be skipped',
        remedy: 'write at least 10s',
        code: 'out-of-range',
      },
      {
        name: 'cron-never-fires',
        cel: 'true',
        where: 'client',
        severity: 'warning',
        find: ({ schedule }) => (typeof schedule === 'string' && firesNever(schedule) ? [['schedule']] : []),
        reason: 'is a time that never comes, so that no run will ever start',
        remedy: 'write a date that exists, or set suspend where no run is wanted',
        code: 'invalid-combination',
      },
      ...completionRules,
      ...workloadRules,
    ],
  );

function firesNever(schedule: string): boolean {
  const parsed = parseCron(schedule);
  return !('error' in parsed) && neverFires(parsed);
}

/** PinterestCronJob: Work that starts on a schedule and runs to completion. */
export const pinterestCronJobKind = {
  plural: 'pinterestcronjobs',
  singular: 'pinterestcronjob',
  shortNames: ['pcj'],
  scope: 'Namespaced',
  summary: 'Work that starts on a schedule and runs to completion.',
  traits: { lifecycle: 'Schedule', scales: false, serves: false, hasMembers: false, perNode: false },
  podTemplates: onePodTemplate,
  columns: [
    readyColumn,
    textColumn('Schedule', '.spec.schedule'),
    column('Suspend', 'boolean', '.spec.suspend'),
    countColumn('Active', '.status.active'),
    dateColumn('LastRun', '.status.lastScheduleTime'),
    ...lastWorkloadColumns,
  ],
  spec: cronJobSpec,
  status: () =>
    z.strictObject({
      ...workloadStatusFields(),
      active: statusCount().optional().describe('Runs that go on.'),
      lastScheduleTime: statusTime().optional().describe('When the last run started.'),
      lastSuccessfulTime: statusTime().optional().describe('When the last successful run ended.'),
    }),
} as const satisfies WorkloadKindDefinition;
