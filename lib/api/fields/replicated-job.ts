import * as z from 'zod';
import { completionRules } from '../rules/completion-rules';
import { shardRules } from '../rules/job-set-rules';
import { maxJobs, replicatedJobRules } from '../rules/replicated-job-rules';
import { duration, integer, keyedList, labelKey, listOf, mapOf, text } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { completionFields, successPolicy, successPolicyFields } from './completion-fields';
import { runPodFields } from './platform-pod-fields';
import { podTemplate } from './pod-template';
import { statusCount, tallyFields } from './status-fields';

/** Job names are part of host names, so they are short. */
const jobName = (example = 'workers') =>
  text({ pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, what: 'a lower-case DNS label', example, max: 32 });

/** Returns the schema of a list of names of jobs. */
export const jobNames = () => listOf(jobName(), maxJobs, 1);

/** Completion fields of a job that default to those of its set. */
function completion() {
  const { podFailurePolicy, podReplacementPolicy } = completionFields();
  return {
    retries: integer(0, 1000)
      .optional()
      .describe("Number of retries of a failed pod before its shard counts as failed. Defaults to the set's."),
    maxFailedShards: integer(0, 10000)
      .optional()
      .describe('Number of shards that may fail before the others of the same Job are terminated. Defaults to all.'),
    successPolicy: successPolicy()
      .optional()
      .describe('Success policy of each Job. Defaults to success of all shards.'),
    activeDeadline: duration()
      .optional()
      .describe('Maximum duration of each Job, after which it is terminated and counts as failed.'),
    podFailurePolicy: podFailurePolicy.describe("Policy for failed pods. Defaults to the set's."),
    podReplacementPolicy: podReplacementPolicy.describe(
      "When to create a replacement pod: while the failed pod terminates, or after it failed. Defaults to the set's.",
    ),
  };
}

/** Job of a set: one or more equal Jobs with their own pods. */
const replicatedJob = () =>
  withRules(
    z.strictObject({
      name: jobName().describe('Name of the job, part of the names of its Jobs and hosts.'),
      replicas: integer(1, 10000).default(1).describe('Number of equal Jobs.'),
      shards: integer(1, 10000).default(1).describe('Number of shards of each Job.'),
      parallelism: integer(1, 10000)
        .optional()
        .describe('Maximum number of shards of each Job that run concurrently. Defaults to all shards.'),
      dependsOn: keyedList(
        z.strictObject({
          name: jobName('driver').describe('Name of an earlier job of the list.'),
          status: z
            .enum(['Ready', 'Complete'])
            .describe(
              'State to wait for: Ready, all pods of all its Jobs are ready; Complete, all its Jobs succeeded.',
            ),
        }),
        ['name'],
        maxJobs,
      )
        .optional()
        .describe('Jobs to wait for before it starts; needs the controller.'),
      exclusiveTopology: labelKey()
        .optional()
        .describe('Node label, such as that of zones or racks: each Job has one of its values to itself.'),
      ...completion(),
      template: podTemplate(runPodFields).describe('Pod template: containers and init containers as in Kubernetes.'),
    }),
    [...shardRules, ...replicatedJobRules, ...completionRules],
  );

/** Returns the schema of the jobs of a set. */
export const replicatedJobs = () => keyedList(replicatedJob(), ['name'], maxJobs).min(1);

/** Returns the schema of the success policy of a set: by shards of one template, or by jobs. */
export const jobSetSuccessPolicy = () =>
  withRules(
    z.strictObject({
      ...successPolicyFields(),
      operator: z
        .enum(['All', 'Any'])
        .optional()
        .describe('Whether All Jobs or Any Job must succeed, with replicatedJobs. Defaults to All.'),
      jobs: jobNames().optional().describe('Names of the jobs that count, with replicatedJobs. Defaults to all jobs.'),
    }),
    [
      {
        name: 'success-policy',
        cel: 'has(self.shards) || has(self.count) || has(self.operator) || has(self.jobs)',
        reason: 'must set shards or count, or with replicatedJobs operator or jobs',
        remedy: 'set one of them, or omit successPolicy',
        code: 'required',
      },
    ],
  );

/** Reasons of failed Indexed Jobs with retries per shard. */
const failureReasons = ['DeadlineExceeded', 'FailedIndexes', 'MaxFailedIndexesExceeded', 'PodFailurePolicy'] as const;

/** Returns the schema of the rules for failed Jobs of a set. */
export const jobFailureRules = () =>
  listOf(
    z.strictObject({
      action: z
        .enum(['FailJobSet', 'RestartJobSet', 'RestartJobSetAndIgnoreMaxRestarts'])
        .describe(
          'Action for a failed Job: FailJobSet, RestartJobSet up to maxRestarts times, or RestartJobSetAndIgnoreMaxRestarts.',
        ),
      jobs: jobNames().optional().describe('Names of the jobs that the rule applies to. Defaults to all jobs.'),
      reasons: listOf(z.enum(failureReasons), failureReasons.length, 1)
        .optional()
        .describe('Reasons of the failure of the Job. Defaults to all reasons.'),
    }),
    20,
  );

/** Returns the schema of the coordinator of a set. */
export const coordinator = () =>
  z.strictObject({
    job: jobName('driver').describe('Name of the job.'),
    replica: integer(0, 9999).default(0).describe('Index of the Job among its replicas.'),
    shard: integer(0, 9999).default(0).describe('Index of the shard.'),
  });

/** Returns the schema of the number of Jobs by state and job, in a status. */
export const jobCountsField = () =>
  mapOf(
    jobName(),
    z.strictObject({
      ready: statusCount().optional().describe('Number of Jobs whose pods are all ready or have succeeded.'),
      ...tallyFields(),
    }),
    maxJobs,
  );
