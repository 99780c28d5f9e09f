import * as z from 'zod';
import { keyedList, mapOf, integer } from '../schema/field';
import { leaf } from '../schema/field-facts';

/** A time as the API server writes it. */
export const statusTime = () =>
  leaf<string>(
    'Time',
    () => ({ type: 'string', format: 'date-time' }),
    () => undefined,
  );
/** A count in a status. */
export const statusCount = () => integer(0, 2147483647);

/** One condition, as everywhere in Kubernetes. */
const condition = () =>
  z.strictObject({
    type: z
      .string()
      .max(316)
      .regex(/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/)
      .describe('What the condition is about, such as Ready.'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Whether it is so.'),
    observedGeneration: z.int().min(0).optional().describe('Generation of the spec that it speaks of.'),
    lastTransitionTime: statusTime().describe('When its status last changed.'),
    reason: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/)
      .describe('Why, as one word for programs.'),
    message: z.string().max(32768).describe('Why, in words for people.'),
  });

/** Status fields of every kind. */
export const commonStatusFields = () => ({
  observedGeneration: z.int().min(0).optional().describe('Generation of the spec that this status speaks of.'),
  phase: z.string().max(64).optional().describe('Summary in one word; the conditions say more.'),
  conditions: keyedList(condition(), ['type'], 32)
    .optional()
    .describe('What is so and what is not, each with a reason.'),
});

/** Status fields of every workload. */
export const workloadStatusFields = () => ({
  ...commonStatusFields(),
  runtimeProfile: z.string().max(253).optional().describe('RuntimeProfile that its pods were made with.'),
  deployedSpecHash: z
    .string()
    .max(64)
    .optional()
    .describe('Hash of its spec without the number of replicas; another one is another deploy.'),
  cause: z
    .strictObject({
      owner: z
        .enum(['platform', 'application', 'quota', 'capacity'])
        .describe(
          'Who can do something about it: people of the platform, of the application, or who decide on quota or machines.',
        ),
      reason: z.string().max(128).describe('What is the matter, as one word for programs.'),
      message: z.string().max(4096).describe('What is the matter and what to do next.'),
      object: z.string().max(512).optional().describe('Object that shows it, such as Pod/cart-7d4b9-x2x5p.'),
    })
    .optional()
    .describe('Why it is not ready, and whose it is; nothing where all is well.'),
  children: mapOf(z.string().max(320), z.string().max(256), 30000)
    .optional()
    .describe('What it became, by kind and name, such as Deployment/cart, and how each stands in one word.'),
});

/** Status fields of a workload with a number of replicas. */
export const replicatedStatusFields = () => ({
  ...workloadStatusFields(),
  replicas: statusCount().optional().describe('Pods that there are.'),
  readyReplicas: statusCount().optional().describe('Pods that are ready.'),
  updatedReplicas: statusCount().optional().describe('Pods of the newest version.'),
  availableReplicas: statusCount().optional().describe('Pods that have been ready for long enough to count.'),
  selector: z.string().max(1024).optional().describe('Labels of its pods, as an autoscaler reads them.'),
});

/** Status fields of a workload that runs once to completion. */
export const runStatusFields = () => ({
  ...workloadStatusFields(),
  startTime: statusTime().optional().describe('When it started.'),
  completionTime: statusTime().optional().describe('When it ended.'),
  restarts: statusCount().optional().describe('How often it was started anew as a whole.'),
  run: z.string().max(64).optional().describe('Hash of the work that this run does; other work is another run.'),
  succeededIndexes: mapOf(z.string().max(63), z.string().max(65536), 8)
    .optional()
    .describe('Indexes that succeeded, such as 0,2-4, by role; of a job set under "shards".'),
  failedIndexes: mapOf(z.string().max(63), z.string().max(65536), 8)
    .optional()
    .describe('Indexes that failed for good, such as 1,7, by role; of a job set under "shards".'),
  gang: z
    .strictObject({
      phase: z
        .enum(['Waiting', 'Starting', 'Started'])
        .describe('Whether it waits for room, is being placed, or runs.'),
      since: statusTime().describe('Since when.'),
      attempts: statusCount().describe('How often it was withdrawn because not all members were placed in time.'),
    })
    .optional()
    .describe('Start of all members together.'),
});

/** Counts of shards or members by state. */
export const tallyFields = () => ({
  active: statusCount().optional().describe('Those that run.'),
  succeeded: statusCount().optional().describe('Those that succeeded.'),
  failed: statusCount().optional().describe('Those that failed.'),
});

/** Status fields of a kind that describes the platform. */
export const platformStatusFields = () => ({
  ...commonStatusFields(),
  workloads: statusCount().optional().describe('Workloads that belong to it.'),
});
