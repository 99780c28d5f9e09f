import * as z from 'zod';
import { keyedList, mapOf, integer } from '../schema/field';
import { leaf } from '../schema/field-facts';

/** Returns the schema of a timestamp. */
export const statusTime = () =>
  leaf<string>(
    'Time',
    () => ({ type: 'string', format: 'date-time' }),
    () => undefined,
  );
/** Returns the schema of a count in a status. */
export const statusCount = () => integer(0, 2147483647);

/** Returns the schema of a Kubernetes condition. */
const condition = () =>
  z.strictObject({
    type: z
      .string()
      .max(316)
      .regex(/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/)
      .describe('Type of the condition, such as Ready.'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Status of the condition.'),
    observedGeneration: z.int().min(0).optional().describe('Generation of the spec that the condition refers to.'),
    lastTransitionTime: statusTime().describe('Time of the last change of status.'),
    reason: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/)
      .describe('Reason of the last change, in CamelCase.'),
    message: z.string().max(32768).describe('Human-readable explanation.'),
  });

/** Status fields of every kind. */
export const commonStatusFields = () => ({
  observedGeneration: z.int().min(0).optional().describe('Generation of the spec that this status refers to.'),
  phase: z.string().max(64).optional().describe('Summary of the status in one word.'),
  conditions: keyedList(condition(), ['type'], 32).optional().describe('Conditions of the resource.'),
});

/** Returns the schema of the revision that the objects of a workload follow; `what` names it in the descriptions. */
const revisionRecord = (what: string) =>
  z.strictObject({
    name: z.string().max(253).describe(`${what} that its objects follow.`),
    applied: z
      .array(z.string().max(253))
      .max(8)
      .optional()
      .describe('Revisions in the records of its objects with pods.'),
    former: z.string().max(253).optional().describe('Revision that its objects followed before.'),
  });

/** Status fields of every workload. */
export const workloadStatusFields = () => ({
  ...commonStatusFields(),
  runtimeProfile: z.string().max(253).optional().describe('RuntimeProfile of its pods.'),
  deployedSpecHash: z.string().max(64).optional().describe('Hash of the deployed spec without the number of replicas.'),
  expansion: z
    .strictObject({
      inputs: z
        .string()
        .max(64)
        .describe('Hash of the workload, Platform, RuntimeProfile and Project that its objects follow.'),
      podTemplates: z.string().max(64).describe('Hash of its pod templates.'),
      held: z
        .strictObject({
          deployed: z.string().max(64).describe('Hash of the workload without the number of replicas.'),
          since: statusTime().describe('Time since which it is held.'),
        })
        .optional()
        .describe('Hold of a workload whose pods the library alone would change; absent otherwise.'),
    })
    .optional()
    .describe('Record of its last expansion.'),
  platformRevision: revisionRecord('PlatformRevision')
    .optional()
    .describe('PlatformRevision of the workload; absent without rollouts in the Platform.'),
  projectRevision: revisionRecord('Revision of the Project')
    .optional()
    .describe('Revision of its Project; absent until the Project changes what pods depend on.'),
  cause: z
    .strictObject({
      owner: z
        .enum(['platform', 'application', 'quota', 'capacity'])
        .describe('Owner of the problem: the platform, the application, quota or capacity.'),
      reason: z.string().max(128).describe('Reason of the problem, in CamelCase.'),
      message: z.string().max(4096).describe('Problem and next step.'),
      object: z.string().max(512).optional().describe('Object with the problem, such as Pod/cart-7d4b9-x2x5p.'),
    })
    .optional()
    .describe('Cause of not being ready; absent if ready.'),
  children: mapOf(z.string().max(320), z.string().max(256), 30000)
    .optional()
    .describe('State of each child object by kind and name, such as Deployment/cart.'),
});

