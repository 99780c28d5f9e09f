import * as z from 'zod';
import { amountRules } from '../rules/resource-rules';
import {
  absolutePath,
  duration,
  keyedList,
  label,
  labelKey,
  labelValue,
  listOf,
  mapOf,
  objectName,
  port,
  quantity,
  sentence,
  text,
  url,
  variableName,
  integer,
} from '../schema/field';
import { withFacts, withRules } from '../schema/field-facts';
import { apiAccess } from './api-access';
import { patch } from './patch';
import { type PlatformPodFields } from './platform-pod-fields';
import { podTemplate } from './pod-template';
import { configFileRules, drainRules, platformKeyRules, platformVariableRules } from '../rules/workload-rules';

/** Returns the schema of environment variables by name. */
export const variables = (max = 200) =>
  withFacts(mapOf(variableName(), z.string().max(32768), max), { hidden: true, rules: platformVariableRules });

/** Returns the schema of a file path. */
const filePath = () =>
  text({
    pattern: /^\/[^:]*[^:/]$/,
    what: 'an absolute path of a file without a colon',
    example: '/etc/app/app.yaml',
    max: 1024,
  });

/** Returns the schema of CPU and memory of a container. */
export const resources = () =>
  withRules(
    z.strictObject({
      requests: mapOf(label('memory'), quantity(), 16).optional().describe('Container resource requests.'),
      limits: mapOf(label('memory'), quantity(), 16).optional().describe('Container resource limits.'),
    }),
    amountRules,
  );

/** Returns the schema of a workload's settings for a part of the runtime profile. */
const sidecarChoice = () =>
  z.strictObject({
    enabled: z
      .boolean()
      .optional()
      .describe('Whether to inject the part; Required parts cannot be disabled, OptIn parts are disabled by default.'),
    config: mapOf(label('level'), z.union([z.string().max(4096), z.number(), z.boolean()]), 32)
      .optional()
      .describe('Settings of the part, by name.'),
    env: variables(50).optional().describe("Additional environment variables of the part's containers."),
    resources: resources()
      .optional()
      .describe("CPU and memory of the part's main container. Defaults to those of the profile."),
    mounts: keyedList(
      z.strictObject({
        name: label('data').describe('Name of the pod volume.'),
        mountPath: absolutePath('/var/log/app').describe('Mount path in the containers of the part.'),
        readOnly: z.boolean().optional().describe('Whether to mount the volume read-only.'),
      }),
      ['mountPath'],
      16,
    )
      .optional()
      .describe("Pod volumes to mount into the part's containers."),
  });

/** Returns the schema of `config`. */
export const config = () =>
  z.strictObject({
    files: withFacts(mapOf(filePath(), z.string().max(262144), 64), { hidden: true, rules: configFileRules })
      .optional()
      .describe('Files by absolute path, mounted into every container of the app; a change rolls out the workload.'),
    env: variables()
      .optional()
      .describe("Environment variables of every container of the app; the container's own variables win."),
  });

/** Returns the schema of `secrets`; their values never appear in a spec. */
export const secretsSchema = () =>
  z.strictObject({
    env: withRules(
      mapOf(
        variableName(),
        z.strictObject({
          name: objectName().describe('Name of a Secret in the project.'),
          key: text({
            pattern: /^[-._a-zA-Z0-9]+$/,
            what: 'a key of a secret',
            example: 'password',
            max: 253,
          }).describe('Key in the Secret.'),
          optional: z.boolean().optional().describe('Whether to start the pod if the Secret or key does not exist.'),
        }),
        100,
      ),
      platformVariableRules,
    )
      .optional()
      .describe('Environment variables from keys of Secrets, by name.'),
    files: mapOf(
      absolutePath('/etc/app/tls'),
      z.strictObject({
        name: objectName().describe('Name of a Secret in the project.'),
        optional: z.boolean().optional().describe('Whether to start the pod if the Secret does not exist.'),
      }),
      32,
    )
      .optional()
      .describe('Secrets to mount as folders, by absolute path.'),
  });

const spreadRule = () => z.enum(['Required', 'Preferred', 'Off']);

/** Returns the schema of `placement`. */
export const placement = () =>
  z.strictObject({
    pool: label('general').optional().describe("Node pool of the Platform. Defaults to the Platform's default pool."),
    zones: listOf(label('us-east-1a'), 16, 1)
      .optional()
      .describe('Zones of the pods. Defaults to all zones of the cluster.'),
    spread: z
      .strictObject({
        zones: spreadRule().default('Preferred').describe('Spread of pods across zones: Required, Preferred or Off.'),
        hosts: spreadRule().default('Preferred').describe('Spread of pods across nodes: Required, Preferred or Off.'),
        maxSkew: integer(1, 100)
          .default(1)
          .describe('Maximum difference in the number of pods between zones or nodes.'),
      })
      .prefault({})
      .describe('Topology spread of the pods.'),
  });

/** Returns the schema of `termination` with the default grace period of the kind. */
export const termination = (gracePeriod = '30s') =>
  withRules(
    z.strictObject({
      gracePeriod: duration()
        .default(gracePeriod)
        .describe('Time between the termination request and the kill, drain included.'),
      drain: duration()
        .optional()
        .describe(
          'Time that containers keep serving after the pod left the load balancers. Defaults to 5s for kinds that serve, and to at most half of the grace period.',
        ),
    }),
    drainRules,
  );

