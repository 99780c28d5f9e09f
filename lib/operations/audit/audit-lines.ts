import { isPlainObject } from '../../api';
import { LineSplitter } from '../../process';
import { readAuditEvent, type AuditRecord } from './audit-record';
import { type EventFields } from './event-fields';

/** Maximum bytes of a line; an event with a list response may have tens of millions. */
const maxLineLength = 64 * 1024 * 1024;

/** Receiver of the requests of an audit log. */
export interface AuditReceiver {
  add(record: AuditRecord): void;
  addUnreadable(): void;
}

/** Receiver of audit events, of all stages of a request. */
export interface AuditEventReceiver {
  /** Receives an event and the bytes of its line. */
  addEvent(event: EventFields, bytes: number): void;
  addUnreadable(): void;
}

/** Returns a receiver of events that passes on their requests. */
export const receiveRequests = (receiver: AuditReceiver): AuditEventReceiver => ({
  addEvent(event, bytes) {
    const record = readAuditEvent(event, bytes);
    if (record) receiver.add(record);
  },
  addUnreadable: () => receiver.addUnreadable(),
});

/** Parses an audit log with one event per line; lines that are too long count as unreadable. */
export class AuditLines {
  private readonly lines: LineSplitter;

  constructor(receiver: AuditEventReceiver) {
    this.lines = new LineSplitter({
      maxLength: maxLineLength,
      onLine: (line) => line.length > 0 && parseAuditEvents(line, receiver),
      onTooLong: () => receiver.addUnreadable(),
    });
  }

  /** Parses the next bytes of the log. */
  write(chunk: Uint8Array): void {
    this.lines.push(chunk);
  }

  /** Parses the last line if it has no line ending. */
  end(): void {
    this.lines.end();
  }
}

/** Parses an event, or an event list as sent by the API server's webhook. */
export function parseAuditEvents(bytes: Uint8Array, receiver: AuditEventReceiver): void {
  const body = parseJson(bytes);
  if (body === undefined) return receiver.addUnreadable();
  if (isPlainObject(body) && body['kind'] === 'EventList' && Array.isArray(body['items'])) {
    for (const item of body['items']) parseEvent(item, undefined, receiver);
    return undefined;
  }
  return parseEvent(body, bytes.length, receiver);
}

function parseEvent(event: unknown, bytes: number | undefined, receiver: AuditEventReceiver): void {
  if (!isPlainObject(event) || typeof event['auditID'] !== 'string') return receiver.addUnreadable();
  try {
    // An event in a list has no line of its own to measure.
    const size = bytes ?? (event['responseObject'] === undefined ? 0 : JSON.stringify(event).length);
    return receiver.addEvent(event, size);
  } catch (error) {
    // Objects nested too deeply to be measured: the stack is too small.
    if (error instanceof RangeError) return receiver.addUnreadable();
    throw error;
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch {
    return undefined;
  }
}
