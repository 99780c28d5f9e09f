import { isPlainObject } from '../../api';
import { readAuditEvent, type AuditRecord } from './audit-record';

/** Bytes of a line at most; one that is longer is left out. An event with the answer to a list may have some ten million. */
const longestLine = 64 * 1024 * 1024;
const newline = 10;

/** What is done with events. */
export interface AuditTaker {
  add(record: AuditRecord): void;
  addUnreadable(): void;
}

/** Cuts an audit log into events, one a line, piece by piece; only the line that is not whole yet is kept. */
export class AuditLines {
  private rest: Uint8Array[] = [];
  private length = 0;
  private isTooLong = false;

  constructor(private readonly taker: AuditTaker) {}

  /** Takes the next bytes of the log. */
  take(piece: Uint8Array): void {
    let from = 0;
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, from)) {
      this.keep(piece.subarray(from, at));
      this.end();
      from = at + 1;
    }
    this.keep(piece.slice(from));
  }

  /** Takes the last line, where it has no end. */
  end(): void {
    const { rest, length, isTooLong } = this;
    [this.rest, this.length, this.isTooLong] = [[], 0, false];
    if (isTooLong) this.taker.addUnreadable();
    else if (length > 0) takeEvents(rest.length === 1 ? (rest[0] as Uint8Array) : Buffer.concat(rest), this.taker);
  }

  private keep(part: Uint8Array): void {
    this.length += part.length;
    if (this.length > longestLine) [this.isTooLong, this.rest] = [true, []];
    else if (part.length > 0) this.rest.push(part);
  }
}

/** Takes an event, or a list of events as the API server's webhook sends it. */
export function takeEvents(bytes: Uint8Array, taker: AuditTaker): void {
  const said = parsed(bytes);
  if (said === undefined) return taker.addUnreadable();
  if (isPlainObject(said) && said['kind'] === 'EventList' && Array.isArray(said['items'])) {
    for (const item of said['items']) takeEvent(item, undefined, taker);
    return undefined;
  }
  return takeEvent(said, bytes.length, taker);
}

function takeEvent(event: unknown, bytes: number | undefined, taker: AuditTaker): void {
  if (!isPlainObject(event) || typeof event['auditID'] !== 'string') return taker.addUnreadable();
  // In a list an event has no line of its own to be measured by.
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
