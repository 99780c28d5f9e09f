import * as z from 'zod';
import { claimTemplate, nameNotReserved } from '../fields/claim-template';
import { completionRules } from '../rules/completion-rules';
import { absolutePath, keyedList, label, listOf, mapOf, quantity, text, integer } from '../schema/field';
import { withFacts, withRules } from '../schema/field-facts';
import { jobSetRules } from '../rules/job-set-rules';
import { completionFields, shardIndexes, successPolicy } from '../fields/completion-fields';
import { resources, variables, workloadFields } from '../fields/workload-fields';
import { workloadRules } from '../rules/workload-rules';
import { countColumn, lastWorkloadColumns, readyColumn, textColumn } from '../crd/printer-columns';
import { runStatusFields, tallyFields } from '../fields/status-fields';
import { onePodTemplate, type WorkloadKindDefinition } from './kind-definition';

const fileName = () =>
  text({
    pattern: /^([-_a-zA-Z0-9]|\.[-_a-zA-Z0-9])[-._a-zA-Z0-9]*$/,
    what: 'the name of a file without a folder',
    example: 'input.json',
    max: 253,
  });
const files = () => withFacts(mapOf(fileName(), z.string().max(262144), 64), { hidden: true });

/** A ConfigMap that every shard gets for itself. */
const configTemplate = () =>
  withRules(
    z.strictObject({
      name: label('input').describe(
        'Name of the volume, and of the ConfigMaps between the names of workload and shard.',
      ),
      mountPath: absolutePath('/etc/input').describe("Folder where the app's containers see its keys as files."),
      data: files().describe(
        'Files by name; $(PINION_SHARD_INDEX) and $(PINION_SHARD_COUNT) stand for the numbers of the shard.',
      ),
    }),
    [nameNotReserved],
  );

/** What is different for some shards. */
const shardOverride = () =>
  withRules(
    z.strictObject({
      shards: shardIndexes().describe('Shards that it is about.'),
      env: variables().optional().describe("Variables of every container of the app; they win over the template's."),
      args: listOf(z.string().max(4096), 128)
        .optional()
        .describe("Arguments of the first container instead of the template's."),
      resources: resources().optional().describe("CPU and memory of the first container instead of the template's."),
      config: mapOf(label('input'), files(), 16)
        .optional()
        .describe('Files by name of the config template; they replace or add to those of the template.'),
      claimSizes: mapOf(label('data'), quantity(), 16).optional().describe('Sizes by name of the claim template.'),
      pool: label('highmem').optional().describe('Node pool instead of that of the placement.'),
    }),
    [
      {
        name: 'override-says-something',
        cel: 'has(self.env) || has(self.args) || has(self.resources) || has(self.config) || has(self.claimSizes) || has(self.pool)',
        reason: 'changes nothing for its shards, yet gives every shard a Job of its own',
        remedy: 'say what is different, or remove it',
        code: 'required',
      },
    ],
  );

/** Schema of `PinterestJobSet.spec`: work to completion, cut into independent shards. */
export const jobSetSpec = () =>
  withRules(
    z.strictObject({
      shards: integer(1, 10000).default(1).describe('Number of shards; each knows its index and the count.'),
      parallelism: integer(1, 10000).optional().describe('How many shards run at the same time; all where left out.'),
      overrides: listOf(shardOverride(), 100).optional().describe('What is different for some shards.'),
      configTemplates: keyedList(configTemplate(), ['name'], 16)
        .optional()
        .describe('ConfigMaps that every shard gets for itself.'),
      volumeClaimTemplates: keyedList(claimTemplate(), ['name'], 16)
        .optional()
        .describe('Volumes that every shard gets for itself.'),
      claimRetention: z
        .enum(['Retain', 'Delete'])
        .default('Delete')
        .describe('What becomes of the volumes when the job set is deleted; Retain needs the controller.'),
      successPolicy: successPolicy()
        .optional()
        .describe('When it has succeeded; when all shards have, where left out.'),
      failurePolicy: z
        .strictObject({
          maxFailedShards: integer(0, 10000)
            .optional()
            .describe(
              'How many shards may fail before the rest is ended; all where left out, for shards are independent.',
            ),
          maxRestarts: integer(0, 100)
            .default(0)
            .describe('How often the whole set is started anew after it failed; needs the controller.'),
        })
        .prefault({})
        .describe('When it has failed.'),
      suspend: z.boolean().default(false).describe('Whether it waits; its pods end when this is set while they run.'),
      dnsNames: z
        .boolean()
        .default(false)
        .describe('Whether the shards find each other by name, `<workload>-<index>.<workload>`.'),
      ...completionFields(),
      ...workloadFields(),
    }),
    [...jobSetRules, ...completionRules, ...workloadRules],
  );

/** PinterestJobSet: Work to completion, cut into independent shards that each know their index and the count. */
export const pinterestJobSetKind = {
  plural: 'pinterestjobsets',
  singular: 'pinterestjobset',
  shortNames: ['pjs'],
  scope: 'Namespaced',
  summary: 'Work to completion, cut into independent shards that each know their index and the count.',
  traits: { lifecycle: 'Run', scales: false, serves: false, hasMembers: false, perNode: false },
  podTemplates: onePodTemplate,
  columns: [
    readyColumn,
    textColumn('Phase', '.status.phase'),
    countColumn('Shards', '.spec.shards'),
    countColumn('Active', '.status.shards.active'),
    countColumn('Succeeded', '.status.shards.succeeded'),
    countColumn('Failed', '.status.shards.failed'),
    ...lastWorkloadColumns,
  ],
  spec: jobSetSpec,
  status: () =>
    z.strictObject({
      ...runStatusFields(),
      shards: z.strictObject(tallyFields()).optional().describe('Shards by how they stand.'),
    }),
} as const satisfies WorkloadKindDefinition;
