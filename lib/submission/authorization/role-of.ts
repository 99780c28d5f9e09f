import { type PlatformManifest, type Spec } from '../../api';
import { type Caller } from '../../contract';
import { memberAccount } from '../../expand';

type Member = Spec<'Project'>['members'][number];

/** Role of a project member. */
export type Role = Member['role'];

const highestFirst: readonly Role[] = ['admin', 'edit', 'view'];

/** Returns the highest role of a caller in a project, by name and groups as RBAC bindings match; undefined without membership. */
export function roleOf(caller: Caller, { metadata, spec }: PlatformManifest<'Project'>): Role | undefined {
  const roles = new Set(
    spec.members.filter((member) => matchesCaller(caller, member, metadata.name)).map(({ role }) => role),
  );
  return highestFirst.find((role) => roles.has(role));
}

function matchesCaller(caller: Caller, { kind, name }: Member, project: string): boolean {
  if (kind === 'Group') return caller.groups.includes(name);
  // Like the API server: a binding to a user matches every caller with that name.
  if (kind === 'User') return caller.subject === name;
  const account = memberAccount(name, project);
  return (
    caller.kind === 'ServiceAccount' && caller.subject === `system:serviceaccount:${account.namespace}:${account.name}`
  );
}
