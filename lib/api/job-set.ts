import * as z from 'zod';
import { claimTemplate } from './claim-template';
import {
  absolutePath,
  keyedList,
  label,
  listOf,
  mapOf,
  quantity,
  variableName,
  whole,
  withFacts,
  withRules,
} from './field';
import { completionFields, shardIndexes, successPolicy } from './run-to-completion';
import { resources, variables, workloadFields } from './workload-fields';

/** A ConfigMap that every shard gets for itself. */
const configTemplate = () =>
  z.strictObject({
    name: label('input').describe('Name of the volume, and of the ConfigMaps between the names of workload and shard.'),
    mountPath: absolutePath('/etc/input').describe("Folder where the app's containers see its keys as files."),
    data: withFacts(mapOf(variableName(), z.string().max(262144), 64), { hidden: true }).describe(
      'Files by name; $(PINION_SHARD_INDEX) and $(PINION_SHARD_COUNT) stand for the numbers of the shard.',
    ),
  });

/** What is different for some shards. */
const shardOverride = () =>
  z.strictObject({
    shards: shardIndexes().describe('Shards that it is about.'),
    env: variables().optional().describe('Variables of every container of the app.'),
    args: listOf(z.string().max(4096), 128)
      .optional()
      .describe("Arguments of the first container instead of the template's."),
    resources: resources().optional().describe("CPU and memory of the first container instead of the template's."),
    config: mapOf(label('input'), withFacts(mapOf(variableName(), z.string().max(262144), 64), { hidden: true }), 16)
      .optional()
      .describe('Files by name of the config template; they replace or add to those of the template.'),
    claimSizes: mapOf(label('data'), quantity(), 16).optional().describe('Sizes by name of the claim template.'),
    pool: label('highmem').optional().describe('Node pool instead of that of the placement.'),
  });

/** Schema of `PinterestJobSet.spec`: work to completion, cut into independent shards. */
export const jobSetSpec = () =>
  withRules(
    z.strictObject({
      shards: whole(1, 10000).default(1).describe('Number of shards; each knows its index and the count.'),
      parallelism: whole(1, 10000).optional().describe('How many shards run at the same time; all where left out.'),
      overrides: listOf(shardOverride(), 100).optional().describe('What is different for some shards.'),
      configTemplates: keyedList(configTemplate(), ['name'], 16)
        .optional()
        .describe('ConfigMaps that every shard gets for itself.'),
      claimTemplates: keyedList(claimTemplate(), ['name'], 16)
        .optional()
        .describe('Volumes that every shard gets for itself.'),
      claimRetention: z
        .enum(['Retain', 'Delete'])
        .default('Delete')
        .describe('What becomes of the volumes when the job set is deleted.'),
      success: successPolicy().optional().describe('When it has succeeded; when all shards have, where left out.'),
      failure: z
        .strictObject({
          maxFailedShards: whole(0, 10000).default(0).describe('How many shards may fail before the rest is ended.'),
          maxRestarts: whole(0, 100)
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
    [
      {
        name: 'shards-in-overrides',
        cel: '!has(self.overrides) || self.overrides.all(o, o.shards.all(s, s < self.shards))',
        fieldPath: ['overrides'],
        reason: 'names a shard that does not exist; the first is 0',
        remedy: 'use indexes below shards',
        code: 'unknown-reference',
      },
      {
        name: 'shards-in-success',
        cel: '!has(self.success) || !has(self.success.shards) || self.success.shards.all(s, s < self.shards)',
        fieldPath: ['success', 'shards'],
        reason: 'names a shard that does not exist; the first is 0',
        remedy: 'use indexes below shards',
        code: 'unknown-reference',
      },
      {
        name: 'success-count',
        cel: '!has(self.success) || !has(self.success.count) || (has(self.success.shards) ? self.success.count <= size(self.success.shards) : self.success.count <= self.shards)',
        fieldPath: ['success', 'count'],
        reason: 'is more than there are shards to succeed',
        remedy: 'lower the count',
        code: 'contradiction',
      },
      {
        name: 'override-config-known',
        cel: '!has(self.overrides) || self.overrides.all(o, !has(o.config) || (has(self.configTemplates) && o.config.all(n, self.configTemplates.exists(t, t.name == n))))',
        fieldPath: ['overrides'],
        reason: 'gives files for a config template that does not exist',
        remedy: 'use the name of one of configTemplates',
        code: 'unknown-reference',
        where: 'client',
      },
      {
        name: 'override-claim-known',
        cel: '!has(self.overrides) || self.overrides.all(o, !has(o.claimSizes) || (has(self.claimTemplates) && o.claimSizes.all(n, self.claimTemplates.exists(t, t.name == n))))',
        fieldPath: ['overrides'],
        reason: 'gives a size for a claim template that does not exist',
        remedy: 'use the name of one of claimTemplates',
        code: 'unknown-reference',
        where: 'client',
      },
    ],
  );
