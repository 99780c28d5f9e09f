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
import { patch } from './patch';
import { podTemplate } from './pod-template';
import { configFileRules, drainRules, platformKeyRules, platformVariableRules } from '../rules/workload-rules';

/** Plain variables by name. */
export const variables = (max = 200) =>
  withFacts(mapOf(variableName(), z.string().max(32768), max), { hidden: true, rules: platformVariableRules });

/** Path of a file, no folder. */
const filePath = () =>
  text({
    pattern: /^\/[^:]*[^:/]$/,
    what: 'an absolute path of a file without a colon',
    example: '/etc/app/app.yaml',
    max: 1024,
  });

/** CPU and memory of one container. */
export const resources = () =>
  withRules(
    z.strictObject({
      requests: mapOf(label('memory'), quantity(), 16)
        .optional()
        .describe('What the scheduler keeps free for the container.'),
      limits: mapOf(label('memory'), quantity(), 16).optional().describe('What the container may not pass.'),
    }),
    amountRules,
  );

/** One choice about a part of the runtime profile. */
const sidecarChoice = () =>
  z.strictObject({
    enabled: z
      .boolean()
      .optional()
      .describe(
        'Whether the part runs; required parts cannot be switched off, parts on request are off until this is true.',
      ),
    config: mapOf(label('level'), z.union([z.string().max(4096), z.number(), z.boolean()]), 32)
      .optional()
      .describe('Settings that the part declares, by name.'),
    env: variables(50).optional().describe("Further variables of the part's containers."),
    resources: resources()
      .optional()
      .describe("CPU and memory of the part's main container instead of those of the profile."),
    mounts: keyedList(
      z.strictObject({
        name: label('data').describe('Volume of the pod.'),
        mountPath: absolutePath('/var/log/app').describe('Where the part sees it.'),
        readOnly: z.boolean().optional().describe('Whether the part may only read it.'),
      }),
      ['mountPath'],
      16,
    )
      .optional()
      .describe("Volumes of the pod that the part's containers see too."),
  });

/** Configuration written inline. */
export const config = () =>
  z.strictObject({
    files: withFacts(mapOf(filePath(), z.string().max(262144), 64), { hidden: true, rules: configFileRules })
      .optional()
      .describe('Files by absolute path, seen by every container of the app; a change rolls the workload.'),
    env: variables()
      .optional()
      .describe("Variables of every container of the app; a container's own variable of the same name wins."),
  });

/** Secrets by reference; their values never appear in a spec. */
export const secretsSchema = () =>
  z.strictObject({
    env: withRules(
      mapOf(
        variableName(),
        z.strictObject({
          name: objectName().describe('Secret in the project.'),
          key: text({
            pattern: /^[-._a-zA-Z0-9]+$/,
            what: 'a key of a secret',
            example: 'password',
            max: 253,
          }).describe('Key within the secret.'),
          optional: z.boolean().optional().describe('Whether the pod starts without it.'),
        }),
        100,
      ),
      platformVariableRules,
    )
      .optional()
      .describe('Variables whose values are keys of secrets.'),
    files: mapOf(
      absolutePath('/etc/app/tls'),
      z.strictObject({
        name: objectName().describe('Secret in the project.'),
        optional: z.boolean().optional().describe('Whether the pod starts without it.'),
      }),
      32,
    )
      .optional()
      .describe('Folders that show the keys of a secret as files.'),
  });

const spreadRule = () => z.enum(['Required', 'Preferred', 'Off']);

/** Where pods may run. */
export const placement = () =>
  z.strictObject({
    pool: label('general').optional().describe('Node pool that the Platform offers; its default pool where left out.'),
    zones: listOf(label('us-east-1a'), 16, 1)
      .optional()
      .describe("Zones that pods may run in; all of the cluster's where left out."),
    spread: z
      .strictObject({
        zones: spreadRule().default('Preferred').describe('Whether pods are spread evenly over zones.'),
        hosts: spreadRule().default('Preferred').describe('Whether pods are spread evenly over nodes.'),
        maxSkew: integer(1, 100).default(1).describe('How uneven the spread may be, in pods.'),
      })
      .prefault({})
      .describe('How pods are spread.'),
  });

/** How pods end; the default of the grace period is the kind's. */
export const termination = (gracePeriod = '30s') =>
  withRules(
    z.strictObject({
      gracePeriod: duration()
        .default(gracePeriod)
        .describe('Time between the request to end and the kill, drain included.'),
      drain: duration()
        .optional()
        .describe(
          'How long containers go on serving after the pod left the load balancers; kinds that serve wait 5s where left out, and at most half of the grace period.',
        ),
    }),
    drainRules,
  );

