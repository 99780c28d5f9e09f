import * as z from 'zod';
import { autoscaling } from '../fields/autoscaling';
import { absolutePath, duration, keyedList, integer } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { containerPort, loadBalancer, servicePort } from '../fields/load-balancer';
import { disruption, rollout } from '../fields/rollout';
import { serviceRules } from '../rules/service-rules';
import { workloadFields } from '../fields/workload-fields';
import { lastWorkloadColumns, readyColumn, replicaColumns } from '../crd/printer-columns';
import { replicatedStatusFields } from '../fields/status-fields';
import { onePodTemplate, type WorkloadKindDefinition } from './kind-definition';

/** Probes for the first container, where it has none of its own. */
const health = () =>
  z.strictObject({
    path: absolutePath('/healthz')
      .optional()
      .describe('Path that answers 200 when healthy; where left out a connection is enough.'),
    port: containerPort().optional().describe('Port to ask; the first port of the load balancer where left out.'),
    interval: duration().default('10s').describe('Time between two questions.'),
    timeout: duration().default('1s').describe('How long an answer may take.'),
    startup: duration().default('1m').describe('How long the start may take before the container is restarted.'),
    failures: integer(1, 100)
      .default(3)
      .describe(
        'Questions in a row without an answer before a pod is sent no more requests; after twice as many its container is restarted.',
      ),
  });

/** Schema of `PinterestService.spec`: a long-running stateless workload. */
export const serviceSpec = () =>
  withRules(
    z.strictObject({
      replicas: integer(0, 10000).optional().describe('Number of pods; 1 where neither this nor autoscaling is given.'),
      autoscaling: autoscaling().optional().describe('Number of pods by the load, instead of replicas.'),
      loadBalancer: loadBalancer().optional().describe('How clients reach it; without it nobody does.'),
      ports: keyedList(servicePort(), ['name'], 32)
        .optional()
        .describe('Further ports of its Service, within the cluster only.'),
      health: health().optional().describe('Probes for the first container, where it has none of its own.'),
      rollout: rollout().prefault({}).describe('How new versions replace old ones.'),
      disruption: disruption().prefault({}).describe('How many pods a drain must leave.'),
      leaderElection: z
        .boolean()
        .default(false)
        .describe(
          'Whether its pods may hold a Lease of the name of the workload; gives them a token for the API server.',
        ),
      ...workloadFields(),
    }),
    serviceRules,
  );

/** PinterestService: A long-running stateless workload, and how clients reach it. */
export const pinterestServiceKind = {
  plural: 'pinterestservices',
  singular: 'pinterestservice',
  shortNames: ['psvc'],
  scope: 'Namespaced',
  summary: 'A long-running stateless workload, and how clients reach it.',
  traits: { lifecycle: 'Continuous', scales: true, serves: true, hasMembers: false, perNode: false },
  podTemplates: onePodTemplate,
  columns: [readyColumn, ...replicaColumns, ...lastWorkloadColumns],
  spec: serviceSpec,
  status: () =>
    z.strictObject({
      ...replicatedStatusFields(),
      hosts: z.array(z.string().max(253)).max(16).optional().describe('Host names that lead to it.'),
    }),
} as const satisfies WorkloadKindDefinition;
