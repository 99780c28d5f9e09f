import * as z from 'zod';
import { absolutePath, keyedList, label, labelValue, listOf, mapOf, quantity, text } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { type FieldPath } from '../problem';
import { quotaResource } from '../values/quota-resource';
import { type ValidationRule } from '../rules/validation-rule';
import { timeZone } from '../values/schedule';
import { entriesAt } from '../values/value-at';
import { links } from '../fields/workload-fields';
import { isPlatformKey } from '../rules/workload-rules';
import { countColumn, lastColumns, readyColumn, textColumn } from '../crd/printer-columns';
import { platformStatusFields } from '../fields/status-fields';
import { type KindDefinition, type KindSchemas } from './kind-definition';

const address = () => text({ pattern: /^\S+$/, what: 'a channel, page or address', example: '#shop-oncall', max: 256 });
const clock = () =>
  text({ pattern: /^([01][0-9]|2[0-3]):[0-5][0-9]$/, what: 'a time of day', example: '09:00', max: 5 });
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Namespace labels that are reserved for Kubernetes and the platform. */
const namespaceLabelRules: readonly ValidationRule[] = [
  {
    name: 'namespace-label',
    cel: 'true',
    where: 'client',
    find: (self) =>
      Object.keys(self).flatMap((key) =>
        isPlatformKey(key) || /^([^/]+\.)?(kubernetes|k8s)\.io\//.test(key) ? [[key]] : [],
      ),
    reason: 'is set by the platform or by Kubernetes',
    remedy: 'use another key, or set infrastructure, podSecurity, team or costCenter',
    code: 'platform-owned',
  },
];

/** Host access that daemons of a project may use. */
const hostAllowance = () =>
  z.strictObject({
    network: z.boolean().default(false).describe("Whether to allow daemons the node's network namespace."),
    pid: z.boolean().default(false).describe("Whether to allow daemons the node's process namespace."),
    ipc: z.boolean().default(false).describe("Whether to allow daemons the node's IPC namespace."),
    privileged: z.boolean().default(false).describe('Whether to allow daemons privileged containers.'),
    paths: listOf(absolutePath('/var/log'), 64)
      .default([])
      .describe('Folders of the node that daemons may mount, including subfolders.'),
  });

const groupName = () => text({ pattern: /^\S+$/, what: 'a name of a group', example: 'commerce-oncall', max: 253 });

/** A deployment stage with its publishers and deployers. */
const stage = () =>
  withRules(
    z.strictObject({
      name: label('production').describe('Name of the stage, as in workflows.'),
      publishers: listOf(publisher(), 32)
        .default([])
        .describe('Trusted publishers of artifacts, which protect the stage. Defaults to any publisher.'),
      breakGlass: listOf(groupName(), 16)
        .default([])
        .describe('Groups whose members may bypass publishers in an emergency; each use is announced and recorded.'),
      deployers: listOf(groupName(), 32, 1)
        .optional()
        .describe(
          'Groups whose members may deploy to the stage; each needs the role edit or admin. Defaults to all members with these roles.',
        ),
    }),
    [
      {
        name: 'project-break-glass',
        cel: 'size(self.breakGlass) == 0 || size(self.publishers) > 0',
        fieldPath: ['breakGlass'],
        reason: 'requires publishers; the stage is not protected',
        remedy: 'list its publishers, or omit breakGlass',
        code: 'invalid-combination',
      },
    ],
  );

