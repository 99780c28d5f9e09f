import { serviceAccountUser } from '../../kube';
import { includesRole, type PlatformManifest, type ProjectRole, type Spec } from '../../api';
import { type Caller } from '../../contract';
import { memberAccount } from '../../expand';

type Member = Spec<'Project'>['members'][number];

/** Role of a project member. */
export type Role = ProjectRole;

/** Roles, those that include the most first; `deploy` precedes `operate`, which allows nothing more in this service. */
const rolesToShow: readonly Role[] = ['admin', 'edit', 'deploy', 'operate', 'view'];

/** Returns all roles of a caller in a project, by name and groups as RBAC bindings match. */
export function rolesOf(caller: Caller, { metadata, spec }: PlatformManifest<'Project'>): readonly Role[] {
  const roles = new Set(
    spec.members.filter((member) => matchesCaller(caller, member, metadata.name)).map(({ role }) => role),
  );
  return rolesToShow.filter((role) => roles.has(role));
}

/** Returns the role of a caller in a project, of several the one that includes the most; undefined without membership. */
export const roleOf = (caller: Caller, project: PlatformManifest<'Project'>): Role | undefined =>
  rolesOf(caller, project)[0];

/** Returns the role that includes the most of those that all given roles include. */
export const commonRole = (roles: readonly Role[]): Role =>
  rolesToShow.find((role) => roles.every((given) => includesRole(given, role))) ?? 'view';

function matchesCaller(caller: Caller, { kind, name }: Member, project: string): boolean {
  if (kind === 'Group') return caller.groups.includes(name);
  // Like the API server: a binding to a user matches every caller with that name.
  if (kind === 'User') return caller.subject === name;
  const account = memberAccount(name, project);
  return caller.kind === 'ServiceAccount' && caller.subject === serviceAccountUser(account);
}
