import * as z from 'zod';
import { claimTemplate, nameNotReserved } from '../fields/claim-template';
import { completionRules } from '../rules/completion-rules';
import { absolutePath, keyedList, label, listOf, mapOf, quantity, text, integer } from '../schema/field';
import { withFacts, withRules } from '../schema/field-facts';
import { jobSetRules } from '../rules/job-set-rules';
import { completionFields, shardIndexes } from '../fields/completion-fields';
import { runPodFields } from '../fields/platform-pod-fields';
import { podTemplate } from '../fields/pod-template';
import {
  coordinator,
  jobCountsField,
  jobFailureRules,
  jobNames,
  jobSetSuccessPolicy,
  replicatedJobs,
} from '../fields/replicated-job';
import { resources, variables, workloadFields } from '../fields/workload-fields';
import { workloadRulesOf } from '../rules/workload-rules';
import { countColumn, lastWorkloadColumns, readyColumn, textColumn } from '../crd/printer-columns';
import { runStatusFields, statusCount, tallyFields } from '../fields/status-fields';
import {
  onePodTemplate,
  type LocatedPodTemplate,
  type WorkloadKindDefinition,
  type KindSchemas,
} from './kind-definition';

const fileName = () =>
  text({
    pattern: /^([-_a-zA-Z0-9]|\.[-_a-zA-Z0-9])[-._a-zA-Z0-9]*$/,
    what: 'the name of a file without a folder',
    example: 'input.json',
    max: 253,
  });
const files = () => withFacts(mapOf(fileName(), z.string().max(262144), 64), { hidden: true });

/** Template of the ConfigMap of each shard. */
const configTemplate = () =>
  withRules(
    z.strictObject({
      name: label('input').describe('Name of the volume, and infix of the ConfigMap names.'),
      mountPath: absolutePath('/etc/input').describe('Mount path of the files in the containers of the app.'),
      data: files().describe(
        'Files by name; $(PINION_SHARD_INDEX) and $(PINION_SHARD_COUNT) are replaced by the index of the shard and the number of shards.',
      ),
    }),
    [nameNotReserved],
  );

/** Overrides for some shards. */
const shardOverride = () =>
  withRules(
    z.strictObject({
      shards: shardIndexes().describe('Indexes of the shards to override.'),
      env: variables()
        .optional()
        .describe("Environment variables of every container of the app; they win over the template's."),
      args: listOf(z.string().max(4096), 128)
        .optional()
        .describe("Arguments of the first container. Defaults to the template's."),
      resources: resources().optional().describe("CPU and memory of the first container. Defaults to the template's."),
      config: mapOf(label('input'), files(), 16)
        .optional()
        .describe('Files by name of the config template; merged with those of the template.'),
      claimSizes: mapOf(label('data'), quantity(), 16)
        .optional()
        .describe('Storage sizes by name of the claim template.'),
      pool: label('highmem').optional().describe('Node pool. Defaults to that of the placement.'),
    }),
    [
      {
        name: 'override-not-empty',
        cel: 'has(self.env) || has(self.args) || has(self.resources) || has(self.config) || has(self.claimSizes) || has(self.pool)',
        reason: 'overrides nothing, but creates a Job for each shard',
        remedy: 'set a field to override, or remove it',
        code: 'required',
      },
    ],
  );

