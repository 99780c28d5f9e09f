import * as z from 'zod';
import { rolloutPhases } from '../api';
import { name, timestamp, workloadKeyFields } from './names';

/** Name of an object of the Platform, such as a rollout or a revision. */
const objectName = () => z.string().max(253);
const phase = () => z.enum(rolloutPhases).describe('Phase of the rollout.');
const count = (description: string) => z.int().min(0).describe(description);

/** Fields of a rollout in a list. */
const summary = {
  name: objectName().describe('Name of the PlatformRollout.'),
  phase: phase(),
  reason: z.string().optional().describe('Why it is in this phase, in CamelCase.'),
  revision: objectName().describe('PlatformRevision that workloads move to; of a rollback, the one that they leave.'),
  project: name().optional().describe('Project whose change it rolls out; absent for a change of the Platform.'),
  rollbackOf: objectName().optional().describe('Rollout that it rolls back.'),
  started: timestamp().optional().describe('Time of its start.'),
  ended: timestamp().optional().describe('Time of its end.'),
  workloads: count('Number of workloads that it moves or has moved.'),
  completed: count('Number of them that are ready at the revision.'),
};

/** A rollout in a list. */
const rolloutSummarySchema = z.object(summary);

const workload = { project: name().describe('Project.'), ...workloadKeyFields() };
const hidden = () => count('Number of further workloads in this list, of projects that the caller may not see.');

const findings = () =>
  z.object({
    listed: z.array(z.object({ ...workload, message: z.string().describe('Its state.') })).describe('Workloads.'),
    hidden: hidden(),
  });

/** A rollout with its waves and workloads. */
const rolloutDetailSchema = z.object({
  ...summary,
  message: z
    .string()
    .optional()
    .describe('Why it is in this phase; without details if they name a workload that the caller may not see.'),
  nextStep: z.string().describe('What happens next or what to do, as one sentence.'),
  rollback: z
    .object({ name: objectName().describe('Name of the PlatformRollout.'), phase: phase() })
    .optional()
    .describe('Rollout that rolls it back.'),
  cause: z
    .object({
      name: objectName().describe('Name of the PlatformRollout that it rolls back.'),
      reason: z.string().optional().describe('Why that one ended, in CamelCase.'),
      message: z
        .string()
        .optional()
        .describe('Why it ended; without details if they name a workload that the caller may not see.'),
      failed: findings().describe('Workloads that failed in it.'),
    })
    .optional()
    .describe('Of a rollback, why the other rollout ended; absent once that one is deleted.'),
  emergency: z
    .object({
      reason: z.string().describe('Reason.'),
      until: timestamp().describe('Time until which it counts.'),
      active: z.boolean().describe('Whether soak times, freezes, the canary and a missing approval do not count now.'),
    })
    .optional()
    .describe('Emergency of the rollout.'),
  wave: z.string().optional().describe('Current wave.'),
  waves: z
    .array(
      z.object({
        name: z.string().describe('Name of the wave.'),
        phase: z.enum(['Pending', 'Progressing', 'Soaking', 'Completed']).describe('Phase of the wave.'),
        workloads: count('Number of its workloads.'),
        completed: count('Number of its workloads that are ready at the revision.'),
        started: timestamp().optional().describe('Time of its first release.'),
        changed: timestamp().optional().describe('Time since which all of its workloads are ready at the revision.'),
        ended: timestamp().optional().describe('Time of its completion.'),
      }),
    )
    .describe('Waves in their order.'),
  transit: z
    .object({
      listed: z
        .array(
          z.object({
            ...workload,
            wave: z.string().describe('Its wave.'),
            since: timestamp().describe('Time of its release.'),
          }),
        )
        .describe('Workloads.'),
      hidden: hidden(),
    })
    .describe('Workloads that were released and are not ready at their revision yet.'),
  failed: findings().describe('Workloads that failed after their release; the first 32.'),
  blocked: findings().describe('Workloads that cannot move and keep their revision; the first 32.'),
});

/** Rollouts of the Platform of one cluster. */
export const clusterRolloutsSchema = z.object({
  target: name().describe('Cluster.'),
  enabled: z.boolean().describe('Whether the Platform moves workloads in rollouts.'),
  revision: objectName().optional().describe('PlatformRevision of the present spec of the Platform.'),
  completed: objectName().optional().describe('Last PlatformRevision that was rolled out.'),
  current: rolloutDetailSchema.optional().describe('The open rollout, or else the last one.'),
  recent: z.array(rolloutSummarySchema).describe('Rollouts, newest first; the last ten.'),
});

/** Revision that a workload follows, and its part in the open rollout. */
export const workloadRevisionSchema = z.object({
  name: objectName().describe('PlatformRevision that its objects follow.'),
  current: objectName().optional().describe('PlatformRevision of the present spec of the Platform.'),
  move: z
    .object({
      rollout: objectName().describe('The open PlatformRollout.'),
      to: objectName().describe('PlatformRevision that the rollout moves workloads to.'),
      state: z
        .enum(['waiting', 'transit', 'moved', 'blocked', 'unchanged', 'run', 'unknown'])
        .describe(
          'Whether the rollout moves it: waiting: it will; transit: it is released; moved: it follows that revision; blocked: it cannot; unchanged: none of its objects would change; run: a run keeps its revision; unknown: the revision cannot be read.',
        ),
      since: timestamp().optional().describe('Time of its release, in transit.'),
      wave: z.string().optional().describe('Its wave, in transit.'),
      message: z.string().optional().describe('Why it cannot move.'),
    })
    .optional()
    .describe('Its part in the open rollout; absent if none is open.'),
});

/** Rollouts of the Platform of one cluster. */
export type ClusterRolloutsView = z.output<typeof clusterRolloutsSchema>;
/** A rollout with its waves and workloads. */
export type RolloutDetail = z.output<typeof rolloutDetailSchema>;
/** A rollout in a list. */
export type RolloutSummary = z.output<typeof rolloutSummarySchema>;
/** Revision that a workload follows, and its part in the open rollout. */
export type WorkloadRevision = z.output<typeof workloadRevisionSchema>;
