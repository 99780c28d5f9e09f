import { type About, type Visit } from './visit';

/** One line of the audit: who tried to change what, and what came of it. Holds no token, cookie or header. */
export interface AuditRecord extends About {
  /** RFC 3339, in UTC: when it ended. */
  readonly time: string;
  /** Id of the request, which its answer has as X-Request-Id. */
  readonly id: string;
  readonly operation: string;
  /** Status that it was answered; 499 where its sender left first. */
  readonly status: number;
  /** Who asked; absent where that was not found out. */
  readonly subject?: string;
  readonly issuer?: string;
  readonly by?: 'bearer' | 'session';
  /** Where the request came from. */
  readonly address: string;
}

/** The line of a request that has ended. */
export const auditRecord = (visit: Visit, status: number, now: number): AuditRecord => ({
  time: new Date(now).toISOString(),
  id: visit.id,
  operation: visit.operation,
  status,
  ...(visit.caller ? { subject: visit.caller.subject, issuer: visit.caller.issuer } : {}),
  ...(visit.by ? { by: visit.by } : {}),
  address: visit.address,
  ...visit.about,
});
