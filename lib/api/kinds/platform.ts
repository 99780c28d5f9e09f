import * as z from 'zod';
import {
  duration,
  host,
  keyedList,
  label,
  labelKey,
  labelValue,
  listOf,
  mapOf,
  objectName,
  quantity,
  text,
  integer,
} from '../schema/field';
import { withRules } from '../schema/field-facts';
import { image } from '../values/image';
import { nativeLeaf } from '../schema/native-leaf';
import { type Toleration } from '../native';
import { systemQuotaResource } from '../values/quota-resource';
import { resources } from '../fields/workload-fields';
import { countColumn, lastColumns, readyColumn, textColumn } from '../crd/printer-columns';
import { platformStatusFields, statusTime, statusCount } from '../fields/status-fields';
import { type KindDefinition } from './kind-definition';

const tolerations = () => nativeLeaf<readonly Toleration[]>('Toleration', 32);

/** A tier of priority. */
const tier = () =>
  z.strictObject({
    name: label('standard').describe('Name of the tier, and of its PriorityClass.'),
    priority: integer(-1000000000, 1000000000).describe('Priority of its pods; higher ones are scheduled first.'),
    preemption: z.boolean().default(true).describe('Whether its pods may displace others of lower priority.'),
    requests: z
      .enum(['Default', 'Required'])
      .default('Default')
      .describe('Whether requests and limits that a person left out are defaulted or refused.'),
    resources: resources().optional().describe("Defaults of its containers instead of the Platform's."),
    tolerations: tolerations().optional().describe('Taints that its pods tolerate.'),
  });

/** A group of nodes that pods may ask for. */
const pool = () =>
  z.strictObject({
    name: label('general').describe('Name of the pool.'),
    nodeSelector: mapOf(labelKey(), labelValue(), 16).default({}).describe('Labels of its nodes.'),
    tolerations: tolerations().optional().describe('Taints of its nodes.'),
    accelerators: listOf(
      text({
        pattern: /^[a-z0-9.-]+\/[a-z0-9.-]+$/,
        what: 'an extended resource',
        example: 'nvidia.com/gpu',
        max: 253,
      }),
      8,
    )
      .default([])
      .describe('Extended resources that its nodes have.'),
  });

/** How HTTP traffic of one exposure enters. */
const entrance = () =>
  z.strictObject({
    ingressClassName: objectName('internal').describe('Ingress class.'),
    domain: host().optional().describe("Domain of derived host names; the Platform's where left out."),
    tls: z.boolean().default(true).describe('Whether host names are served over TLS.'),
    clusterIssuer: label('letsencrypt').optional().describe('Cluster issuer of cert-manager that makes certificates.'),
    annotations: mapOf(labelKey(), z.string().max(4096), 32).default({}).describe('Annotations on every Ingress.'),
  });

/** Far above what the control plane and its add-ons need, and far below what a program gone wild would make. */
const generous = {
  pods: '1k',
  services: '100',
  'services.loadbalancers': '10',
  configmaps: '1k',
  secrets: '1k',
  persistentvolumeclaims: '100',
};

/** A namespace of Kubernetes or of the platform itself. */
const systemNamespace = () =>
  z.strictObject({
    name: label('kube-system').describe('Name of the namespace, which exists.'),
    quota: mapOf(systemQuotaResource(), quantity(), 16)
      .default(generous)
      .describe(
        'Most that there may be in it; pods of the priority classes system-cluster-critical and system-node-critical never count.',
      ),
  });