const byte = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const group = '[0-9a-fA-F]{1,4}';
/** IPv4 or IPv6 range in CIDR notation. */
export const addressRange = new RegExp(
  `^((${byte}\\.){3}${byte}/(3[0-2]|[12]?[0-9])|((${group}:){7}${group}|(${group}(:${group}){0,6})?::(${group}(:${group}){0,6})?)/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))$`,
);

/** Returns the schema of `access`, from which a NetworkPolicy is generated. */
export const access = () => {
  const peer = withRules(
    z.strictObject({
      project: label('shop').optional().describe('Project of the peer.'),
      workload: text({
        pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
        what: 'the name of a workload',
        example: 'frontend',
        max: 253,
      })
        .optional()
        .describe('Workload of the peer. Defaults to all workloads of the project.'),
      cidr: text({
        pattern: addressRange,
        what: 'an address range',
        example: '10.0.0.0/8',
        max: 64,
      })
        .optional()
        .describe('IP range outside the cluster, in CIDR notation.'),
      ports: listOf(port(), 32).optional().describe('Ports. Defaults to all ports.'),
    }),
    [
      {
        name: 'access-peer',
        cel: 'has(self.cidr) ? !has(self.project) && !has(self.workload) : has(self.project) || has(self.workload)',
        reason: 'must set either project and workload, or cidr',
        remedy: 'set project and workload, or cidr alone',
        code: 'invalid-combination',
      },
    ],
  );
  return z.strictObject({
    from: listOf(peer, 64).optional().describe("Peers that may connect; the project's load balancer always may."),
    to: listOf(peer, 64).optional().describe('Peers that it may connect to; DNS is always allowed.'),
  });
};

/** Returns the schema of `links`. */
export const links = () =>
  z.strictObject({
    repository: url().optional().describe('URL of the source code.'),
    runbook: url().optional().describe('URL of the runbook.'),
    chat: url().optional().describe("URL of the team's chat."),
    logs: url().optional().describe('URL of the logs.'),
    graphs: url().optional().describe('URL of the dashboards.'),
    uptime: url().optional().describe('URL of the availability report.'),
  });

/** Returns the fields that all workload kinds share; `podFields` are those of the template that may repeat a value of the platform. */
export const workloadFields = (podFields: PlatformPodFields) => ({
  version: labelValue().optional().describe('Version of the build. Defaults to the image tag of the first container.'),
  team: labelValue().optional().describe("Team that owns the workload. Defaults to the Project's."),
  costCenter: labelValue().optional().describe("Cost center. Defaults to the Project's."),
  links: links().optional().describe('Links to pages about the workload.'),
  iamRole: text({
    pattern: /^(arn:[a-z-]+:iam::[0-9]{12}:role\/)?[A-Za-z0-9+=,.@_/-]+$/,
    what: 'the name or ARN of an IAM role',
    example: 'cart-reader',
    max: 256,
  })
    .optional()
    .describe("IAM role of the pods, by ARN or by name in the Platform's account."),
  apiAccess: apiAccess()
    .default(false)
    .describe(
      "How the workload's clients reach the API server: not at all (None or false), through the gateway (Gateway), directly (Direct; where the Platform has a gateway, only for infrastructure projects and those that it lists), or as Kubernetes and the Platform decide (true).",
    ),
  tier: label('standard')
    .optional()
    .describe("Priority tier of the Platform. Defaults to the Platform's default tier."),
  sidecars: mapOf(label('logs'), sidecarChoice(), 32)
    .optional()
    .describe('Settings of parts of the runtime profile, by name of the part.'),
  config: config().optional().describe('Inline configuration files and environment variables.'),
  secrets: secretsSchema().optional().describe('Secrets, by reference.'),
  metrics: z
    .strictObject({
      port: port().describe('Port of the metrics endpoint.'),
      path: absolutePath('/metrics').default('/metrics').describe('Path of the metrics endpoint.'),
    })
    .optional()
    .describe('Prometheus metrics endpoint.'),
  placement: placement().prefault({}).describe('Scheduling of the pods.'),
  termination: termination().prefault({}).describe('Termination of the pods.'),
  access: access()
    .optional()
    .describe(
      'Network access to and from the workload. Defaults to no restriction, unless the Platform denies by default.',
    ),
  labels: withRules(mapOf(labelKey(), labelValue(), 32), platformKeyRules)
    .optional()
    .describe('Labels of all generated objects, pods included.'),
  annotations: withRules(mapOf(labelKey(), sentence(16384), 32), platformKeyRules)
    .optional()
    .describe('Annotations of all generated objects, pods included.'),
  adopt: z
    .boolean()
    .optional()
    .describe(
      'Whether to adopt existing native objects of the same names, without a restart; otherwise they conflict.',
    ),
  allowLoss: z
    .array(z.enum(['Claims', 'Progress']))
    .max(2)
    .optional()
    .describe(
      'What may be lost if a change cannot be made in place: Claims (deleted with their data and recreated) or Progress (running work restarts).',
    ),
  patches: listOf(patch(), 32).optional().describe('Patches of generated objects, for settings without a field.'),
  template: podTemplate(podFields).describe('Pod template: containers and init containers as in Kubernetes.'),
});
