import { type Impersonation, serviceAccountOf } from '../../kube';
import { type ApiCaller } from './api-caller';

/**
 * Returns how the gateway impersonates a caller. The groups of a service account are omitted if they are those that the
 * API server derives from its name: so the gateway needs no permission to impersonate a group, such as `system:masters`.
 */
export function impersonatedCaller(caller: ApiCaller): Impersonation {
  const { groups, ...others } = caller;
  return areDerived(caller) ? others : { ...others, groups };
}

function areDerived({ user, groups }: ApiCaller): boolean {
  const account = serviceAccountOf(user);
  if (!account) return false;
  const derived = ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`, 'system:authenticated'];
  return groups.length === derived.length && derived.every((group) => groups.includes(group));
}
