import { type Impersonation } from '../../kube';

/** Authenticated client of the gateway, which forwarded requests impersonate. */
export interface ApiCaller extends Impersonation {
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}
