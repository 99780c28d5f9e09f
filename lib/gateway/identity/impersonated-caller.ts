import { type Impersonation, impersonationError, serviceAccountOf } from '../../kube';
import { type ApiCaller } from './api-caller';

/**
 * Returns how the gateway impersonates a caller. The groups of a service account are omitted if they are those that the
 * API server derives from its name: so the gateway needs no permission to impersonate a group, such as `system:masters`.
 */
export function impersonatedCaller({ user, uid, groups, extra }: ApiCaller): Impersonation {
  const caller = { user, extra, ...(uid !== undefined && { uid }) };
  return areDerived(user, groups) ? caller : { ...caller, groups };
}

/** Returns why requests of a caller cannot be forwarded; undefined if they can. A caller's own token says who it is. */
export const forwardingError = (caller: ApiCaller): string | undefined =>
  caller.token === undefined ? impersonationError(caller) : undefined;

function areDerived(user: string, groups: readonly string[]): boolean {
  const account = serviceAccountOf(user);
  if (!account) return false;
  const derived = ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`, 'system:authenticated'];
  return groups.length === derived.length && derived.every((group) => groups.includes(group));
}
