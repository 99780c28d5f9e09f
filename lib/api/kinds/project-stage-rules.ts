import { nearest } from '../values/nearest';
import { rolesIncluding } from '../values/project-role';
import { entriesAt } from '../values/value-at';
import { type RuleViolation } from '../rules/validation-rule';

type Self = Readonly<Record<string, unknown>>;

/** Roles whose members may deploy. */
const deployingRoles = rolesIncluding('deploy');
const roleText = 'deploy, edit or admin';

/** Returns whether a stage is protected: it has publishers or deployers, and owns its clusters. */
export const isProtectedStage = ({
  publishers,
  deployers,
}: {
  readonly publishers?: unknown;
  readonly deployers?: unknown;
}): boolean => (Array.isArray(publishers) && publishers.length > 0) || deployers !== undefined;

/** Returns the groups of deployers whose members cannot deploy. */
export function unauthorizedDeployers(self: Self): RuleViolation[] {
  const members = entriesAt(self, 'members');
  const deployingGroups = members.flatMap(({ kind, name, role }) =>
    kind === 'Group' && typeof name === 'string' && deployingRoles.some((deploying) => deploying === role)
      ? [name]
      : [],
  );
  return entriesAt(self, 'stages').flatMap(({ deployers }, stage) =>
    (Array.isArray(deployers) ? deployers : []).flatMap((value: unknown, index) =>
      typeof value !== 'string' || deployingGroups.includes(value)
        ? []
        : [{ path: ['stages', stage, 'deployers', index], value, ...deployerAdvice(value, members, deployingGroups) }],
    ),
  );
}

function deployerAdvice(group: string, members: readonly Self[], deployingGroups: readonly string[]) {
  const named = members.filter(({ name }) => name === group);
  const roles = named.filter(({ kind }) => kind === 'Group').map(({ role }) => String(role));
  if (roles.length > 0)
    return {
      reason: `is a member with the role ${roles.join(' and ')}, which may not deploy`,
      remedy: `give the group the role ${roleText} in spec.members, or remove it`,
    };
  const [other] = named;
  const guess = nearest(group, deployingGroups);
  return {
    reason: other
      ? `is a ${String(other['kind'])} in spec.members; deployers are groups`
      : 'is not a group in spec.members',
    remedy: guess
      ? `did you mean "${guess}"?`
      : `add the group to spec.members with the role ${roleText}, or remove it`,
  };
}

/**
 * Returns the clusters that a stage lists although a protected one owns them. If both are protected, the later one is
 * reported.
 */
export function contestedClusters(self: Self): RuleViolation[] {
  const stages = entriesAt(self, 'stages').map((entry) => ({
    name: String(entry['name']),
    clusters: Array.isArray(entry['clusters']) ? (entry['clusters'] as readonly unknown[]) : [],
    isProtected: isProtectedStage(entry),
  }));
  return stages.flatMap(({ clusters, isProtected }, stage) =>
    clusters.flatMap((value, index) => {
      const owner = stages.find(
        (other, at) =>
          at !== stage && other.isProtected && (!isProtected || at < stage) && other.clusters.includes(value),
      );
      if (!owner) return [];
      const reason = `belongs to stage ${owner.name}, which has publishers or deployers and shares no cluster`;
      const remedy = `use another cluster, or remove it from stage ${owner.name}`;
      return [{ path: ['stages', stage, 'clusters', index], value, reason, remedy }];
    }),
  );
}

/** Returns the promotions from a stage that the Project does not list, or from the stage itself. */
export function unknownPromotionSources(self: Self): RuleViolation[] {
  const stages = entriesAt(self, 'stages');
  return stages.flatMap(({ name, promotion }, index) => {
    const value = (promotion as { readonly from?: unknown } | undefined)?.from;
    const others = stages.map((other) => String(other['name'])).filter((other) => other !== name);
    if (typeof value !== 'string' || others.includes(value)) return [];
    const guess = value === name ? undefined : nearest(value, others);
    return [
      {
        path: ['stages', index, 'promotion', 'from'],
        value,
        reason: value === name ? 'is the stage itself' : 'is not a stage of the Project',
        remedy: guess
          ? `did you mean "${guess}"?`
          : others.length > 0
            ? `use ${others.join(' or ')}`
            : 'add another stage to spec.stages, or omit from',
      },
    ];
  });
}

interface Approvals {
  readonly approvals?: unknown;
  readonly approvers?: unknown;
}
const approvalsOf = ({ promotion }: Self): Approvals => promotion ?? {};

/** Returns the approvals of stages that require more users than may approve; a group has any number of users. */
export function impossibleApprovals(self: Self): RuleViolation[] {
  const members = entriesAt(self, 'members');
  return entriesAt(self, 'stages').flatMap((stage, index) => {
    const { approvals: value, approvers } = approvalsOf(stage);
    const eligible = members.filter(({ role }) => approvers !== undefined || role === 'admin');
    const users = new Set(eligible.map(({ name }) => name)).size;
    if (typeof value !== 'number' || users >= value || eligible.some(({ kind }) => (kind ?? 'Group') === 'Group'))
      return [];
    const role = approvers === undefined ? ' with the role admin' : '';
    return [
      {
        path: ['stages', index, 'promotion', 'approvals'],
        value,
        reason: `cannot be reached; spec.members has ${users === 0 ? 'no member' : `only ${users} ${users > 1 ? 'users' : 'user'}`}${role}`,
        remedy: `add a group${role} to spec.members${approvers === undefined ? ', or list approvers' : ''}`,
      },
    ];
  });
}

/** Returns the approvers that are no members, so that their users need a role by another group or by name. */
export function foreignApprovers(self: Self): RuleViolation[] {
  const groups = entriesAt(self, 'members').flatMap(({ kind, name }) =>
    (kind ?? 'Group') === 'Group' && typeof name === 'string' ? [name] : [],
  );
  return entriesAt(self, 'stages').flatMap((stage, index) => {
    const { approvers } = approvalsOf(stage);
    return (Array.isArray(approvers) ? approvers : []).flatMap((value: unknown, at) => {
      if (typeof value !== 'string' || groups.includes(value)) return [];
      const guess = nearest(value, groups);
      const remedy = guess ? { remedy: `did you mean "${guess}"?` } : {};
      return [{ path: ['stages', index, 'promotion', 'approvers', at], value, ...remedy }];
    });
  });
}
