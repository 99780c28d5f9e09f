import * as z from 'zod';
import { beforeDeployment, beforeDeploymentText } from '../fields/before-deployment';
import { claimRetention, claimTemplate } from '../fields/claim-template';
import { duration, keyedList, integer, serviceName } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { loadBalancer, servicePort } from '../fields/load-balancer';
import { countOrPercent, disruption } from '../fields/rollout';
import { hooksRules } from '../rules/hook-rules';
import { membersServiceRule, statefulSetRules } from '../rules/stateful-set-rules';
import { continuousPodFields } from '../fields/platform-pod-fields';
import { termination, workloadFields } from '../fields/workload-fields';
import { workloadRulesOf } from '../rules/workload-rules';
import { lastWorkloadColumns, readyColumn, replicaColumns } from '../crd/printer-columns';
import { hookStatusFields, replicatedStatusFields } from '../fields/status-fields';
import { hookImages } from './hook-images';
import { onePodTemplate, type WorkloadKindDefinition, type KindSchemas } from './kind-definition';

const update = () =>
  z.strictObject({
    strategy: z
      .enum(['RollingUpdate', 'OnDelete'])
      .default('RollingUpdate')
      .describe(
        'Update strategy: RollingUpdate replaces members, last one first; OnDelete waits until they are deleted.',
      ),
    partition: integer(0, 2000000)
      .default(0)
      .describe(
        'Members with a lower ordinal keep the old revision; a number beyond the last member keeps all of them.',
      ),
    maxUnavailable: countOrPercent()
      .optional()
      .describe(
        'Maximum number of unavailable members during an update, on clusters that support more than one. Defaults to 1.',
      ),
    minReady: duration()
      .default('0s')
      .describe('Time that a new member must be ready before the next one is replaced.'),
    revisionHistoryLimit: integer(0, 100).default(5).describe('Number of old revisions to keep for rollbacks.'),
  });

/** Schema of `PinterestStatefulSet.spec`: members with stable names and volumes. */
export const statefulSetSpec = () =>
  withRules(
    z.strictObject({
      replicas: integer(0, 1000).default(1).describe('Number of members.'),
      volumeClaimTemplates: keyedList(claimTemplate(), ['name'], 16)
        .default([])
        .describe('Volume claims to create for every member.'),
      persistentVolumeClaimRetentionPolicy: claimRetention()
        .prefault({})
        .describe('Policy for claims that are no longer used.'),
      ordinals: z
        .strictObject({ start: integer(0, 1000000).default(0).describe('Ordinal of the first member.') })
        .prefault({})
        .describe('Ordinals of the members.'),
      podManagementPolicy: z
        .enum(['OrderedReady', 'Parallel'])
        .default('OrderedReady')
        .describe('Pod management policy: start members one after another, or all at once.'),
      update: update().prefault({}).describe('Update strategy.'),
      disruption: disruption('1 if neither is set').prefault({}).describe('Disruption budget during node drains.'),
      ports: keyedList(servicePort(), ['name'], 32)
        .optional()
        .describe('Ports for traffic between members, besides those of the load balancer.'),
      membersService: serviceName()
        .optional()
        .describe(
          'Name of the headless Service of the members, and so of their domain. Defaults to the name of the workload and "-members"; cannot change.',
        ),
      publishNotReadyAddresses: z
        .boolean()
        .default(false)
        .describe('Whether to publish addresses of members before they are ready.'),
      loadBalancer: loadBalancer()
        .optional()
        .describe('Load balancing of client requests to any member. Defaults to none.'),
      beforeDeployment: beforeDeployment().optional().describe(beforeDeploymentText),
      ...workloadFields(continuousPodFields),
      termination: termination('1m').prefault({}).describe('Termination of the pods.'),
    }),
    [...statefulSetRules, ...hooksRules, ...workloadRulesOf(['volumeClaimTemplates'])],
  );

/** PinterestStatefulSet: Members with stable names and volumes of their own. */
export const pinterestStatefulSetKind = {
  plural: 'pintereststatefulsets',
  singular: 'pintereststatefulset',
  shortNames: ['psts'],
  scope: 'Namespaced',
  summary: 'Members with stable names and volumes of their own.',
  traits: { lifecycle: 'Continuous', scales: true, serves: true, hasMembers: true, perNode: false },
  podTemplates: onePodTemplate,
  podFields: continuousPodFields,
  columns: [readyColumn, ...replicaColumns, ...lastWorkloadColumns],
  images: ({ beforeDeployment: hooks }: z.output<ReturnType<typeof statefulSetSpec>>) => hookImages(hooks),
  spec: statefulSetSpec,
  manifestRules: [membersServiceRule],
  status: () => z.strictObject({ ...replicatedStatusFields(), ...hookStatusFields() }),
} as const satisfies WorkloadKindDefinition & KindSchemas;