/** Schema of `Platform.spec`: the facts of one cluster that workloads lean on. */
export const platformSpec = () =>
  withRules(
    z.strictObject({
      cluster: label('main').describe('Name of the cluster.'),
      environment: label('prod').default('dev').describe('What the cluster is for.'),
      region: label('us-east-1').optional().describe('Region of the cluster.'),
      kubernetesVersion: z.enum(['1.35', '1.36']).default('1.36').describe('Minor version of its API server.'),
      domain: host().describe('Domain below which host names are derived.'),
      zones: listOf(label('us-east-1a'), 16).default([]).describe('Zones of its nodes.'),
      aws: z
        .strictObject({
          accountId: text({
            pattern: /^[0-9]{12}$/,
            what: 'an AWS account',
            example: '123456789012',
            max: 12,
          }).describe('Account of IAM roles that are named without an ARN.'),
          partition: z.enum(['aws', 'aws-cn', 'aws-us-gov']).default('aws').describe('Partition of the account.'),
        })
        .optional()
        .describe('Where IAM roles live.'),
      tiers: keyedList(tier(), ['name'], 16).min(1).describe('Priority tiers that it offers.'),
      defaultTier: label('standard').describe('Tier of workloads that name none.'),
      resources: resources().describe('Requests and limits of containers that have none.'),
      pools: keyedList(pool(), ['name'], 64).default([]).describe('Node pools that it offers.'),
      defaultPool: label('general').optional().describe('Pool of workloads that name none; any node where left out.'),
      ingress: z
        .strictObject({
          internal: entrance().optional().describe("How the company's network reaches workloads."),
          external: entrance().optional().describe('How the internet reaches workloads.'),
        })
        .prefault({})
        .describe('How HTTP traffic enters.'),
      storage: z
        .strictObject({
          classes: listOf(objectName('fast'), 32)
            .default([])
            .describe('Storage classes that it offers; any where empty.'),
          defaultClass: objectName('fast')
            .optional()
            .describe("Class of claims that name none; the cluster's default where left out."),
        })
        .prefault({})
        .describe('Volumes that it offers.'),
      network: z
        .strictObject({
          defaultDeny: z
            .boolean()
            .default(false)
            .describe('Whether nothing reaches a workload that does not allow it.'),
          ingressNamespaces: listOf(label('ingress'), 16)
            .default(['ingress'])
            .describe('Namespaces of the ingress controllers.'),
          dnsNamespace: label('kube-system').default('kube-system').describe('Namespace of the cluster DNS.'),
        })
        .prefault({})
        .describe('How its network behaves.'),
      runtime: z
        .strictObject({
          profile: objectName('default-1').default('default-1').describe('RuntimeProfile in force.'),
          rollout: z
            .enum(['Immediate', 'OnNextDeploy'])
            .default('OnNextDeploy')
            .describe('When workloads move to a new profile.'),
          rolloutDeadline: duration().default('14d').describe('When workloads are moved that were not deployed since.'),
          canary: z
            .strictObject({
              project: label('pinion-canary').default('pinion-canary').describe('Project of the canary.'),
              freshness: duration().default('30m').describe('For how long a run of it speaks of the cluster.'),
            })
            .optional()
            .describe(
              'The canary that has to be well with a new profile before workloads move that were not deployed; it is not asked where left out.',
            ),
          project: label('pinion-system')
            .default('pinion-system')
            .describe('Infrastructure project of node-level parts.'),
          images: mapOf(label('registrar'), image('registrar'), 64)
            .default({})
            .describe('Images of parts by name, for parts without a public one and for mirrors.'),
          values: mapOf(
            text({ pattern: /^[a-z][A-Za-z0-9]*$/, what: 'the name of a value', example: 'zookeeper', max: 63 }),
            z.string().max(1024),
            64,
          )
            .default({})
            .describe('Facts that parts need, by the name that the part declares.'),
        })
        .prefault({})
        .describe('The runtime support that it adds to workloads.'),
      scaling: z
        .strictObject({
          customAdapter: label('prometheus-adapter')
            .optional()
            .describe('What serves custom metrics; none where left out.'),
          externalAdapter: label('keda').optional().describe('What serves external metrics; none where left out.'),
          scheduledAdapter: label('schedule-exporter')
            .optional()
            .describe('What serves scheduled targets as an external metric; none where left out.'),
        })
        .prefault({})
        .describe('What autoscaling can follow.'),
      gangScheduling: z.boolean().default(false).describe("Whether the scheduler's GangScheduling gate is on."),
      defaultQuota: mapOf(
        text({ pattern: /^[a-z0-9./-]+$/, what: 'a resource', example: 'pods', max: 253 }),
        quantity(),
        32,
      )
        .default({})
        .describe('Quota of Projects for what they leave out.'),
      systemNamespaces: keyedList(systemNamespace(), ['name'], 64)
        .default([])
        .describe(
          'Namespaces that belong to no Project, such as kube-system, and their quotas; those that are not listed are left alone.',
        ),
    }),
    [
      {
        name: 'platform-default-tier',
        cel: 'self.tiers.exists(t, t.name == self.defaultTier)',
        fieldPath: ['defaultTier'],
        reason: 'is none of the tiers',
        remedy: 'name one of spec.tiers',
        code: 'unknown-reference',
      },
      {
        name: 'platform-default-pool',
        cel: '!has(self.defaultPool) || self.pools.exists(p, p.name == self.defaultPool)',
        fieldPath: ['defaultPool'],
        reason: 'is none of the pools',
        remedy: 'name one of spec.pools',
        code: 'unknown-reference',
      },
      {
        name: 'platform-default-resources',
        cel: 'has(self.resources.requests) && has(self.resources.limits) && "cpu" in self.resources.requests && "memory" in self.resources.requests && "memory" in self.resources.limits',
        fieldPath: ['resources'],
        reason: 'lacks a CPU request, a memory request or a memory limit, so that containers could be left without',
        remedy: 'give requests.cpu, requests.memory and limits.memory',
        code: 'required',
      },
    ],
  );

/** Platform: Facts of one cluster that workloads depend on, and the runtime profile in force. */
export const platformKind = {
  plural: 'platforms',
  singular: 'platform',
  shortNames: ['plat'],
  scope: 'Cluster',
  summary: 'Facts of one cluster that workloads depend on, and the runtime profile in force.',
  columns: [
    readyColumn,
    textColumn('Cluster', '.spec.cluster'),
    textColumn('Profile', '.spec.runtime.profile'),
    countColumn('Workloads', '.status.workloads'),
    ...lastColumns,
  ],
  spec: platformSpec,
  status: () =>
    z.strictObject({
      ...platformStatusFields(),
      runtime: z
        .strictObject({
          profile: z.string().max(253).describe('RuntimeProfile that is in force.'),
          since: statusTime().describe('Since when it is.'),
          rolloutBlockedReason: z
            .string()
            .max(1024)
            .optional()
            .describe('Why no workload moves to it by itself for now: what the canary says.'),
        })
        .optional()
        .describe(
          'The runtime profile in force, and since when: the deadline of workloads that were not deployed since counts from there.',
        ),
      profiles: mapOf(z.string().max(253), statusCount(), 64)
        .optional()
        .describe('Workloads by the RuntimeProfile that their pods were made with.'),
    }),
} as const satisfies KindDefinition;
