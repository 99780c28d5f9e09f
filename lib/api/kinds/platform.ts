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
import { allowsNoAnnotation, unsafeAnnotationAdvice } from '../values/ingress-annotation';
import { immediateRollout } from '../rules/immediate-rollout';
import { type ValidationRule } from '../rules/validation-rule';
import { nativeLeaf } from '../schema/native-leaf';
import { type Toleration } from '../native';
import { systemQuotaResource } from '../values/quota-resource';
import { gatewaySettings, gatewaySettingsRules } from '../fields/gateway-settings';
import { defaultApiBudget } from '../fields/api-budget';
import { boundedRead } from '../fields/bounded-read';
import { rolloutPolicy } from '../fields/rollout-policy';
import { patchableKinds } from '../fields/patchable-fields';
import { resources } from '../fields/workload-fields';
import { countColumn, lastColumns, readyColumn, textColumn } from '../crd/printer-columns';
import { platformStatusFields, statusTime, statusCount } from '../fields/status-fields';
import { type KindDefinition, type KindSchemas } from './kind-definition';

const tolerations = () => nativeLeaf<readonly Toleration[]>('Toleration', 32);

/** A priority tier. */
const tier = () =>
  z.strictObject({
    name: label('standard').describe('Name of the tier, and of its PriorityClass.'),
    priority: integer(-1000000000, 1000000000).describe('Priority value; higher ones are scheduled first.'),
    preemption: z.boolean().default(true).describe('Whether its pods may preempt others of lower priority.'),
    requests: z
      .enum(['Default', 'Required'])
      .default('Default')
      .describe('Handling of containers without requests and limits: apply defaults, or reject.'),
    resources: resources()
      .optional()
      .describe('Default requests and limits of its containers. Defaults to those of the Platform.'),
    tolerations: tolerations().optional().describe('Taints that its pods tolerate.'),
  });

/** A node pool. */
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
      .describe('Extended resources of its nodes.'),
  });

/** Ingress settings of one exposure. */
const ingressSettings = () =>
  z.strictObject({
    ingressClassName: objectName('internal').describe('Ingress class.'),
    domain: host().optional().describe("Base domain of generated host names. Defaults to the Platform's."),
    tls: z.boolean().default(true).describe('Whether to serve host names over TLS.'),
    clusterIssuer: label('letsencrypt').optional().describe('ClusterIssuer of cert-manager that issues certificates.'),
    annotations: mapOf(labelKey(), z.string().max(4096), 32).default({}).describe('Annotations of every Ingress.'),
  });

/** Annotation of Ingresses that projects may set. */
const ingressAnnotation = () =>
  text({
    pattern: /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[-A-Za-z0-9_.]*\*?$/,
    what: 'an annotation key with a domain, or the beginning of one before a star',
    example: 'nginx.ingress.kubernetes.io/proxy-body-size',
    max: 317,
  });

/** Warns about entries without effect; an error would make Platforms invalid that clusters already have. */
const annotationsAllowable: ValidationRule = {
  name: 'platform-ingress-annotations',
  cel: 'true',
  where: 'client',
  severity: 'warning',
  find: ({ ingress }) => {
    const { allowedAnnotations } = (ingress ?? {}) as { readonly allowedAnnotations?: unknown };
    return (Array.isArray(allowedAnnotations) ? allowedAnnotations : []).flatMap((value: unknown, index) => {
      if (typeof value !== 'string' || !allowsNoAnnotation(value)) return [];
      const { reason, platform: remedy } = unsafeAnnotationAdvice(value);
      return [{ path: ['ingress', 'allowedAnnotations', index], value, reason, remedy }];
    });
  },
  reason: 'cannot be allowed to projects',
  remedy: 'remove it',
  code: 'not-available',
};

/** Fields of generated objects that patches of some workloads may change in addition. */
const patchException = () =>
  z.strictObject({
    project: label('storage').describe('Project of the workloads.'),
    workload: objectName('volume-driver').optional().describe('Name of the workload. Defaults to all of the project.'),
    kind: z.enum(patchableKinds).describe('Kind of the generated objects.'),
    fields: listOf(
      text({
        pattern: /^\/(spec\/[^/]+|metadata\/annotations)(\/[^/]+)*$/,
        what: 'a JSON Pointer of a field below spec or of annotations',
        example: '/spec/template/spec/schedulerName',
        max: 256,
      }),
      16,
      1,
    ).describe('JSON Pointers of the fields, which include all fields below them; `*` matches any key or index.'),
  });