/** Schema of `PinterestJobSet.spec`: work to completion, divided into independent shards. */
export const jobSetSpec = () =>
  withRules(
    z.strictObject({
      shards: integer(1, 10000)
        .default(1)
        .describe('Number of shards; each receives its index and the number of shards.'),
      parallelism: integer(1, 10000)
        .optional()
        .describe('Maximum number of shards that run concurrently. Defaults to all shards.'),
      overrides: listOf(shardOverride(), 100).optional().describe('Overrides for individual shards.'),
      configTemplates: keyedList(configTemplate(), ['name'], 16)
        .optional()
        .describe('ConfigMaps to create for every shard.'),
      volumeClaimTemplates: keyedList(claimTemplate(), ['name'], 16)
        .optional()
        .describe('Volume claims to create for every shard.'),
      claimRetention: z
        .enum(['Retain', 'Delete'])
        .default('Delete')
        .describe('Policy for claims when the job set is deleted; Retain needs the controller.'),
      replicatedJobs: replicatedJobs()
        .optional()
        .describe('Jobs of the set, each with its own pods, instead of shards and a template.'),
      successPolicy: jobSetSuccessPolicy()
        .optional()
        .describe('Success policy. Defaults to success of all shards of all jobs.'),
      failurePolicy: z
        .strictObject({
          maxFailedShards: integer(0, 10000)
            .optional()
            .describe('Number of shards that may fail before the others are terminated. Defaults to all shards.'),
          maxRestarts: integer(0, 100)
            .default(0)
            .describe('Maximum number of restarts of the whole set after a failure; needs the controller.'),
          rules: jobFailureRules()
            .optional()
            .describe(
              'Rules for failed Jobs of replicatedJobs, of which the first match applies; needs the controller. Defaults to RestartJobSet.',
            ),
        })
        .prefault({})
        .describe('Failure policy.'),
      suspend: z.boolean().default(false).describe('Whether to suspend it; running pods are terminated.'),
      dnsNames: z
        .boolean()
        .default(false)
        .describe(
          'Whether to create DNS names for shards, `<workload>-<index>.<workload>`, or `<workload>-<job>-<replica>-<index>.<workload>`.',
        ),
      coordinator: coordinator()
        .optional()
        .describe('Shard of replicatedJobs whose host name all pods receive; creates the DNS names.'),
      ...completionFields(),
      ...workloadFields(runPodFields),
      template: podTemplate(runPodFields)
        .optional()
        .describe('Pod template: containers and init containers as in Kubernetes; required without replicatedJobs.'),
    }),
    [...jobSetRules, ...completionRules, ...workloadRulesOf(['volumeClaimTemplates', 'configTemplates'])],
  );

/** Lists the template of the set, or those of its jobs in their order. */
function podTemplates({
  template,
  replicatedJobs: jobs = [],
}: z.output<ReturnType<typeof jobSetSpec>>): readonly LocatedPodTemplate[] {
  if (template) return onePodTemplate({ template });
  return jobs.map((job, index) => ({ template: job.template, path: ['spec', 'replicatedJobs', index, 'template'] }));
}

/** PinterestJobSet: Work to completion, divided into independent shards that each receive their index and the number of shards. */
export const pinterestJobSetKind = {
  plural: 'pinterestjobsets',
  singular: 'pinterestjobset',
  shortNames: ['pjs'],
  scope: 'Namespaced',
  summary:
    'Work to completion, divided into independent shards that each receive their index and the number of shards.',
  traits: { lifecycle: 'Run', scales: false, serves: false, hasMembers: false, perNode: false },
  podTemplates,
  podFields: runPodFields,
  columns: [
    readyColumn,
    textColumn('Phase', '.status.phase'),
    countColumn('Shards', '.status.shards.total'),
    countColumn('Active', '.status.shards.active'),
    countColumn('Succeeded', '.status.shards.succeeded'),
    countColumn('Failed', '.status.shards.failed'),
    ...lastWorkloadColumns,
  ],
  spec: jobSetSpec,
  status: () =>
    z.strictObject({
      ...runStatusFields(),
      uncountedRestarts: statusCount().optional().describe('Number of restarts that do not count towards maxRestarts.'),
      restartCause: z.string().max(1024).optional().describe('Failure that caused the last restart of the whole run.'),
      awaitedJobs: jobNames()
        .optional()
        .describe('Jobs of replicatedJobs that must be ready before others start that have not started.'),
      shards: z
        .strictObject({ total: statusCount().optional().describe('Number of all shards.'), ...tallyFields() })
        .optional()
        .describe('Number of shards by state.'),
      jobs: jobCountsField().optional().describe('Number of Jobs by job of replicatedJobs and state.'),
    }),
} as const satisfies WorkloadKindDefinition & KindSchemas;
