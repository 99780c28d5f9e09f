import * as z from 'zod';
import { claimRetention, claimTemplate } from '../fields/claim-template';
import { duration, keyedList, integer } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { loadBalancer, servicePort } from '../fields/load-balancer';
import { countOrPercent, disruption } from '../fields/rollout';
import { statefulSetRules } from '../rules/stateful-set-rules';
import { termination, workloadFields } from '../fields/workload-fields';
import { workloadRules } from '../rules/workload-rules';
import { lastWorkloadColumns, readyColumn, replicaColumns } from '../crd/printer-columns';
import { replicatedStatusFields } from '../fields/status-fields';
import { onePodTemplate, type WorkloadKindDefinition } from './kind-definition';

const update = () =>
  z.strictObject({
    strategy: z
      .enum(['RollingUpdate', 'OnDelete'])
      .default('RollingUpdate')
      .describe('Whether members are replaced, the last one first, or wait until somebody deletes them.'),
    partition: integer(0, 2000000)
      .default(0)
      .describe('Members with a lower number keep the old version; a number beyond the last holds all of them.'),
    maxUnavailable: countOrPercent()
      .optional()
      .describe(
        'Members that may be missing during an update, on clusters that allow more than one; one where left out.',
      ),
    minReady: duration().default('0s').describe('How long a new member must be ready before the next one.'),
    revisionHistoryLimit: integer(0, 100).default(5).describe('Old versions to keep for a roll back.'),
  });

/** Schema of `PinterestStatefulSet.spec`: members with names and volumes of their own. */
export const statefulSetSpec = () =>
  withRules(
    z.strictObject({
      replicas: integer(0, 1000).default(1).describe('Number of members.'),
      volumeClaimTemplates: keyedList(claimTemplate(), ['name'], 16)
        .default([])
        .describe('Volumes that every member gets for itself.'),
      persistentVolumeClaimRetentionPolicy: claimRetention().prefault({}).describe('What becomes of the volumes.'),
      ordinals: z
        .strictObject({ start: integer(0, 1000000).default(0).describe('Number of the first member.') })
        .prefault({})
        .describe('How members are numbered.'),
      podManagementPolicy: z
        .enum(['OrderedReady', 'Parallel'])
        .default('OrderedReady')
        .describe('Whether members start one after the other.'),
      update: update().prefault({}).describe('How new versions replace old ones.'),
      disruption: disruption('1 where neither is given').prefault({}).describe('How many members a drain must leave.'),
      ports: keyedList(servicePort(), ['name'], 32)
        .optional()
        .describe('Ports by which members find each other, beside those of the load balancer.'),
      publishNotReadyAddresses: z
        .boolean()
        .default(false)
        .describe('Whether members find each other before they are ready.'),
      loadBalancer: loadBalancer().optional().describe('How clients reach any member.'),
      ...workloadFields(),
      termination: termination('1m').prefault({}).describe('How its pods end.'),
    }),
    [...statefulSetRules, ...workloadRules],
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
  columns: [readyColumn, ...replicaColumns, ...lastWorkloadColumns],
  spec: statefulSetSpec,
  status: () => z.strictObject(replicatedStatusFields()),
} as const satisfies WorkloadKindDefinition;