/** Default object quota: far above the needs of the control plane and its add-ons, far below a runaway client. */
const generous = {
  pods: '1k',
  services: '100',
  'services.loadbalancers': '10',
  configmaps: '1k',
  secrets: '1k',
  persistentvolumeclaims: '100',
};

/** A namespace of Kubernetes or the platform. */
const systemNamespace = () =>
  z.strictObject({
    name: label('kube-system').describe('Name of an existing namespace.'),
    quota: mapOf(systemQuotaResource(), quantity(), 16)
      .default(generous)
      .describe(
        'Resource quota of the namespace; pods of the priority classes system-cluster-critical and system-node-critical do not count.',
      ),
  });

/** Returns the schema of a list of groups, as the API server knows them. */
const groups = () =>
  listOf(text({ pattern: /^\S+$/, what: 'a name of a group', example: 'oidc:platform-team', max: 253 }), 32, 1);

/** Schema of `Platform.spec`: settings of one cluster that workloads depend on. */
export const platformSpec = () =>
  withRules(
    z.strictObject({
      cluster: label('main').describe('Name of the cluster.'),
      environment: label('prod').default('dev').describe('Environment of the cluster, such as production.'),
      region: label('us-east-1').optional().describe('Cloud region of the cluster.'),
      kubernetesVersion: z.enum(['1.35', '1.36']).default('1.36').describe('Minor version of the API server.'),
      domain: host().describe('Base domain of generated host names.'),
      administrators: groups()
        .default(['system:masters'])
        .describe(
          'Groups of the platform team, which alone may write Projects, RuntimeProfiles and the Platform, delete PlatformRollouts, and change protected projects directly.',
        ),
      zones: listOf(label('us-east-1a'), 16).default([]).describe('Zones of the nodes.'),
      aws: z
        .strictObject({
          accountId: text({
            pattern: /^[0-9]{12}$/,
            what: 'an AWS account',
            example: '123456789012',
            max: 12,
          }).describe('AWS account of IAM roles that are named without an ARN.'),
          partition: z.enum(['aws', 'aws-cn', 'aws-us-gov']).default('aws').describe('AWS partition of the account.'),
        })
        .optional()
        .describe('AWS account of IAM roles.'),
      tiers: keyedList(tier(), ['name'], 16).min(1).describe('Priority tiers for workloads.'),
      defaultTier: label('standard').describe('Default tier of workloads.'),
      resources: resources().describe('Default requests and limits of containers.'),
      pools: keyedList(pool(), ['name'], 64).default([]).describe('Node pools for workloads.'),
      defaultPool: label('general').optional().describe('Default pool of workloads. Defaults to any node.'),
      ingress: z
        .strictObject({
          internal: ingressSettings().optional().describe('Ingress from the company network.'),
          external: ingressSettings().optional().describe('Ingress from the internet.'),
          allowedAnnotations: listOf(ingressAnnotation(), 64)
            .default([])
            .describe(
              'Annotations that projects may set on Ingresses, in addition to those that the platform sets; a trailing * matches any suffix.',
            ),
        })
        .prefault({})
        .describe('Ingress of HTTP traffic, by exposure.'),
      storage: z
        .strictObject({
          classes: listOf(objectName('fast'), 32)
            .default([])
            .describe('Storage classes for workloads; empty allows any.'),
          defaultClass: objectName('fast')
            .optional()
            .describe('Default storage class of claims. Defaults to that of the cluster.'),
        })
        .prefault({})
        .describe('Storage for workloads.'),
      network: z
        .strictObject({
          defaultDeny: z
            .boolean()
            .default(false)
            .describe('Whether to deny traffic to workloads unless they allow it.'),
          ingressNamespaces: listOf(label('ingress'), 16)
            .default(['ingress'])
            .describe('Namespaces of the ingress controllers.'),
          dnsNamespace: label('kube-system').default('kube-system').describe('Namespace of the cluster DNS.'),
        })
        .prefault({})
        .describe('Network settings.'),
      runtime: z
        .strictObject({
          profile: objectName('default-1').default('default-1').describe('Name of the RuntimeProfile in force.'),
          rollout: z
            .enum(['Immediate', 'OnNextDeploy'])
            .default('OnNextDeploy')

            .describe(
              'When to move workloads to a new profile, immediately or with their next deployment; deprecated since 0.3.0: set rollouts.',
            ),
          rolloutDeadline: duration()
            .default('14d')

            .describe(
              'Time after which workloads without a deployment are moved to a new profile; deprecated since 0.3.0: set rollouts.',
            ),
          canary: z
            .strictObject({
              project: label('pinion-canary').default('pinion-canary').describe('Project of the canary.'),
              freshness: duration().default('30m').describe('Maximum age of a canary run that counts.'),
            })
            .optional()
            .describe(
              'Canary that must succeed with a new profile before workloads without a deployment are moved. Defaults to none.',
            ),
          expansionRelease: z
            .strictObject({
              heldBefore: text({
                pattern: /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/,
                what: 'a time in RFC 3339, in UTC',
                example: '2026-03-01T12:00:00Z',
                max: 20,
              }).describe(
                'Time until which workloads must have been held to be released; one in the future counts as the time at which the controller first saw it.',
              ),
              projects: listOf(label('shop'), 256)
                .default([])
                .describe('Projects of the workloads; empty releases all.'),
            })
            .optional()
            .describe(
              'Release of workloads whose pods a new version of the controller would change. Defaults to none.',
            ),
          expansionEpoch: integer(1, 2147483647)
            .optional()
            .describe(
              'Number that is raised to take along what a new version of the controller expands differently: another number is another revision, which spec.rollouts moves workloads to. Defaults to none.',
            ),
          project: label('pinion-system')
            .default('pinion-system')
            .describe('Infrastructure project of node-level parts.'),
          images: mapOf(label('registrar'), image('registrar'), 64)
            .default({})
            .describe('Container images of parts by name, for parts without a public image and for mirrors.'),
          values: mapOf(
            text({ pattern: /^[a-z][A-Za-z0-9]*$/, what: 'the name of a value', example: 'zookeeper', max: 63 }),
            z.string().max(1024),
            64,
          )
            .default({})
            .describe('Values that parts need, by the name that the part declares.'),
        })
        .prefault({})
        .describe('Runtime support that is added to workloads.'),
      rollouts: rolloutPolicy()
        .optional()
        .describe(
          'Rollouts of changes of the runtime and of other settings that workloads depend on, in waves; spec.runtime.rollout and rolloutDeadline then do not count. Defaults to none: such changes reach all workloads as spec.runtime says.',
        ),
      scaling: z
        .strictObject({
          customAdapter: label('prometheus-adapter')
            .optional()
            .describe('Adapter that serves custom metrics. Defaults to none.'),
          externalAdapter: label('keda').optional().describe('Adapter that serves external metrics. Defaults to none.'),
          scheduledAdapter: label('schedule-exporter')
            .optional()
            .describe('Adapter that serves scheduled windows as an external metric. Defaults to none.'),
        })
        .prefault({})
        .describe('Metrics adapters for autoscaling.'),
      gateway: gatewaySettings()
        .optional()
        .describe('Gateway to the API server, and which clients must use it. Defaults to none.'),
      gangScheduling: z
        .boolean()
        .default(false)
        .describe("Whether the scheduler's feature gate GangScheduling is enabled."),
      deploymentKeys: listOf(
        text({
          pattern: /^[A-Za-z0-9+/]{40,}={0,2}$/,
          what: 'a public key (SPKI) in base64',
          example: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
          max: 1024,
        }),
        8,
      )
        .default([])
        .describe(
          'Public keys with which the submission service authorizes deployments to protected stages, which are rejected without one; list two during a rotation.',
        ),
      breakGlass: listOf(
        text({ pattern: /^\S+$/, what: 'a name of a group', example: 'platform-oncall', max: 253 }),
        16,
      )
        .default([])
        .describe(
          'Groups whose members may change workloads of protected projects without a proof in an emergency, with the annotation pinterest.com/break-glass, and pause, abort, roll back and speed up PlatformRollouts.',
        ),
      defaultQuota: mapOf(
        text({ pattern: /^[a-z0-9./-]+$/, what: 'a resource', example: 'pods', max: 253 }),
        quantity(),
        32,
      )
        .default({})
        .describe('Default quota of Projects.'),
      defaultApiBudget: defaultApiBudget(),
      boundedReads: keyedList(boundedRead(), ['resource'], 64)
        .default([])
        .describe(
          'Resources of which the gateway answers reads without a resource version from its cache. Defaults to none: the API server answers such reads.',
        ),
      patchExceptions: listOf(patchException(), 32)
        .default([])
        .describe('Fields that patches of some workloads may change in addition to those that all patches may change.'),
      systemNamespaces: keyedList(systemNamespace(), ['name'], 64)
        .default([])
        .describe(
          'Namespaces outside Projects, such as kube-system, with their quotas; namespaces not listed have none.',
        ),
    }),
    [
      annotationsAllowable,
      immediateRollout,
      ...gatewaySettingsRules,
      {
        name: 'platform-default-tier',
        cel: 'self.tiers.exists(t, t.name == self.defaultTier)',
        fieldPath: ['defaultTier'],
        reason: 'must be one of spec.tiers',
        remedy: 'use the name of a tier',
        code: 'unknown-reference',
      },
      {
        name: 'platform-default-pool',
        cel: '!has(self.defaultPool) || self.pools.exists(p, p.name == self.defaultPool)',
        fieldPath: ['defaultPool'],
        reason: 'must be one of spec.pools',
        remedy: 'use the name of a pool',
        code: 'unknown-reference',
      },
      {
        name: 'platform-default-resources',
        cel: 'has(self.resources.requests) && has(self.resources.limits) && "cpu" in self.resources.requests && "memory" in self.resources.requests && "memory" in self.resources.limits',
        fieldPath: ['resources'],
        reason: 'must set a CPU request, a memory request and a memory limit',
        remedy: 'set requests.cpu, requests.memory and limits.memory',
        code: 'required',
      },
    ],
  );

