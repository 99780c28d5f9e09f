import { type AuditSubject, type TrackedRequest } from './tracked-request';

/** Audit log entry: who tried to change what, and the result. Contains no token, cookie or header. */
export interface RequestAuditRecord extends AuditSubject {
  /** End of the request, RFC 3339 in UTC. */
  readonly time: string;
  /** Request ID, as in X-Request-Id. */
  readonly id: string;
  readonly operation: string;
  /** Response status; 499 if the client disconnected first. */
  readonly status: number;
  /** Subject of the caller; absent if not authenticated. */
  readonly subject?: string;
  readonly issuer?: string;
  readonly by?: 'bearer' | 'session';
  /** Client address. */
  readonly address: string;
}

/** Returns the audit log entry of a request. */
export const auditRecord = (request: TrackedRequest, status: number, now: number): RequestAuditRecord => ({
  time: new Date(now).toISOString(),
  id: request.id,
  operation: request.operation,
  status,
  ...(request.caller ? { subject: request.caller.subject, issuer: request.caller.issuer } : {}),
  ...(request.authenticatedBy ? { by: request.authenticatedBy } : {}),
  address: request.address,
  ...request.auditSubject,
});
