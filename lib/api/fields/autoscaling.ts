import * as z from 'zod';
import { duration, keyedList, label, labelKey, labelValue, mapOf, quantity, text, integer } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { cronSchedule, timeZone } from '../values/schedule';
import { overlong } from '../rules/workload-rules';

/** An autoscaler accepts no slash: adapters get the name as a segment of a path. */
const metricName = () =>
  text({ pattern: /^[A-Za-z_:][A-Za-z0-9_:.-]*$/, what: 'the name of a metric', example: 'queue_depth', max: 253 });

/** Returns the schema of a custom or external metric; the Platform names its adapter. */
const customTarget = () =>
  z.strictObject({
    metric: metricName().describe('Name of the metric.'),
    source: z
      .enum(['Pods', 'External'])
      .default('Pods')
      .describe('Source of the metric: the pods, or a system outside the cluster.'),
    average: quantity().describe('Target average value per pod.'),
    selector: mapOf(labelKey(), labelValue(), 16).optional().describe('Labels that select the series.'),
  });

/** Returns the schema of a time window with its own minimum. */
const scheduledTarget = () =>
  z.strictObject({
    name: label('evening').describe('Name of the window.'),
    schedule: cronSchedule().describe('Start of the window, as a cron expression.'),
    timeZone: timeZone().default('Etc/UTC').describe('Time zone of the schedule, as an IANA name.'),
    for: duration().describe('Length of the window.'),
    replicas: integer(1, 10000).describe('Minimum number of pods during the window.'),
  });

/** Returns the schema of `autoscaling`. */
export const autoscaling = () =>
  withRules(
    z.strictObject({
      minReplicas: integer(1, 10000).default(1).describe('Minimum number of pods.'),
      maxReplicas: integer(1, 10000).describe('Maximum number of pods.'),
      cpu: integer(1, 1000)
        .optional()
        .describe('Target CPU utilization, in percent of requests. Defaults to 80 if no target is set.'),
      memory: integer(1, 1000).optional().describe('Target memory utilization, in percent of requests.'),
      container: label('app')
        .optional()
        .describe('Container whose CPU and memory are measured. Defaults to the whole pod.'),
      custom: keyedList(customTarget(), ['metric'], 8)
        .optional()
        .describe('Targets for metrics other than CPU and memory, such as requests per second or queue lag.'),
      scheduled: keyedList(scheduledTarget(), ['name'], 16)
        .optional()
        .describe('Time windows with a minimum number of pods.'),
      scaleDown: z
        .strictObject({
          stabilization: duration()
            .default('5m')
            .describe('Stabilization window: time that a lower target must last before pods are removed.'),
          percentPerMinute: integer(1, 100)
            .default(100)
            .describe('Maximum number of pods to remove per minute, in percent.'),
          disabled: z.boolean().default(false).describe('Whether to disable scaling down.'),
        })
        .prefault({})
        .describe('Scale-down behavior.'),
      scaleUp: z
        .strictObject({
          stabilization: duration()
            .default('0s')
            .describe('Stabilization window: time that a higher target must last before pods are added.'),
          percentPerMinute: integer(1, 1000)
            .default(100)
            .describe('Maximum number of pods to add per minute, in percent; adding four is always allowed.'),
        })
        .prefault({})
        .describe('Scale-up behavior.'),
    }),
    [
      {
        name: 'autoscaling-range',
        cel: 'self.minReplicas <= self.maxReplicas',
        fieldPath: ['maxReplicas'],
        reason: 'is less than minReplicas',
        remedy: 'set maxReplicas to at least minReplicas',
        code: 'invalid-combination',
      },
      {
        name: 'autoscaling-window',
        cel: '!has(self.scheduled) || self.scheduled.all(w, w.replicas <= self.maxReplicas)',
        fieldPath: ['scheduled'],
        reason: 'must not have windows with more replicas than maxReplicas',
        remedy: 'raise maxReplicas or lower the replicas of the window',
        code: 'invalid-combination',
      },
      {
        name: 'autoscaling-stabilization',
        cel: 'true',
        where: 'client',
        find: (self) => overlong(self, 3600, ['scaleDown', 'scaleUp'], 'stabilization'),
        reason: 'must be at most 1h, the limit of autoscalers',
        remedy: 'use at most 1h',
        code: 'out-of-range',
      },
    ],
  );