/** Platform: Settings of one cluster that workloads depend on, and the runtime profile in force. */
export const platformKind = {
  plural: 'platforms',
  singular: 'platform',
  shortNames: ['plat'],
  scope: 'Cluster',
  summary: 'Settings of one cluster that workloads depend on, and the runtime profile in force.',
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
          profile: z.string().max(253).describe('RuntimeProfile in force.'),
          since: statusTime().describe('Time since which it is in force.'),
          rolloutBlockedReason: z
            .string()
            .max(1024)
            .optional()
            .describe('Why the rollout of the profile is blocked, as reported by the canary.'),
          previousProfiles: z
            .array(z.string().max(253))
            .max(8)
            .optional()
            .describe('Profiles that were in force before, last one first.'),
          withdrawnProfiles: z
            .array(z.string().max(253))
            .max(8)
            .optional()
            .describe(
              'Profiles that were in force until the Platform named this one again; their workloads move back immediately.',
            ),
          settings: mapOf(
            z.string().max(253),
            z.strictObject({
              images: mapOf(z.string().max(63), z.string().max(1024), 64).describe(
                'Container images of parts by name.',
              ),
              values: mapOf(z.string().max(63), z.string().max(1024), 64).describe('Values that parts need, by name.'),
            }),
            16,
          )
            .optional()
            .describe('Images and values that workloads get with each profile.'),
          expansionRelease: z
            .strictObject({
              heldBefore: z.string().max(20).describe('Time until which workloads must have been held to be released.'),
              since: statusTime().describe('Time since which the controller knows it; no later hold is released.'),
            })
            .optional()
            .describe('Release of held workloads; absent if the Platform has none.'),
        })
        .optional()
        .describe('Runtime profile in force, and since when; rolloutDeadline counts from that time.'),
      revisions: z
        .strictObject({
          current: z.string().max(253).describe('PlatformRevision of the present spec.'),
          completed: z.string().max(253).describe('Last PlatformRevision that was rolled out; new workloads get it.'),
          rollout: z
            .string()
            .max(253)
            .optional()
            .describe('PlatformRollout to the current one; absent if none was needed.'),
        })
        .optional()
        .describe('Revisions of the Platform, if spec.rollouts is set.'),
      gateway: z
        .strictObject({
          enforced: z.boolean().describe('Whether direct access to the API server is refused.'),
          directPods: statusCount()
            .optional()
            .describe('Number of pods that have a token for the API server and must use the gateway.'),
          pendingReason: z
            .string()
            .max(1024)
            .optional()
            .describe('Why it is not refused, or would not be if the Platform enforced it now.'),
        })
        .optional()
        .describe('Access to the API server, if spec.gateway has a stage.'),
      profiles: mapOf(z.string().max(253), statusCount(), 64)
        .optional()
        .describe('Number of workloads by RuntimeProfile of their pods.'),
    }),
} as const satisfies KindDefinition & KindSchemas;
