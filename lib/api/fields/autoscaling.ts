import * as z from 'zod';
import { duration, keyedList, label, labelKey, labelValue, mapOf, quantity, text, integer } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { cronSchedule, timeZone } from '../values/schedule';
import { overlong } from '../rules/workload-rules';

const metricName = () =>
  text({ pattern: /^[A-Za-z_:][A-Za-z0-9_:./-]*$/, what: 'the name of a metric', example: 'queue_depth', max: 253 });

/** One metric beyond CPU and memory; the Platform names the adapter that serves it. */
const customTarget = () =>
  z.strictObject({
    metric: metricName().describe('Metric to follow.'),
    source: z.enum(['Pods', 'External']).default('Pods').describe('Whether the pods report it or something outside.'),
    average: quantity().describe('Value per pod to keep.'),
    selector: mapOf(labelKey(), labelValue(), 16).optional().describe('Labels that the series must carry.'),
  });

/** One change of the range by the clock. */
const scheduledTarget = () =>
  z.strictObject({
    name: label('evening').describe('Name of the window.'),
    schedule: cronSchedule().describe('When the window opens, as a cron expression.'),
    timeZone: timeZone().default('Etc/UTC').describe('Time zone of the schedule.'),
    for: duration().describe('How long the window stays open.'),
    replicas: integer(1, 10000).describe('Least number of pods within the window.'),
  });

/** How the number of pods follows the load. */
export const autoscaling = () =>
  withRules(
    z.strictObject({
      minReplicas: integer(1, 10000).default(1).describe('Least number of pods.'),
      maxReplicas: integer(1, 10000).describe('Most pods.'),
      cpu: integer(1, 1000)
        .optional()
        .describe('CPU to keep, in percent of the requests of the pod; 80 where no target at all is given.'),
      memory: integer(1, 1000).optional().describe('Memory to keep, in percent of the requests of the pod.'),
      container: label('app')
        .optional()
        .describe('Container whose CPU and memory count; the whole pod where left out.'),
      custom: keyedList(customTarget(), ['metric'], 8)
        .optional()
        .describe('Metrics beyond CPU and memory, such as requests per second or queue lag.'),
      scheduled: keyedList(scheduledTarget(), ['name'], 16)
        .optional()
        .describe('Windows with a least number of pods, by the clock.'),
      scaleDown: z
        .strictObject({
          stabilization: duration().default('5m').describe('How long the need must have been lower before pods go.'),
          percentPerMinute: integer(1, 100).default(100).describe('Most pods to remove in a minute, in percent.'),
          disabled: z.boolean().default(false).describe('Whether pods are only ever added.'),
        })
        .prefault({})
        .describe('How pods are removed.'),
      scaleUp: z
        .strictObject({
          stabilization: duration().default('0s').describe('How long the need must have been higher before pods come.'),
          percentPerMinute: integer(1, 1000)
            .default(100)
            .describe('Most pods to add in a minute, in percent; four are always allowed.'),
        })
        .prefault({})
        .describe('How pods are added.'),
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
        reason: 'asks for more replicas in a window than maxReplicas',
        remedy: 'raise maxReplicas or lower the replicas of the window',
        code: 'invalid-combination',
      },
      {
        name: 'autoscaling-stabilization',
        cel: 'true',
        where: 'client',
        find: (self) => overlong(self, 3600, ['scaleDown', 'scaleUp'], 'stabilization'),
        reason: 'is more than an hour, the longest that an autoscaler can look back',
        remedy: 'use at most 1h',
        code: 'out-of-range',
      },
    ],
  );
