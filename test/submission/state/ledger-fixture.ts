import {
  emptyLedger,
  opened,
  type LedgerEntry,
  type ProjectLedger,
} from '../../../lib/submission/state/project-ledger';

/** Time of the deployment requests, RFC 3339. */
export const requestedAt = '2026-11-02T09:00:00.000Z';

/** Returns the time this many seconds later, RFC 3339. */
export const later = (seconds: number): string => new Date(Date.parse(requestedAt) + seconds * 1000).toISOString();

/** Returns the digest of some content. */
export const digestOf = (version: string): string => `sha256:${Buffer.from(version).toString('hex').padStart(64, '0')}`;

/** A request for version 1.0.0 of `web` to `prod`, with one service on one cluster. */
export function application({ id = 'one', version = '1.0.0', ...fields }: Partial<LedgerEntry> = {}): Omit<
  LedgerEntry,
  'sequence'
> {
  return {
    id,
    version,
    workflow: 'web',
    digest: digestOf(version),
    stage: 'prod',
    intent: 'deploy',
    requestedBy: { subject: 'mia@example.com', issuer: 'https://login.example.com' },
    requestedAt,
    request: `request of ${id}`,
    waits: false,
    asks: { main: { 'PinterestService/web': { pods: '1', 'requests.cpu': '1' } } },
    ...fields,
  };
}

/** Returns a ledger with these active deployments, oldest first. */
export const ledgerOf = (...applications: readonly Partial<LedgerEntry>[]): ProjectLedger =>
  applications.reduce<ProjectLedger>((ledger, one) => opened(ledger, application(one)), emptyLedger);

/** Returns an entry from its own ledger. */
export const entry = (fields: Partial<LedgerEntry> = {}): LedgerEntry => ({ sequence: 2, ...application(fields) });
