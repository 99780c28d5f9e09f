import { type Audit, type AuditEvent, type AuditMark } from '../../control-plane/audit';
import { controllerUser } from '../pinion-suite';
import { passed } from './persist';

/** How long a lease is somebody's after the last renewal began, in milliseconds. */
const leaseDuration = 15_000;
const writing = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

const received = (event: AuditEvent): number => Date.parse(event.requestReceivedTimestamp);
const answered = (event: AuditEvent): number => Date.parse(event.stageTimestamp);
const isDone = ({ responseStatus: { code = 0 } = {} }: AuditEvent): boolean => code >= 200 && code < 300;
const isLease = ({ objectRef }: AuditEvent): boolean => objectRef?.resource === 'leases';
/** Its gate put the name of the process behind the user agent. */
const processOf = ({ userAgent = '' }: AuditEvent): string => userAgent.split(' ').at(-1) ?? '';
const said = (event: AuditEvent): string =>
  `${event.requestReceivedTimestamp} ${processOf(event)} ${event.verb} ${event.requestURI}`;

/** Writes of controllers that did not hold the lease when they wrote. */
export function leadershipVerdict(audit: Audit, mark: AuditMark): string[] {
  const events = audit
    .since(mark, { user: controllerUser, userAgent: 'chaos-' })
    .filter((event) => writing.has(event.verb) && isDone(event));
  if (events.every(isLease)) return ['no write of a controller is in the audit log'];
  const renewals = events.filter(isLease).sort((a, b) => answered(a) - answered(b));
  return events
    .filter((event) => !isLease(event))
    .flatMap((event) => {
      const last = renewals.findLast((renewal) => answered(renewal) <= received(event));
      if (!last) return [`${said(event)}: nobody held the lease`];
      if (processOf(last) !== processOf(event)) return [`${said(event)}: ${processOf(last)} held the lease`];
      const age = received(event) - received(last);
      return age <= leaseDuration ? [] : [`${said(event)}: it had renewed the lease ${age} ms before`];
    });
}

/** What was asked in a while in which nothing is to be asked but watches and the lease; tried until it is quiet. */
export async function restVerdict(audit: Audit, length: number, attempts: number): Promise<string[]> {
  let loud: readonly AuditEvent[] = [];
  for (let attempt = 0; attempt < attempts; attempt++) {
    const mark = audit.mark();
    await passed(length);
    loud = audit.since(mark, { user: controllerUser }).filter((event) => event.verb !== 'watch' && !isLease(event));
    if (loud.length === 0) return [];
  }
  return loud.slice(0, 20).map((event) => `at rest: ${said(event)}`);
}

/** How often an object was made after a mark; what a server that was killed did last may be missing. */
export function creations(
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

/** Events that controllers wrote, against how many could be of interest. */
export function floodVerdict(audit: Audit, mark: AuditMark, most: number): string[] {
  const events = audit
    .since(mark, { user: controllerUser, resource: 'events' })
    .filter((event) => writing.has(event.verb) && isDone(event));
  return events.length <= most ? [] : [`${events.length} writes of events, where at most ${most} are of interest`];
}