/** Status fields of a workload with a number of replicas. */
export const replicatedStatusFields = () => ({
  ...workloadStatusFields(),
  replicas: statusCount().optional().describe('Number of pods.'),
  readyReplicas: statusCount().optional().describe('Number of ready pods.'),
  updatedReplicas: statusCount().optional().describe('Number of pods of the newest revision.'),
  availableReplicas: statusCount().optional().describe('Number of available pods.'),
  selector: z.string().max(1024).optional().describe('Label selector of its pods, for autoscalers.'),
});

/** Returns the schema of the pod counts of a variant. */
export const variantStatus = () =>
  z.strictObject({
    name: z.string().max(63).describe('Name of the variant.'),
    desiredReplicas: statusCount().describe('Desired number of pods.'),
    replicas: statusCount().describe('Number of pods.'),
    updatedReplicas: statusCount().describe('Number of pods of its newest revision.'),
    readyReplicas: statusCount().describe('Number of ready pods.'),
    availableReplicas: statusCount().describe('Number of available pods.'),
  });

/** Status fields of a workload with hooks before a deployment. */
export const hookStatusFields = () => ({
  beforeDeployment: z
    .strictObject({
      spec: z.string().max(64).describe('Hash of the deployed spec that the hooks run for.'),
      phase: z
        .enum(['Running', 'Failed', 'Succeeded'])
        .describe('Phase of the hooks; pods change only after all of them have succeeded.'),
      hook: z.string().max(63).optional().describe('Hook that runs or has failed.'),
      job: z.string().max(63).optional().describe('Job of that hook; its pods have the logs.'),
      jobUid: z.string().max(64).optional().describe('UID of that Job, once it exists.'),
      exitCode: z.int().min(0).max(255).optional().describe('Exit code of the container of the failed hook.'),
      message: z.string().max(1024).optional().describe('Why the hook failed.'),
      attempt: z
        .string()
        .max(64)
        .optional()
        .describe('Attempt to run the hooks for this spec, in the names of their Jobs.'),
      retry: z
        .string()
        .max(64)
        .optional()
        .describe('Requested retry that was there when the hook failed; another one runs it again.'),
      succeeded: z.array(z.string().max(63)).max(4).optional().describe('Hooks that succeeded for this spec.'),
      history: z
        .array(z.string().max(64))
        .max(20)
        .optional()
        .describe('Hashes of deployed specs whose hooks succeeded, last one first; they do not run for these again.'),
    })
    .optional()
    .describe('State of the hooks before a deployment.'),
});

/** Status fields of a workload that runs once to completion. */
export const runStatusFields = () => ({
  ...workloadStatusFields(),
  startTime: statusTime().optional().describe('Start time.'),
  completionTime: statusTime().optional().describe('Completion time.'),
  restarts: statusCount().optional().describe('Number of restarts of the whole run.'),
  run: z.string().max(64).optional().describe('Hash of the work of this run.'),
  succeededIndexes: mapOf(z.string().max(63), z.string().max(65536), 16)
    .optional()
    .describe('Indexes that succeeded, such as 0,2-4, by role or job; of a job set with one template under "shards".'),
  failedIndexes: mapOf(z.string().max(63), z.string().max(65536), 16)
    .optional()
    .describe('Indexes that failed, such as 1,7, by role or job; of a job set with one template under "shards".'),
  gang: z
    .strictObject({
      phase: z
        .enum(['Waiting', 'Starting', 'Started'])
        .describe('Phase of the gang: waiting for capacity, starting or started.'),
      since: statusTime().describe('Time of the last change of phase.'),
      attempts: statusCount().describe('Number of attempts that timed out before all members were scheduled.'),
    })
    .optional()
    .describe('Status of gang scheduling.'),
});

/** Counts of shards or members by state. */
export const tallyFields = () => ({
  active: statusCount().optional().describe('Number of running ones.'),
  succeeded: statusCount().optional().describe('Number of succeeded ones.'),
  failed: statusCount().optional().describe('Number of failed ones.'),
});

/** Status fields of a kind that describes the platform. */
export const platformStatusFields = () => ({
  ...commonStatusFields(),
  workloads: statusCount().optional().describe('Number of workloads of the Project.'),
});
