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
import { type KindDefinition } from './kind-definition';

const address = () => text({ pattern: /^\S+$/, what: 'a channel, page or address', example: '#shop-oncall', max: 256 });
const clock = () =>
  text({ pattern: /^([01][0-9]|2[0-3]):[0-5][0-9]$/, what: 'a time of day', example: '09:00', max: 5 });
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Labels by which Kubernetes and the platform decide what pods of a namespace may do. */
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
    remedy: 'use a key of your own, or say it by infrastructure, podSecurity, team or costCenter',
    code: 'platform-owned',
  },
];

/** Access to the machine that daemons of a project may have. */
const hostAllowance = () =>
  z.strictObject({
    network: z.boolean().default(false).describe("Whether its daemons may use the node's network."),
    pid: z.boolean().default(false).describe("Whether its daemons may see the node's processes."),
    ipc: z.boolean().default(false).describe("Whether its daemons may use the node's IPC."),
    privileged: z.boolean().default(false).describe('Whether its daemons may run privileged containers.'),
    paths: listOf(absolutePath('/var/log'), 64)
      .default([])
      .describe('Folders of the node that its daemons may mount, with all below them.'),
  });

const groupName = () => text({ pattern: /^\S+$/, what: 'a name of a group', example: 'commerce-oncall', max: 253 });

/** A stage of deployment, whose artifacts it accepts, and who may deploy to it. */
const stage = () =>
  withRules(
    z.strictObject({
      name: label('production').describe('Name of the stage, as workflows call it.'),
      publishers: listOf(publisher(), 32)
        .default([])
        .describe('CI identities whose artifacts it accepts, which protects it; without any it accepts all.'),
      breakGlass: listOf(groupName(), 16)
        .default([])
        .describe('Groups whose members may deploy what others published in an emergency, which is told and recorded.'),
      deployers: listOf(groupName(), 32, 1)
        .optional()
        .describe(
          'Groups whose people may deploy to it, each of them a member with the role edit or admin; all such members where left out.',
        ),
    }),
    [
      {
        name: 'project-break-glass',
        cel: 'size(self.breakGlass) == 0 || size(self.publishers) > 0',
        fieldPath: ['breakGlass'],
        reason: 'opens a stage that is not protected',
        remedy: 'list its publishers, or leave breakGlass out',
        code: 'invalid-combination',
      },
    ],
  );

