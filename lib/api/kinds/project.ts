import * as z from 'zod';
import { absolutePath, host, keyedList, label, labelValue, listOf, mapOf, quantity, text } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { projectRoles } from '../values/project-role';
import { quotaResource } from '../values/quota-resource';
import { type ValidationRule } from '../rules/validation-rule';
import { timeZone } from '../values/schedule';
import { apiBudgetFields } from '../fields/api-budget';
import { links } from '../fields/workload-fields';
import { isPlatformKey } from '../rules/workload-rules';
import { countColumn, lastColumns, readyColumn, textColumn } from '../crd/printer-columns';
import { platformStatusFields } from '../fields/status-fields';
import { type KindDefinition, type KindSchemas } from './kind-definition';
import { projectStage } from './project-stage';
import {
  contestedClusters,
  foreignApprovers,
  impossibleApprovals,
  unauthorizedDeployers,
  unknownPromotionSources,
} from './project-stage-rules';

const address = () => text({ pattern: /^\S+$/, what: 'a channel, page or address', example: '#shop-oncall', max: 256 });
const clock = () =>
  text({ pattern: /^([01][0-9]|2[0-3]):[0-5][0-9]$/, what: 'a time of day', example: '09:00', max: 5 });
/** An IAM role or the roles of a path; without a comma, since the list becomes an annotation. */
const iamRole = () =>
  text({
    pattern: /^(arn:[a-z-]+:iam::[0-9]{12}:role\/)?([A-Za-z0-9+=.@_-]+\/)*([A-Za-z0-9+=.@_-]+|[*])$/,
    what: 'the name or ARN of an IAM role, or a path with /*',
    example: 'cart-reader',
    max: 256,
  });
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

/** Warnings about approvals that no member can give: those of former members still count, and clusters have such Projects. */
const approvalRules: readonly ValidationRule[] = [
  {
    name: 'project-approvals-members',
    cel: 'true',
    where: 'client',
    severity: 'warning',
    find: impossibleApprovals,
    reason: 'cannot be reached',
    remedy: 'add members who may approve',
    code: 'unknown-reference',
  },
  {
    name: 'project-approvers-members',
    cel: 'true',
    where: 'client',
    severity: 'warning',
    find: foreignApprovers,
    reason: 'is not a group in spec.members; its users can approve only if they are members otherwise',
    remedy: 'add the group to spec.members with any role, or remove it',
    code: 'unknown-reference',
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

/** Pod Security levels, the strictest first. */
export const podSecurityLevels = ['restricted', 'baseline', 'privileged'] as const;

/** Maximum number of revisions in the status of a Project. */
export const maxProjectRevisions = 64;

/** Roles that `exec` may list; the others change nothing in the cluster themselves. */
const execRoles = ['operate', 'edit', 'admin'] as const;

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
          role: z.enum(projectRoles).describe('Role of the member in the project.'),
        }),
        ['kind', 'name', 'role'],
        64,
      )
        .default([])
        .describe('Members of the project, with their roles.'),
      exec: listOf(z.enum(execRoles), execRoles.length)
        .default([])
        .describe('Roles whose members may also run commands in pods, attach to them and forward ports.'),
      quota: mapOf(quotaResource(), quantity(), 64)
        .optional()
        .describe("Total resource quota of its workloads. Defaults to the Platform's for resources not listed."),
      apiBudget: z
        .strictObject({
          ...apiBudgetFields(),
          serviceAccount: z.strictObject(apiBudgetFields()).optional().describe('Budget of each service account.'),
        })
        .optional()
        .describe(
          "Reads through the gateway to the API server by all service accounts of the project. Defaults to the Platform's.",
        ),
      infrastructure: z.boolean().default(false).describe('Whether to allow daemons, as an infrastructure project.'),
      podSecurity: z
        .enum(podSecurityLevels)
        .default('restricted')
        .describe('Pod Security level that the namespace enforces.'),
      host: hostAllowance().prefault({}).describe('Host access that daemons may use.'),
      maxContainer: z
        .strictObject({
          memory: quantity().optional().describe('Maximum memory of a container.'),
        })
        .optional()
        .describe('Limits of one container, enforced by a LimitRange.'),
      hosts: listOf(host(), 64)
        .default([])
        .describe(
          'Host names of its workloads, in addition to the generated ones, `*.<project>.<domain>`; `*.` covers one label.',
        ),
      iamRoles: listOf(iamRole(), 64)
        .default([])
        .describe(
          "IAM roles of its workloads, by ARN or by name in the Platform's account, in addition to those in the path `/<project>/`; `/*` covers the roles of one path.",
        ),
      tiers: listOf(label('critical'), 16)
        .default([])
        .describe(
          'Tiers that its workloads may take, in addition to those whose pods preempt none of the default tier.',
        ),
      stages: keyedList(projectStage(), ['name'], 16)
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
        cel: '!has(self.stages) || self.stages.all(s, !has(s.deployers) || s.deployers.all(d, self.members.exists(m, m.kind == "Group" && m.name == d && m.role in ["deploy", "edit", "admin"])))',
        find: unauthorizedDeployers,
        fieldPath: ['stages'],
        reason: 'must be a member with the role deploy, edit or admin',
        remedy: 'add the group to spec.members with such a role, or remove it',
        code: 'unknown-reference',
      },
      {
        name: 'project-cluster-owner',
        cel: '!has(self.stages) || self.stages.all(s, (size(s.publishers) == 0 && !has(s.deployers)) || !has(s.clusters) || self.stages.all(o, o.name == s.name || !has(o.clusters) || !o.clusters.exists(c, c in s.clusters)))',
        find: contestedClusters,
        fieldPath: ['stages'],
        reason: 'belongs to a stage with publishers or deployers; no other stage may list it',
        remedy: 'use a cluster of its own for each protected stage, or remove it from one of the two stages',
        code: 'duplicate',
      },
      {
        name: 'project-promotion-source',
        cel: '!has(self.stages) || self.stages.all(s, !has(s.promotion) || !has(s.promotion.from) || (s.promotion.from != s.name && self.stages.exists(o, o.name == s.promotion.from)))',
        find: unknownPromotionSources,
        fieldPath: ['stages'],
        reason: 'must be another stage of the Project',
        remedy: 'use the name of another stage in spec.stages',
        code: 'unknown-reference',
      },
      ...approvalRules,
    ],
  );

/** Fields of a revision, as written: without a default that another version of the library could change. */
const projectRevision = () =>
  z.strictObject({
    name: z.string().max(253).describe('Name of the revision, which its content determines.'),
    team: z.string().max(63).describe('Team of the Project.'),
    costCenter: z.string().max(63).optional().describe('Cost center of the Project.'),
    podSecurity: z
      .enum(podSecurityLevels)
      .optional()
      .describe('Pod Security level of the Project, unless it is the default.'),
    defaultPool: z.string().max(63).optional().describe('Default node pool of the Project.'),
  });

const projectRevisions = () =>
  z
    .strictObject({
      current: z.string().max(253).describe('Revision of the present spec.'),
      completed: z.string().max(253).describe('Last revision that was rolled out; new workloads get it.'),
      rollout: z
        .string()
        .max(253)
        .optional()
        .describe('PlatformRollout to the current one; absent if none was needed.'),
      known: listOf(projectRevision(), maxProjectRevisions).describe('Revisions that workloads may follow.'),
    })
    .describe('Revisions of what pods take from the Project, if the Platform has spec.rollouts.');

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
  status: () => z.strictObject({ ...platformStatusFields(), revisions: projectRevisions().optional() }),
} as const satisfies KindDefinition & KindSchemas;
