import { isPlainObject } from '../../api';
import { LineSplitter } from '../../process';
import { readAuditEvent, type AuditRecord } from './audit-record';

/** Maximum bytes of a line; an event with the response of a list may have some ten million. */
const maxLineLength = 64 * 1024 * 1024;

/** Receiver of audit events. */
export interface AuditReceiver {
  add(record: AuditRecord): void;
  addUnreadable(): void;
}

/** Parses an audit log with one event per line; lines that are too long count as unreadable. */
export class AuditLines {
  private readonly lines: LineSplitter;

  constructor(taker: AuditReceiver) {
    this.lines = new LineSplitter({
      maxLength: maxLineLength,
      onLine: (line) => line.length > 0 && takeEvents(line, taker),
      onTooLong: () => taker.addUnreadable(),
    });
  }

  /** Parses the next bytes of the log. */
  take(chunk: Uint8Array): void {
    this.lines.push(chunk);
  }

  /** Parses the last line if it has no line ending. */
  end(): void {
    this.lines.end();
  }
}

/** Parses an event, or a list of events as the API server's webhook sends it. */
export function takeEvents(bytes: Uint8Array, taker: AuditReceiver): void {
  const body = parsed(bytes);
  if (body === undefined) return taker.addUnreadable();
  if (isPlainObject(body) && body['kind'] === 'EventList' && Array.isArray(body['items'])) {
    for (const item of body['items']) takeEvent(item, undefined, taker);
    return undefined;
  }
  return takeEvent(body, bytes.length, taker);
}

function takeEvent(event: unknown, bytes: number | undefined, taker: AuditReceiver): void {
  if (!isPlainObject(event) || typeof event['auditID'] !== 'string') return taker.addUnreadable();
  // An event of a list has no line whose length is its size.
  const size = bytes ?? (event['responseObject'] === undefined ? 0 : JSON.stringify(event).length);
  const record = readAuditEvent(event, size);
  if (record) taker.add(record);
  return undefined;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch {
    return undefined;
  }
}