/** Who a CI run is: what its issuer says of it, or the keys that only it holds. */
const publisher = () =>
  z.strictObject({
    issuer: text({
      pattern: /^https:\/\/[^\s?#]+$/,
      what: 'an https URL',
      example: 'https://token.actions.githubusercontent.com',
      max: 512,
    }).describe('Issuer of the identity tokens of the CI, or its own address where it signs by a key.'),
    repository: text({ pattern: /^\S+$/, what: 'a repository', example: 'commerce/shop', max: 512 }).describe(
      'Repository whose runs are meant, as the CI names it.',
    ),
    ref: text({
      pattern: /^refs\/[^\s*]+\*?$/,
      what: 'a full ref, or the beginning of one before a star',
      example: 'refs/heads/main',
      max: 256,
    }).describe('Branch or tag of the runs; a star at its end stands for any rest.'),
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
      .describe('Public keys that its artifacts are signed with; a token of the issuer where left out.'),
  });

/** Groups that may deploy to a stage although the project gives them no right to write. */
function strangersAmongDeployers(self: Readonly<Record<string, unknown>>): FieldPath[] {
  const writers = entriesAt(self, 'members').filter(({ kind, role }) => kind === 'Group' && role !== 'view');
  return entriesAt(self, 'stages').flatMap(({ deployers }, stage) =>
    (Array.isArray(deployers) ? deployers : []).flatMap((group: unknown, index) =>
      writers.some(({ name }) => name === group) ? [] : [['stages', stage, 'deployers', index]],
    ),
  );
}

/** Schema of `Project.spec`: who owns a namespace, what it may use, and what guards it. */
export const projectSpec = () =>
  withRules(
    z.strictObject({
      team: labelValue().describe('Team that answers for the project.'),
      costCenter: labelValue().optional().describe('Where its cost is booked.'),
      links: links().optional().describe('Pages about the project.'),
      onCall: address().optional().describe('How the people on call are reached.'),
      businessHours: z
        .strictObject({
          timeZone: timeZone().default('Etc/UTC').describe('Time zone of the hours.'),
          days: listOf(z.enum(days), 7, 1).default(['Mon', 'Tue', 'Wed', 'Thu', 'Fri']).describe('Days of work.'),
          from: clock().default('09:00').describe('Begin of the day.'),
          to: clock().default('17:00').describe('End of the day.'),
        })
        .prefault({})
        .describe('When people may be told of things that can wait.'),
      members: keyedList(
        z.strictObject({
          kind: z.enum(['Group', 'User', 'ServiceAccount']).default('Group').describe('What the name names.'),
          name: text({
            pattern: /^\S+$/,
            what: 'a name of a group, user or service account',
            example: 'shop-developers',
            max: 253,
          }).describe('Name as the API server knows it.'),
          role: z.enum(['view', 'edit', 'admin']).describe('What the member may do in the project.'),
        }),
        ['kind', 'name', 'role'],
        64,
      )
        .default([])
        .describe('Who may do what.'),
      quota: mapOf(quotaResource(), quantity(), 64)
        .optional()
        .describe('Most that all of its workloads may ask for together; those of the Platform for what is left out.'),
      infrastructure: z
        .boolean()
        .default(false)
        .describe('Whether it belongs to the infrastructure, whose projects may run daemons.'),
      podSecurity: z
        .enum(['restricted', 'baseline', 'privileged'])
        .default('restricted')
        .describe('Pod Security level that its namespace enforces.'),
      host: hostAllowance().prefault({}).describe('Access to machines that its daemons may have.'),
      maxContainer: z
        .strictObject({
          memory: quantity().optional().describe('Most memory that a container may have.'),
        })
        .optional()
        .describe('Bounds for one container, kept by a LimitRange.'),
      stages: keyedList(stage(), ['name'], 16)
        .optional()
        .describe('Stages that may be deployed here; any, and none of them protected, where left out.'),
      onQuotaExceeded: z
        .enum(['Reject', 'Queue'])
        .default('Reject')
        .describe('What becomes of a deployment for which the quota has no room: it is refused, or it waits its turn.'),
      defaultPool: label('general').optional().describe('Node pool of its workloads that name none.'),
      adopt: z
        .boolean()
        .optional()
        .describe(
          'Whether a namespace of its name that exists is taken over, with the quota and the limits in it; such a namespace stays when the Project is deleted.',
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
        .describe('Labels on the namespace.'),
    }),
    [
      {
        name: 'project-daemon-security',
        cel: '!(self.host.network || self.host.pid || self.host.ipc || self.host.privileged || size(self.host.paths) > 0) || self.infrastructure',
        fieldPath: ['host'],
        reason: 'allows access to machines, but the project is not of the infrastructure',
        remedy: 'set infrastructure to true, or leave host out',
        code: 'invalid-combination',
      },
      {
        name: 'project-host-privileged',
        cel: '!(self.host.network || self.host.pid || self.host.ipc || self.host.privileged || size(self.host.paths) > 0) || self.podSecurity == "privileged"',
        fieldPath: ['podSecurity'],
        reason: 'refuses pods with access to machines, which host allows',
        remedy: 'set podSecurity to privileged, or leave host out',
        code: 'invalid-combination',
      },
      {
        name: 'project-deployers-members',
        cel: '!has(self.stages) || self.stages.all(s, !has(s.deployers) || s.deployers.all(d, self.members.exists(m, m.kind == "Group" && m.name == d && m.role != "view")))',
        find: strangersAmongDeployers,
        fieldPath: ['stages'],
        reason: 'lets a group deploy that is no member with the role edit or admin',
        remedy: 'list the group among spec.members with such a role, or leave it out',
        code: 'unknown-reference',
      },
    ],
  );

/** Project: Owner of a namespace, with its quota, members and policies. */
export const projectKind = {
  plural: 'projects',
  singular: 'project',
  shortNames: ['proj'],
  scope: 'Cluster',
  summary: 'Owner of a namespace, with its quota, members and policies.',
  columns: [
    readyColumn,
    textColumn('Team', '.spec.team'),
    countColumn('Workloads', '.status.workloads'),
    ...lastColumns,
  ],
  spec: projectSpec,
  status: () => z.strictObject(platformStatusFields()),
} as const satisfies KindDefinition;
