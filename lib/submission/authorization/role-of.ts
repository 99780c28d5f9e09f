import { type PlatformManifest, type Spec } from '../../api';
import { type Caller } from '../../contract';
import { memberAccount } from '../../expand';

type Member = Spec<'Project'>['members'][number];

/** What a member may do in a project. */
export type Role = Member['role'];

const highestFirst: readonly Role[] = ['admin', 'edit', 'view'];

/** The highest role that a caller has in a project: what its cluster binds the same name and groups to; undefined for who is no member. */
export function roleOf(caller: Caller, { metadata, spec }: PlatformManifest<'Project'>): Role | undefined {
  const held = new Set(spec.members.filter((member) => isMeant(caller, member, metadata.name)).map(({ role }) => role));
  return highestFirst.find((role) => held.has(role));
}

function isMeant(caller: Caller, { kind, name }: Member, project: string): boolean {
  if (kind === 'Group') return caller.groups.includes(name);
  // As the API server: a binding to a user means whoever has that name.
  if (kind === 'User') return caller.subject === name;
  const account = memberAccount(name, project);
  return (
    caller.kind === 'ServiceAccount' && caller.subject === `system:serviceaccount:${account.namespace}:${account.name}`
  );
}
