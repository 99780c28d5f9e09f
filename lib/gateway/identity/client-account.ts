import { serviceAccountOf } from '../../kube';
import { type ApiCaller } from './api-caller';

/** Account that requests are counted for. */
export interface ClientAccount {
  readonly kind: 'serviceAccount' | 'user';
  /** Namespace of a service account, which is that of its Project; empty for users. */
  readonly project: string;
  /** Name of the service account, or of the user. */
  readonly name: string;
}

/** Returns the account of a caller. */
export function accountOf({ user }: Pick<ApiCaller, 'user'>): ClientAccount {
  const account = serviceAccountOf(user);
  return account
    ? { kind: 'serviceAccount', project: account.namespace, name: account.name }
    : { kind: 'user', project: '', name: user };
}