const byte = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const group = '[0-9a-fA-F]{1,4}';
/** Addresses of IPv4 or IPv6 with the length of their prefix. */
export const addressRange = new RegExp(
  `^((${byte}\\.){3}${byte}/(3[0-2]|[12]?[0-9])|((${group}:){7}${group}|(${group}(:${group}){0,6})?::(${group}(:${group}){0,6})?)/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))$`,
);

/** Who may reach the workload, and whom it may reach; makes a NetworkPolicy. */
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
        .describe('Workload of the peer; all of the project where left out.'),
      cidr: text({
        pattern: addressRange,
        what: 'an address range',
        example: '10.0.0.0/8',
        max: 64,
      })
        .optional()
        .describe('Address range outside the cluster.'),
      ports: listOf(port(), 32).optional().describe('Ports; all where left out.'),
    }),
    [
      {
        name: 'access-peer',
        cel: 'has(self.cidr) ? !has(self.project) && !has(self.workload) : has(self.project) || has(self.workload)',
        reason: 'names neither a workload nor an address range, or both',
        remedy: 'give project and workload, or cidr alone',
        code: 'invalid-combination',
      },
    ],
  );
  return z.strictObject({
    from: listOf(peer, 64).optional().describe("Who may connect; the own project's load balancer is always allowed."),
    to: listOf(peer, 64).optional().describe('Whom it may connect to; names are always resolved.'),
  });
};

/** Pages about a workload. */
export const links = () =>
  z.strictObject({
    repository: url().optional().describe('Source code.'),
    runbook: url().optional().describe('What to do when it fails.'),
    chat: url().optional().describe('Where its team talks.'),
    logs: url().optional().describe('Its logs.'),
    graphs: url().optional().describe('Its dashboards.'),
    uptime: url().optional().describe('Its availability.'),
  });

/** Fields that all six workload kinds share. */
export const workloadFields = () => ({
  version: labelValue()
    .optional()
    .describe("Version of the build; the tag of the first container's image where left out."),
  team: labelValue().optional().describe("Team that answers for it; the Project's team where left out."),
  costCenter: labelValue().optional().describe("Where its cost is booked; the Project's where left out."),
  links: links().optional().describe('Pages about it.'),
  iamRole: text({
    pattern: /^(arn:[a-z-]+:iam::[0-9]{12}:role\/)?[A-Za-z0-9+=,.@_/-]+$/,
    what: 'the name or ARN of an IAM role',
    example: 'cart-reader',
    max: 256,
  })
    .optional()
    .describe("IAM role of its pods, by name in the Platform's account or by ARN."),
  apiAccess: z.boolean().default(false).describe('Whether its pods get a token for the API server.'),
  tier: label('standard')
    .optional()
    .describe('Priority tier that the Platform offers; its default tier where left out.'),
  sidecars: mapOf(label('logs'), sidecarChoice(), 32)
    .optional()
    .describe('Choices about parts of the runtime profile, by name of the part.'),
  config: config().optional().describe('Files and variables, written inline.'),
  secrets: secretsSchema().optional().describe('Secrets, by reference.'),
  metrics: z
    .strictObject({
      port: port().describe('Port that serves metrics.'),
      path: absolutePath('/metrics').default('/metrics').describe('Path that serves metrics.'),
    })
    .optional()
    .describe('Where Prometheus metrics are served.'),
  placement: placement().prefault({}).describe('Where its pods may run.'),
  termination: termination().prefault({}).describe('How its pods end.'),
  access: access()
    .optional()
    .describe('Who may reach it and whom it may reach; all where left out, unless the Platform denies by default.'),
  labels: withRules(mapOf(labelKey(), labelValue(), 32), platformKeyRules)
    .optional()
    .describe('Labels on all that it becomes, pods included.'),
  annotations: withRules(mapOf(labelKey(), sentence(16384), 32), platformKeyRules)
    .optional()
    .describe('Annotations on all that it becomes, pods included.'),
  adopt: z
    .boolean()
    .optional()
    .describe(
      'Whether objects of the same names that were deployed natively before are taken over, without a restart; a name that is taken stands in the way where left out.',
    ),
  allowLoss: z
    .array(z.enum(['Claims', 'Progress']))
    .max(2)
    .optional()
    .describe(
      'What may be lost where a change cannot be made in place: claims are deleted with their data and made anew; progress of running work is given up and it starts anew.',
    ),
  patches: listOf(patch(), 32).optional().describe('Changes to finished objects, for what no field says.'),
  template: podTemplate().describe('The pod to run: containers and init containers exactly as Kubernetes knows them.'),
});
