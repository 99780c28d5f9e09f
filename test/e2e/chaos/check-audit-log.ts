import { type Audit, type AuditEvent, type AuditMark } from '../../control-plane/audit';
import { controllerUser } from '../pinion-suite';
import { delay } from './retry-request';

/** Milliseconds that a lease is held after its last renewal began. */
const leaseDuration = 15_000;
const writeVerbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

const receivedAt = (event: AuditEvent): number => Date.parse(event.requestReceivedTimestamp);
const respondedAt = (event: AuditEvent): number => Date.parse(event.stageTimestamp);
const isSuccessful = ({ responseStatus: { code = 0 } = {} }: AuditEvent): boolean => code >= 200 && code < 300;
const isLease = ({ objectRef }: AuditEvent): boolean => objectRef?.resource === 'leases';
/** Returns the name of the process, which its proxy appends to the user agent. */
const processOf = ({ userAgent = '' }: AuditEvent): string => userAgent.split(' ').at(-1) ?? '';
const describeRequest = (event: AuditEvent): string =>
  `${event.requestReceivedTimestamp} ${processOf(event)} ${event.verb} ${event.requestURI}`;

/** Returns writes of controllers that did not hold the lease at that time. */
export function checkLeadership(audit: Audit, mark: AuditMark): string[] {
  const events = audit
    .since(mark, { user: controllerUser, userAgent: 'chaos-' })
    .filter((event) => writeVerbs.has(event.verb) && isSuccessful(event));
  if (events.every(isLease)) return ['no write of a controller is in the audit log'];
  const renewals = events.filter(isLease).sort((a, b) => respondedAt(a) - respondedAt(b));
  return events
    .filter((event) => !isLease(event))
    .flatMap((event) => {
      const last = renewals.findLast((renewal) => respondedAt(renewal) <= receivedAt(event));
      if (!last) return [`${describeRequest(event)}: no controller held the lease`];
      if (processOf(last) !== processOf(event)) return [`${describeRequest(event)}: ${processOf(last)} held the lease`];
      const age = receivedAt(event) - receivedAt(last);
      return age <= leaseDuration ? [] : [`${describeRequest(event)}: it had renewed the lease ${age} ms before`];
    });
}

/** Returns requests of an idle controller other than watches and lease renewals; retries until there are none. */
export async function checkIdleRequests(audit: Audit, idleMs: number, attempts: number): Promise<string[]> {
  let unexpected: readonly AuditEvent[] = [];
  for (let attempt = 0; attempt < attempts; attempt++) {
    const mark = audit.mark();
    await delay(idleMs);
    unexpected = audit
      .since(mark, { user: controllerUser })
      .filter((event) => event.verb !== 'watch' && !isLease(event));
    if (unexpected.length === 0) return [];
  }
  return unexpected.slice(0, 20).map((event) => `while idle: ${describeRequest(event)}`);
}

/** Returns how often objects were created since a mark; the last requests of a killed server may be missing. */
export function countCreations(
  audit: Audit,
  mark: AuditMark,
  resource: string,
  namespace: string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const event of audit.since(mark, { user: controllerUser, resource, namespace })) {
    const name = event.objectRef?.name ?? '';
    if (event.responseStatus?.code === 201) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Returns a problem if controllers wrote more events than a maximum. */
export function checkEventCount(audit: Audit, mark: AuditMark, max: number): string[] {
  const events = audit
    .since(mark, { user: controllerUser, resource: 'events' })
    .filter((event) => writeVerbs.has(event.verb) && isSuccessful(event));
  return events.length <= max ? [] : [`${events.length} writes of events, expected at most ${max}`];
}
