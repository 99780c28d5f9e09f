import { LineSplitter } from '../process';

/** One event of a stream. */
export interface ServerSentEvent {
  /** Last event ID of the stream; empty before the first. */
  readonly id: string;
  /** Type of the event. */
  readonly event: string;
  /** Data lines, joined by newlines. */
  readonly data: string;
}

/** Maximum characters of one event; the service sends shorter ones. */
const maxEventLength = 16 * 1024 * 1024;

/** Thrown when a stream contains an event that is too long. */
export class EventTooLongError extends Error {
  override readonly name = 'EventTooLongError' as const;
}

/**
 * Parses a stream of server-sent events as the HTML standard specifies: lines end with LF, CR or CRLF, chunks may split
 * anywhere, and comments and an unfinished last event are skipped.
 */
export class EventParser {
  // Each line is decoded separately, so only the first one may start with a byte order mark.
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private readonly lines = new LineSplitter({ carriageReturns: true, onLine: (line) => this.addLine(line) });
  private isFirstLine = true;
  private events: ServerSentEvent[] = [];
  private id = '';
  private event = '';
  private data: string[] = [];
  private size = 0;
  private reconnectTime: number | undefined;

  /** Reconnection time in milliseconds; undefined if the stream has not sent one. */
  get retry(): number | undefined {
    return this.reconnectTime;
  }

  /** Returns the events that the bytes complete. Throws `EventTooLongError` if one has more than 16 Mi characters. */
  push(bytes: Uint8Array): ServerSentEvent[] {
    this.events = [];
    this.lines.push(bytes);
    if (this.size + this.lines.pendingLength > maxEventLength)
      throw new EventTooLongError('an event of the stream is too long');
    return this.events;
  }

  private addLine(bytes: Uint8Array): void {
    const line = this.decoder.decode(bytes);
    const event = this.parseLine(this.isFirstLine ? line.replace(/^\ufeff/, '') : line);
    this.isFirstLine = false;
    if (event) this.events.push(event);
  }

  private parseLine(line: string): ServerSentEvent | undefined {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') {
      this.data.push(value);
      this.size += value.length + 1;
    } else if (field === 'event') this.event = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) this.reconnectTime = Number(value);
    return undefined;
  }

  private dispatch(): ServerSentEvent | undefined {
    const { id, event, data } = this;
    [this.event, this.data, this.size] = ['', [], 0];
    return data.length === 0 ? undefined : { id, event: event || 'message', data: data.join('\n') };
  }
}
