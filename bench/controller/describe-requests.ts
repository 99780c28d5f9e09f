import { type AuditEvent } from '../../test/control-plane/audit';

/** Formats request counts by verb and resource, the most frequent first. */
export function describeRequests(events: readonly AuditEvent[]): string {
  const counts = new Map<string, number>();
  for (const { verb, objectRef } of events) {
    const { resource = '', subresource } = objectRef ?? {};
    const key = `${verb} ${resource}${subresource ? `/${subresource}` : ''}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return `${events.length} requests: ${sorted.map(([key, count]) => `${count} ${key}`).join(', ')}`;
}
