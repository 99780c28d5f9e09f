import { type Registry } from 'prom-client';
import { type Clock, type Log } from '../../kube';
import { type Authenticator } from '../authenticator';
import { type SubmissionService } from '../service';
import { type RequestAuditRecord } from './audit';
import { type ExtraRoute } from './extra-route';
import { type Limits } from '../../programs';

/** Options of the HTTP server. */
export interface HttpServerOptions {
  readonly service: SubmissionService;
  readonly identity: Authenticator;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Records each request that changes, or tries to change, state. */
  readonly audit: (record: RequestAuditRecord) => void;
  readonly registry: Registry;
  /** Listen address of both servers. @default 0.0.0.0 */
  readonly host?: string;
  /** Port of the API; 0 selects a free one. */
  readonly port: number;
  /** Port of /livez, /readyz and /metrics; 0 selects a free one. */
  readonly statusPort: number;
  /** Routes outside the API. @default - none */
  readonly routes?: readonly ExtraRoute[];
  /** Public origin of the page, such as `https://deploy.example.com`. @default - from the Host header */
  readonly origin?: string;
  /** Whether a proxy terminates TLS, so responses set Strict-Transport-Security. @default false */
  readonly isBehindTls?: boolean;
  /** Addresses or networks of proxies whose X-Forwarded-For is trusted. @default - none */
  readonly trustedProxies?: readonly string[];
  /** @default - defaultLimits */
  readonly limits?: Partial<Limits>;
}
