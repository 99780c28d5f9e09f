import { type PolicyRule } from '../../lib/expand';
import { type AuditEvent } from '../control-plane/audit';

/** One permission: `apps/deployments patch`. */
export type Right = string;

/** All permissions that rules give, whatever names they are bound to. */
export const rightsOf = (rules: readonly PolicyRule[]): ReadonlySet<Right> =>
  new Set(
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`)),
      ),
    ),
  );

/** The permissions that requests needed: an apply that made its object needed `create` beside `patch`. */
export function rightsUsed(events: readonly AuditEvent[]): ReadonlySet<Right> {
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
