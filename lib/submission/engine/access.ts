import { type PlatformDocument } from '../../api';
import { type Caller } from '../../contract';

/** What a member may do in a project. */
export type Role = 'view' | 'edit' | 'admin';

const order: readonly Role[] = ['view', 'edit', 'admin'];

/** The most that a caller may do in a project; undefined for a stranger. */
export function roleOf({ subject, groups }: Caller, { metadata, spec }: PlatformDocument<'Project'>): Role | undefined {
  const roles = spec.members.flatMap(({ kind, name, role }) => {
    if (kind === 'Group') return groups.includes(name) ? [role] : [];
    if (kind === 'User') return name === subject ? [role] : [];
    const [space, account] = name.includes('/') ? name.split('/', 2) : [metadata.name, name];
    return subject === `system:serviceaccount:${space}:${account}` ? [role] : [];
  });
  return order.findLast((role) => roles.includes(role));
}
