import { type PlatformManifest, type Problem } from '../../api';
import { stageRule, type StageRule } from '../../artifact';
import { type Caller } from '../../contract';
import { roleOf, type Role } from './role-of';

type Project = PlatformManifest<'Project'>;

/** What somebody may do in a project, each with the least role that it takes. */
export const actions = {
  /** See the project and all that is in it. */
  read: 'view',
  /** Deploy and roll back. */
  deploy: 'edit',
  /** Deploy past the publishers of a protected stage, in an emergency. */
  breakGlass: 'edit',
  /** Take back what the same caller asked for. */
  cancelOwn: 'edit',
  /** Take back what somebody else asked for. */
  cancelOthers: 'admin',
  /** Let an artifact into a stage that asks for approval. */
  approve: 'admin',
} as const satisfies Readonly<Record<string, Role>>;

/** What somebody may do in a project. */
export type Action = keyof typeof actions;

/** Whether somebody may do something, in which role, or why not. */
export type AuthorizationDecision =
  | { readonly role: Role }
  /** No member: the caller is told what would be told if there were no such project. */
  | { readonly hidden: true }
  | { readonly problems: readonly Problem[] };

const ranks: Readonly<Record<Role, number>> = { view: 0, edit: 1, admin: 2 };

/** A stage that lists who may deploy to it. */
interface Narrowed extends StageRule {
  /** Groups; everybody who may deploy to the project where it is empty or left out. */
  readonly deployers?: readonly string[] | undefined;
}

/**
 * Whether a caller may do something in a project as the Project on one cluster says it; a stage is looked at where one is
 * named.
 *
 * A role is what the cluster itself binds the same member to. A stage narrows that: who deploys to it must also be in one
 * of its `deployers`, where it lists some, administrators too. Breaking the glass takes a group of its `breakGlass` in place
 * of that, and never less than the role for deploying.
 */
export function authorize(caller: Caller, project: Project, action: Action, stage?: string): AuthorizationDecision {
  const role = roleOf(caller, project);
  if (!role) return { hidden: true };
  const problems = [
    ...(ranks[role] < ranks[actions[action]] ? [lackOfRole(project, role, action)] : []),
    ...(stage === undefined ? [] : stageProblems(caller, project, action, stage)),
  ];
  return problems.length > 0 ? { problems } : { role };
}

/** A Project as it is on one cluster, where there is one. */
export interface TargetProject {
  readonly target: string;
  readonly project: Project | undefined;
}

/**
 * Whether a caller may do something on all of several clusters, in the least of the roles there. Where the caller is a
 * member on some of them only, the others are told as having no such project.
 */
export function allowedOnAll(
  caller: Caller,
  name: string,
  targets: readonly TargetProject[],
  action: Action,
  stage?: string,
): AuthorizationDecision {
  const verdicts = targets.map(({ target, project }) => ({
    target,
    verdict: project ? authorize(caller, project, action, stage) : ({ hidden: true } as const),
  }));
  if (verdicts.every(({ verdict }) => 'hidden' in verdict)) return { hidden: true };
  const problems = verdicts.flatMap(({ target, verdict }) => {
    if ('hidden' in verdict) return [noMemberOn(target, name)];
    return 'role' in verdict
      ? []
      : verdict.problems.map((problem) => ({ ...problem, object: `${problem.object} on ${target}` }));
  });
  if (problems.length > 0) return { problems };
  const roles = verdicts.flatMap(({ verdict }) => ('role' in verdict ? [verdict.role] : []));
  return { role: roles.reduce((least, role) => (ranks[role] < ranks[least] ? role : least), 'admin' as Role) };
}

function stageProblems(caller: Caller, project: Project, action: Action, stage: string): readonly Problem[] {
  const { rule, problems } = stageRule(project, stage);
  if (!rule) return problems;
  const { breakGlass, deployers = [] }: Narrowed = rule;
  const narrowed = action === 'deploy' ? deployers : action === 'breakGlass' ? breakGlass : undefined;
  const isFree = action !== 'breakGlass' && narrowed?.length === 0;
  if (!narrowed || isFree || narrowed.some((group) => caller.groups.includes(group))) return [];
  const [reason, who] =
    action === 'deploy'
      ? ['is deployed to by certain groups only', 'one of its deployers']
      : ['lets nobody of your groups past its publishers', 'one of its breakGlass groups'];
  const remedy = narrowed.length === 0 ? 'deploy what its publishers published' : `ask ${who}: ${narrowed.join(', ')}`;
  return [{ code: 'not-available', path: ['stage'], value: stage, reason, remedy, object: objectOf(project) }];
}

const lackOfRole = (project: Project, role: Role, action: Action): Problem => ({
  code: 'not-available',
  path: ['spec', 'members'],
  reason: `give you the role ${role}, which is too little for this`,
  remedy: `ask for the role ${actions[action]}${actions[action] === 'edit' ? ' or admin' : ''} in the Project`,
  object: objectOf(project),
});

const noMemberOn = (target: string, name: string): Problem => ({
  code: 'not-available',
  path: ['targets'],
  value: target,
  reason: `has no project ${name} that you are a member of`,
  remedy: 'ask to be listed among the members of its Project there',
});

const objectOf = (project: Project): string => `Project ${project.metadata.name}`;
