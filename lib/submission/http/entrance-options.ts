import { type Registry } from 'prom-client';
import { type Clock, type Log } from '../../kube';
import { type Identity } from '../identity';
import { type SubmissionService } from '../service';
import { type AuditRecord } from './audit';
import { type HandedRoute } from './handed-route';
import { type Limits } from '../../programs';

/** What an entrance is made of. */
export interface EntranceOptions {
  readonly service: SubmissionService;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Takes the line of each request that changes, or tries to change, something. */
  readonly audit: (record: AuditRecord) => void;
  readonly registry: Registry;
  /** Address that both listeners bind. @default 0.0.0.0 */
  readonly host?: string;
  /** Port of the entrance; 0 takes a free one. */
  readonly port: number;
  /** Port of /livez, /readyz and /metrics, which are not for everybody; 0 takes a free one. */
  readonly statusPort: number;
  /** Routes beside the operations. @default - none */
  readonly routes?: readonly HandedRoute[];
  /** Origin of the page as browsers see it, `https://deploy.example.com`. @default - what the header Host says */
  readonly origin?: string;
  /** Whether whoever stands in front speaks TLS, so that browsers may be told to use nothing else. @default false */
  readonly isBehindTls?: boolean;
  /** Addresses or networks of proxies whose X-Forwarded-For is believed. @default - none */
  readonly trustedProxies?: readonly string[];
  /** @default - defaultLimits */
  readonly limits?: Partial<Limits>;
}
