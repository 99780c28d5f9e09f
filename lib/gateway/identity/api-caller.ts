import { type Impersonation } from '../../kube';

/** Authenticated client of the gateway. */
export interface ApiCaller extends Impersonation {
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
  /** Token that the API server accepts itself, with which requests are forwarded. @default - they impersonate the client */
  readonly token?: string;
}
