import * as z from 'zod';
import { autoscaling } from '../fields/autoscaling';
import { beforeDeployment, beforeDeploymentText } from '../fields/before-deployment';
import { absolutePath, duration, keyedList, integer } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { containerPort, loadBalancer, servicePort } from '../fields/load-balancer';
import { continuousPodFields } from '../fields/platform-pod-fields';
import { disruption, rollout } from '../fields/rollout';
import { hooksRules } from '../rules/hook-rules';
import { serviceRules } from '../rules/service-rules';
import { workloadFields } from '../fields/workload-fields';
import { lastWorkloadColumns, readyColumn, replicaColumns } from '../crd/printer-columns';
import { hookStatusFields, replicatedStatusFields, variantStatus } from '../fields/status-fields';
import { maxVariants, variant } from '../fields/variant';
import { hookImages } from './hook-images';
import { onePodTemplate, type LocatedImage, type WorkloadKindDefinition, type KindSchemas } from './kind-definition';

/** Probes of the first container. */
const health = () =>
  z.strictObject({
    path: absolutePath('/healthz')
      .optional()
      .describe('HTTP path that returns 200 if healthy. Defaults to a TCP check.'),
    port: containerPort()
      .optional()
      .describe('Port of the probes, by number or name. Defaults to the first port of the load balancer.'),
    interval: duration().default('10s').describe('Time between probes.'),
    timeout: duration().default('1s').describe('Timeout of a probe.'),
    startup: duration().default('1m').describe('Maximum startup time before the container is restarted.'),
    failures: integer(1, 100)
      .default(3)
      .describe(
        'Number of consecutive failures before a pod stops receiving requests; after twice as many the container is restarted.',
      ),
  });

/** Schema of `PinterestService.spec`: a long-running stateless workload. */
export const serviceSpec = () =>
  withRules(
    z.strictObject({
      replicas: integer(0, 10000).optional().describe('Number of pods. Defaults to 1 without autoscaling.'),
      autoscaling: autoscaling().optional().describe('Autoscaling of the number of pods, instead of replicas.'),
      variants: keyedList(variant(), ['name'], maxVariants)
        .min(1)
        .optional()
        .describe('Versions that run side by side behind one Service, each in a Deployment of its own.'),
      loadBalancer: loadBalancer().optional().describe('Load balancing of client requests. Defaults to none.'),
      ports: keyedList(servicePort(), ['name'], 32)
        .optional()
        .describe('Additional ports of its Service, reachable within the cluster only.'),
      health: health().optional().describe('Probes of the first container, unless it has its own.'),
      rollout: rollout().prefault({}).describe('Rollout strategy.'),
      disruption: disruption().prefault({}).describe('Disruption budget during node drains.'),
      leaderElection: z
        .boolean()
        .default(false)
        .describe('Whether to allow its pods a Lease with the name of the workload; mounts a service account token.'),
      beforeDeployment: beforeDeployment().optional().describe(beforeDeploymentText),
      ...workloadFields(continuousPodFields),
    }),
    [...serviceRules, ...hooksRules],
  );

/** Lists the images of variants and hooks; without containers the template is invalid. */
function images(spec: z.output<ReturnType<typeof serviceSpec>>): readonly LocatedImage[] {
  const { template, variants = [], beforeDeployment: hooks } = spec;
  const container = template.spec.containers[0]?.name ?? '';
  const ofVariants = variants.flatMap(({ image }, index) =>
    image === undefined ? [] : [{ container, image, path: ['spec', 'variants', index, 'image'] }],
  );
  return [...ofVariants, ...hookImages(hooks)];
}

/** PinterestService: A long-running stateless workload, optionally behind a load balancer. */
export const pinterestServiceKind = {
  plural: 'pinterestservices',
  singular: 'pinterestservice',
  shortNames: ['psvc'],
  scope: 'Namespaced',
  summary: 'A long-running stateless workload, optionally behind a load balancer.',
  traits: { lifecycle: 'Continuous', scales: true, serves: true, hasMembers: false, perNode: false },
  podTemplates: onePodTemplate,
  podFields: continuousPodFields,
  images,
  columns: [readyColumn, ...replicaColumns, ...lastWorkloadColumns],
  spec: serviceSpec,
  status: () =>
    z.strictObject({
      ...replicatedStatusFields(),
      variants: keyedList(variantStatus(), ['name'], maxVariants).optional().describe('Pods of each variant.'),
      ...hookStatusFields(),
      hosts: z.array(z.string().max(253)).max(16).optional().describe('Host names of its Ingress.'),
    }),
} as const satisfies WorkloadKindDefinition & KindSchemas;
