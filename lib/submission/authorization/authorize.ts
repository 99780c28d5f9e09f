import { includesRole, rolesIncluding, type PlatformManifest, type Problem } from '../../api';
import { stageRule } from '../../artifact';
import { type Caller } from '../../contract';
import { commonRole, rolesOf, type Role } from './role-of';

type Project = PlatformManifest<'Project'>;

/** Actions in a project, each with the role that allows it; so do the roles that include that role. */
export const actions = {
  /** View the project and its contents. */
  read: 'view',
  /** Deploy and roll back. */
  deploy: 'deploy',
  /** Bypass the trusted publishers of a protected stage, in an emergency. */
  breakGlass: 'deploy',
  /** Cancel a deployment of the same caller. */
  cancelOwn: 'deploy',
  /** Cancel a deployment of another caller. */
  cancelOthers: 'admin',
  /** Approve an artifact for a stage that requires approval; any role, where the Project lists approvers of the stage. */
  approve: 'admin',
} as const satisfies Readonly<Record<string, Role>>;

/** Action in a project. */
export type Action = keyof typeof actions;

/** Decision on an action: the caller's role, or why it is denied. */
export type AuthorizationDecision =
  | { readonly role: Role }
  /** Not a member: the response is the same as for a project that does not exist. */
  | { readonly hidden: true }
  | { readonly problems: readonly Problem[] };

/**
 * Authorizes an action of a caller by the Project of one cluster, and by a stage if one is given.
 *
 * Roles are the same as those that the cluster binds to the member. Deploying to a stage with `deployers` also requires one of
 * these groups, even from administrators. Break-glass requires a group of `breakGlass` instead, and the deploying role. Where
 * `promotion.approvers` are listed, approving requires one of these groups.
 */
export function authorize(caller: Caller, project: Project, action: Action, stage?: string): AuthorizationDecision {
  const roles = rolesOf(caller, project);
  const [role] = roles;
  if (!role) return { hidden: true };
  const needed = action === 'approve' && approversOf(project, stage) ? 'view' : actions[action];
  const problems = [
    ...(roles.some((held) => includesRole(held, needed)) ? [] : [insufficientRole(project, roles, action)]),
    ...(stage === undefined ? [] : stageProblems(caller, project, action, stage)),
  ];
  return problems.length > 0 ? { problems } : { role };
}

/** Project on a cluster, if it exists there. */
export interface TargetProject {
  readonly target: string;
  readonly project: Project | undefined;
}

/**
 * Authorizes an action on several clusters, with the role that all of them include. If the caller is a member only on some clusters,
 * the others are reported as not having the project.
 */
export function authorizeOnAll(
  caller: Caller,
  name: string,
  targets: readonly TargetProject[],
  action: Action,
  stage?: string,
): AuthorizationDecision {
  const decisions = targets.map(({ target, project }) => ({
    target,
    decision: project ? authorize(caller, project, action, stage) : ({ hidden: true } as const),
  }));
  if (decisions.every(({ decision }) => 'hidden' in decision)) return { hidden: true };
  const problems = decisions.flatMap(({ target, decision }) => {
    if ('hidden' in decision) return [notMemberOn(target, name)];
    return 'role' in decision
      ? []
      : decision.problems.map((problem) => ({ ...problem, object: `${problem.object} on ${target}` }));
  });
  if (problems.length > 0) return { problems };
  const roles = decisions.flatMap(({ decision }) => ('role' in decision ? [decision.role] : []));
  return { role: commonRole(roles) };
}

function stageProblems(caller: Caller, project: Project, action: Action, stage: string): readonly Problem[] {
  const { rule, problems } = stageRule(project, stage);
  if (!rule) return problems;
  const { breakGlass, deployers = [] } = rule;
  const groups = { deploy: deployers, breakGlass, approve: approversOf(project, stage) ?? [] };
  if (!isGroupAction(action)) return [];
  const allowedGroups = groups[action];
  const isUnrestricted = action !== 'breakGlass' && allowedGroups.length === 0;
  if (isUnrestricted || allowedGroups.some((group) => caller.groups.includes(group))) return [];
  const [reason, approver] = groupTexts[action];
  const remedy =
    allowedGroups.length === 0
      ? 'deploy an artifact of its publishers'
      : `ask ${approver}: ${allowedGroups.join(', ')}`;
  return [{ code: 'not-available', path: ['stage'], value: stage, reason, remedy, object: objectOf(project) }];
}

/** Reason and remedy for callers without a group of the stage, by action. */
const groupTexts = {
  deploy: ['accepts deployments of certain groups only', 'one of its deployers'],
  breakGlass: ['does not let your groups bypass its publishers', 'one of its breakGlass groups'],
  approve: ['accepts approvals of certain groups only', 'one of its approvers'],
} as const satisfies Partial<Record<Action, readonly [string, string]>>;
const isGroupAction = (action: Action): action is keyof typeof groupTexts => action in groupTexts;

/** Returns the groups whose approvals count in a stage; undefined if it lists none. */
const approversOf = (project: Project, stage: string | undefined): readonly string[] | undefined =>
  stage === undefined ? undefined : stageRule(project, stage).rule?.promotion?.approvers;

const insufficientRole = (project: Project, roles: readonly Role[], action: Action): Problem => ({
  code: 'not-available',
  path: ['spec', 'members'],
  reason: `grant you the ${roles.length > 1 ? 'roles' : 'role'} ${roles.join(' and ')}, which ${roles.length > 1 ? 'do' : 'does'} not allow this`,
  remedy: `ask for the role ${listText(rolesIncluding(actions[action]))} in the Project`,
  object: objectOf(project),
});

/** Joins alternatives, such as `deploy, edit or admin`. */
const listText = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((text) => text !== '').join(' or ');

const notMemberOn = (target: string, name: string): Problem => ({
  code: 'not-available',
  path: ['targets'],
  value: target,
  reason: `has no project ${name} that you are a member of`,
  remedy: 'ask to be added to the members of the Project there',
});

const objectOf = (project: Project): string => `Project ${project.metadata.name}`;
