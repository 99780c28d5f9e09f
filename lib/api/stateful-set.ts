import * as z from 'zod';
import { claimRetention, claimTemplate } from './claim-template';
import { duration, keyedList, whole } from './field';
import { withRules } from './field-facts';
import { loadBalancer, servicePort } from './load-balancer';
import { countOrPercent, disruption } from './rollout';
import { statefulSetRules } from './stateful-set-rules';
import { termination, workloadFields } from './workload-fields';
import { workloadRules } from './workload-rules';

const update = () =>
  z.strictObject({
    strategy: z
      .enum(['rolling', 'onDelete'])
      .default('rolling')
      .describe('Whether members are replaced, the last one first, or wait until somebody deletes them.'),
    partition: whole(0, 2000000)
      .default(0)
      .describe('Members with a lower number keep the old version; a number beyond the last holds all of them.'),
    maxUnavailable: countOrPercent()
      .optional()
      .describe(
        'Members that may be missing during an update, on clusters that allow more than one; one where left out.',
      ),
    minReady: duration().default('0s').describe('How long a new member must be ready before the next one.'),
    history: whole(0, 100).default(5).describe('Old versions to keep for a roll back.'),
  });

/** Schema of `PinterestStatefulSet.spec`: members with names and volumes of their own. */
export const statefulSetSpec = () =>
  withRules(
    z.strictObject({
      replicas: whole(0, 1000).default(1).describe('Number of members.'),
      claims: keyedList(claimTemplate(), ['name'], 16)
        .default([])
        .describe('Volumes that every member gets for itself.'),
      claimRetention: claimRetention().prefault({}).describe('What becomes of the volumes.'),
      ordinals: z
        .strictObject({ start: whole(0, 1000000).default(0).describe('Number of the first member.') })
        .prefault({})
        .describe('How members are numbered.'),
      management: z
        .enum(['ordered', 'parallel'])
        .default('ordered')
        .describe('Whether members start one after the other.'),
      update: update().prefault({}).describe('How new versions replace old ones.'),
      disruption: disruption('1 where neither is given').prefault({}).describe('How many members a drain must leave.'),
      ports: keyedList(servicePort(), ['name'], 32)
        .optional()
        .describe('Ports by which members find each other, beside those of the load balancer.'),
      publishNotReady: z.boolean().default(false).describe('Whether members find each other before they are ready.'),
      loadBalancer: loadBalancer().optional().describe('How clients reach any member.'),
      ...workloadFields(),
      termination: termination('1m').prefault({}).describe('How its pods end.'),
    }),
    [...statefulSetRules, ...workloadRules],
  );