/** Identity of CI runs: claims of their tokens, or public keys. */
const publisher = () =>
  z.strictObject({
    issuer: text({
      pattern: /^https:\/\/[^\s?#]+$/,
      what: 'an https URL',
      example: 'https://token.actions.githubusercontent.com',
      max: 512,
    }).describe("Issuer of the CI's identity tokens, or the base URL of the CI if it signs with a key."),
    repository: text({ pattern: /^\S+$/, what: 'a repository', example: 'commerce/shop', max: 512 }).describe(
      'Repository of the CI runs, as named by the CI.',
    ),
    ref: text({
      pattern: /^refs\/[^\s*]+\*?$/,
      what: 'a full ref, or the beginning of one before a star',
      example: 'refs/heads/main',
      max: 256,
    }).describe('Branch or tag of the CI runs; a trailing * matches any suffix.'),
    keys: listOf(
      text({
        pattern: /^[A-Za-z0-9+/]{40,}={0,2}$/,
        what: 'a public key (SPKI) in base64',
        example: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
        max: 1024,
      }),
      8,
      1,
    )
      .optional()
      .describe('Public keys that artifacts are signed with. Defaults to identity tokens of the issuer.'),
  });

/** Returns the paths of deployer groups whose members cannot write to the project. */
function unauthorizedDeployers(self: Readonly<Record<string, unknown>>): FieldPath[] {
  const writers = entriesAt(self, 'members').filter(({ kind, role }) => kind === 'Group' && role !== 'view');
  return entriesAt(self, 'stages').flatMap(({ deployers }, stage) =>
    (Array.isArray(deployers) ? deployers : []).flatMap((group: unknown, index) =>
      writers.some(({ name }) => name === group) ? [] : [['stages', stage, 'deployers', index]],
    ),
  );
}

/** Schema of `Project.spec`: owner, quota and policies of a namespace. */
export const projectSpec = () =>
  withRules(
    z.strictObject({
      team: labelValue().describe('Team that owns the project.'),
      costCenter: labelValue().optional().describe('Cost center.'),
      links: links().optional().describe('Links to pages about the project.'),
      onCall: address().optional().describe('On-call contact.'),
      businessHours: z
        .strictObject({
          timeZone: timeZone().default('Etc/UTC').describe('Time zone of the hours, as an IANA name.'),
          days: listOf(z.enum(days), 7, 1).default(['Mon', 'Tue', 'Wed', 'Thu', 'Fri']).describe('Working days.'),
          from: clock().default('09:00').describe('Start of the working day.'),
          to: clock().default('17:00').describe('End of the working day.'),
        })
        .prefault({})
        .describe('Hours for notifications that are not urgent.'),
      members: keyedList(
        z.strictObject({
          kind: z.enum(['Group', 'User', 'ServiceAccount']).default('Group').describe('Type of subject.'),
          name: text({
            pattern: /^\S+$/,
            what: 'a name of a group, user or service account',
            example: 'shop-developers',
            max: 253,
          }).describe('Name of the subject, as known to the API server.'),
          role: z.enum(['view', 'edit', 'admin']).describe('Role of the member in the project.'),
        }),
        ['kind', 'name', 'role'],
        64,
      )
        .default([])
        .describe('Members of the project, with their roles.'),
      quota: mapOf(quotaResource(), quantity(), 64)
        .optional()
        .describe("Total resource quota of its workloads. Defaults to the Platform's for resources not listed."),
      infrastructure: z.boolean().default(false).describe('Whether to allow daemons, as an infrastructure project.'),
      podSecurity: z
        .enum(['restricted', 'baseline', 'privileged'])
        .default('restricted')
        .describe('Pod Security level that the namespace enforces.'),
      host: hostAllowance().prefault({}).describe('Host access that daemons may use.'),
      maxContainer: z
        .strictObject({
          memory: quantity().optional().describe('Maximum memory of a container.'),
        })
        .optional()
        .describe('Limits of one container, enforced by a LimitRange.'),
      stages: keyedList(stage(), ['name'], 16)
        .optional()
        .describe('Stages that may be deployed to. Defaults to any stage, without protection.'),
      onQuotaExceeded: z
        .enum(['Reject', 'Queue'])
        .default('Reject')
        .describe('Handling of deployments that exceed the quota: reject them, or queue them until they fit.'),
      defaultPool: label('general')
        .optional()
        .describe("Default node pool of its workloads. Defaults to the Platform's."),
      adopt: z
        .boolean()
        .optional()
        .describe(
          'Whether to adopt an existing namespace of the same name with its quota and limits; an adopted namespace is kept when the Project is deleted.',
        ),
      labels: withRules(
        mapOf(
          text({ pattern: /^[a-z0-9./-]+$/, what: 'a label key', example: 'example.com/division', max: 317 }),
          labelValue(),
          32,
        ),
        namespaceLabelRules,
      )
        .optional()
        .describe('Labels of the namespace.'),
    }),
    [
      {
        name: 'project-daemon-security',
        cel: '!(self.host.network || self.host.pid || self.host.ipc || self.host.privileged || size(self.host.paths) > 0) || self.infrastructure',
        fieldPath: ['host'],
        reason: 'requires an infrastructure project',
        remedy: 'set infrastructure to true, or omit host',
        code: 'invalid-combination',
      },
      {
        name: 'project-host-privileged',
        cel: '!(self.host.network || self.host.pid || self.host.ipc || self.host.privileged || size(self.host.paths) > 0) || self.podSecurity == "privileged"',
        fieldPath: ['podSecurity'],
        reason: 'must be privileged to allow host access',
        remedy: 'set podSecurity to privileged, or omit host',
        code: 'invalid-combination',
      },
      {
        name: 'project-deployers-members',
        cel: '!has(self.stages) || self.stages.all(s, !has(s.deployers) || s.deployers.all(d, self.members.exists(m, m.kind == "Group" && m.name == d && m.role != "view")))',
        find: unauthorizedDeployers,
        fieldPath: ['stages'],
        reason: 'must be a member with the role edit or admin',
        remedy: 'add the group to spec.members with such a role, or remove it',
        code: 'unknown-reference',
      },
    ],
  );

/** Project: A namespace with its quota, members and policies. */
export const projectKind = {
  plural: 'projects',
  singular: 'project',
  shortNames: ['proj'],
  scope: 'Cluster',
  summary: 'A namespace with its quota, members and policies.',
  columns: [
    readyColumn,
    textColumn('Team', '.spec.team'),
    countColumn('Workloads', '.status.workloads'),
    ...lastColumns,
  ],
  spec: projectSpec,
  status: () => z.strictObject(platformStatusFields()),
} as const satisfies KindDefinition & KindSchemas;
