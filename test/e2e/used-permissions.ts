import { type PolicyRule } from '../../lib/expand';
import { type AuditEvent } from '../control-plane/audit';

/** One permission: `apps/deployments patch`. */
export type Permission = string;

/** Returns all permissions that rules grant, ignoring resource names. */
export const permissionsOf = (rules: readonly PolicyRule[]): ReadonlySet<Permission> =>
  new Set(
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`)),
      ),
    ),
  );

/** Returns the permissions that requests needed: an apply that created its object needed `create` and `patch`. */
export function usedPermissions(events: readonly AuditEvent[]): ReadonlySet<Permission> {
  return new Set(
    events.flatMap(({ verb, objectRef, responseStatus }) => {
      if (!objectRef?.resource) return [];
      const { apiGroup = '', resource, subresource } = objectRef;
      const what = `${apiGroup}/${resource}${subresource ? `/${subresource}` : ''}`;
      return verb === 'patch' && responseStatus?.code === 201
        ? [`${what} patch`, `${what} create`]
        : [`${what} ${verb}`];
    }),
  );
}
