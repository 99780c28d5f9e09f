import * as z from 'zod';
import { completionRules } from '../rules/completion-rules';
import { neverFires, parseCron } from '../values/cron';
import { parseDuration } from '../values/duration';
import { duration, integer } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { completionFields } from '../fields/completion-fields';
import { cronSchedule, timeZone } from '../values/schedule';
import { runPodFields } from '../fields/platform-pod-fields';
import { workloadFields } from '../fields/workload-fields';
import { workloadRulesOf } from '../rules/workload-rules';
import { column, countColumn, dateColumn, lastWorkloadColumns, readyColumn, textColumn } from '../crd/printer-columns';
import { workloadStatusFields, statusTime, statusCount } from '../fields/status-fields';
import { onePodTemplate, type WorkloadKindDefinition, type KindSchemas } from './kind-definition';

/** Schema of `PinterestCronJob.spec`: work that starts on a schedule. */
export const cronJobSpec = () =>
  withRules(
    z.strictObject({
      schedule: cronSchedule().describe('Schedule, as a cron expression of five fields or a name such as @daily.'),
      timeZone: timeZone().default('Etc/UTC').describe('Time zone of the schedule, as an IANA name.'),
      concurrencyPolicy: z
        .enum(['Allow', 'Forbid', 'Replace'])
        .default('Forbid')
        .describe('Policy for a start while the last run is active.'),
      suspend: z.boolean().default(false).describe('Whether to suspend the schedule.'),
      startingDeadline: duration().optional().describe('Maximum delay of a start; later ones are skipped.'),
      history: z
        .strictObject({
          successful: integer(0, 100).default(3).describe('Number of successful runs to keep.'),
          failed: integer(0, 100).default(3).describe('Number of failed runs to keep.'),
        })
        .prefault({})
        .describe('Number of finished runs to keep.'),
      parallelism: integer(1, 1000).default(1).describe('Maximum number of concurrent pods of a run.'),
      completions: integer(1, 10000).default(1).describe('Number of pods that must succeed.'),
      expectedDuration: duration().optional().describe('Expected duration of a run, for alerts.'),
      ...completionFields(),
      ttlAfterFinished: duration()
        .optional()
        .describe('Time to keep a run after it finishes. Defaults to the limits of history.'),
      ...workloadFields(runPodFields),
    }),
    [
      {
        name: 'cron-parallelism',
        cel: 'self.parallelism <= self.completions',
        fieldPath: ['parallelism'],
        reason: 'must not exceed completions',
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
        reason: 'must be at least 10s, the interval between two checks of the schedule',
        remedy: 'write at least 10s',
        code: 'out-of-range',
      },
      {
        name: 'cron-never-fires',
        cel: 'true',
        where: 'client',
        severity: 'warning',
        find: ({ schedule }) => (typeof schedule === 'string' && firesNever(schedule) ? [['schedule']] : []),
        reason: 'never fires',
        remedy: 'use a date that exists, or set suspend for no runs',
        code: 'invalid-combination',
      },
      ...completionRules,
      ...workloadRulesOf(),
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
  podFields: runPodFields,
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
      active: statusCount().optional().describe('Number of active runs.'),
      lastScheduleTime: statusTime().optional().describe('Start time of the last run.'),
      lastSuccessfulTime: statusTime().optional().describe('Completion time of the last successful run.'),
    }),
} as const satisfies WorkloadKindDefinition & KindSchemas;
