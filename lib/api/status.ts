import * as z from 'zod';
import { keyedList, mapOf, whole } from './field';
import { leaf } from './field-facts';
import { type PinionKind } from './kinds';

const moment = () =>
  leaf<string>(
    'Time',
    () => ({ type: 'string', format: 'date-time' }),
    () => undefined,
  );
const count = () => whole(0, 2147483647);

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
    lastTransitionTime: moment().describe('When its status last changed.'),
    reason: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/)
      .describe('Why, as one word for programs.'),
    message: z.string().max(32768).describe('Why, in words for people.'),
  });

/** What every kind tells of itself. */
const common = () => ({
  observedGeneration: z.int().min(0).optional().describe('Generation of the spec that this status speaks of.'),
  phase: z.string().max(64).optional().describe('Summary in one word; the conditions say more.'),
  conditions: keyedList(condition(), ['type'], 32)
    .optional()
    .describe('What is so and what is not, each with a reason.'),
});

/** What every workload tells of itself. */
const workload = () => ({
  ...common(),
  runtimeProfile: z.string().max(253).optional().describe('RuntimeProfile that its pods were made with.'),
  deployed: z
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

/** What a workload with a number of pods tells of them. */
const replicated = () => ({
  ...workload(),
  replicas: count().optional().describe('Pods that there are.'),
  readyReplicas: count().optional().describe('Pods that are ready.'),
  updatedReplicas: count().optional().describe('Pods of the newest version.'),
  availableReplicas: count().optional().describe('Pods that have been ready for long enough to count.'),
  selector: z.string().max(1024).optional().describe('Labels of its pods, as an autoscaler reads them.'),
});

/** What a workload that ends tells of its life. */
const ending = () => ({
  ...workload(),
  startTime: moment().optional().describe('When it started.'),
  completionTime: moment().optional().describe('When it ended.'),
  restarts: count().optional().describe('How often it was started anew as a whole.'),
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
        .enum(['waiting', 'starting', 'started'])
        .describe('Whether it waits for room, is being placed, or runs.'),
      since: moment().describe('Since when.'),
      attempts: count().describe('How often it was withdrawn because not all members were placed in time.'),
    })
    .optional()
    .describe('Start of all members together.'),
});

const tally = () => ({
  active: count().optional().describe('Those that run.'),
  succeeded: count().optional().describe('Those that succeeded.'),
  failed: count().optional().describe('Those that failed.'),
});

const platformStatus = () => ({
  ...common(),
  workloads: count().optional().describe('Workloads that belong to it.'),
});

const makers = {
  PinterestService: () =>
    z.strictObject({
      ...replicated(),
      hosts: z.array(z.string().max(253)).max(16).optional().describe('Host names that lead to it.'),
    }),
  PinterestJobSet: () =>
    z.strictObject({ ...ending(), shards: z.strictObject(tally()).optional().describe('Shards by how they stand.') }),
  PinterestCronJob: () =>
    z.strictObject({
      ...workload(),
      active: count().optional().describe('Runs that go on.'),
      lastScheduleTime: moment().optional().describe('When the last run started.'),
      lastSuccessfulTime: moment().optional().describe('When the last successful run ended.'),
    }),
  PinterestDaemon: () =>
    z.strictObject({
      ...workload(),
      desiredNodes: count().optional().describe('Nodes that should run it.'),
      readyNodes: count().optional().describe('Nodes on which it is ready.'),
      updatedNodes: count().optional().describe('Nodes that run the newest version.'),
    }),
  PinterestTrainingJob: () =>
    z.strictObject({
      ...ending(),
      roles: mapOf(
        z.string().max(16),
        z.strictObject({ ready: count().optional().describe('Those that are ready.'), ...tally() }),
        5,
      )
        .optional()
        .describe('Members by role, by how they stand.'),
      readyMembers: z.string().max(32).optional().describe('Ready members of all, such as 3/4.'),
    }),
  PinterestStatefulSet: () => z.strictObject(replicated()),
  Project: () => z.strictObject(platformStatus()),
  RuntimeProfile: () => z.strictObject(platformStatus()),
  Platform: () =>
    z.strictObject({
      ...platformStatus(),
      runtime: z
        .strictObject({
          profile: z.string().max(253).describe('RuntimeProfile that is in force.'),
          since: moment().describe('Since when it is.'),
          held: z
            .string()
            .max(1024)
            .optional()
            .describe('Why no workload moves to it by itself for now: what the canary says.'),
        })
        .optional()
        .describe(
          'The runtime profile in force, and since when: the deadline of workloads that were not deployed since counts from there.',
        ),
      profiles: mapOf(z.string().max(253), count(), 64)
        .optional()
        .describe('Workloads by the RuntimeProfile that their pods were made with.'),
    }),
} satisfies Record<PinionKind, () => z.ZodType>;

/** What the controller writes as `status` of a kind. */
export type Status<K extends PinionKind> = z.output<ReturnType<(typeof makers)[K]>>;

/** The schema of a kind's `status`. */
export const statusSchemaOf = (kind: PinionKind): z.ZodType => makers[kind]();
