/** One event of a stream. */
export interface ServerSentEvent {
  /** The last id that the stream gave, with this event or before it; empty where it gave none. */
  readonly id: string;
  /** What kind of event it is. */
  readonly event: string;
  /** Its lines of data, joined. */
  readonly data: string;
}

/** Most characters of one event: one that is longer is no event of ours. */
const longest = 16 * 1024 * 1024;

/** Thrown where a stream holds what cannot be an event. */
export class NoEventStream extends Error {
  override readonly name = 'NoEventStream' as const;
}

/**
 * Takes a stream of server-sent events apart, as the HTML standard says: lines end with LF, CR or CRLF, bytes may be cut
 * anywhere, comments are passed over, and an event that the end of the stream cuts off is none.
 */
export class EventParser {
  private readonly decoder = new TextDecoder();
  /** Text whose line has not ended. */
  private rest = '';
  /** How much of it holds no end of a line. */
  private searched = 0;
  /** Whether a line ended with CR, so that an LF at once belongs to that end. */
  private afterReturn = false;
  private id = '';
  private event = '';
  private data: string[] = [];
  private size = 0;
  private asked: number | undefined;

  /** Milliseconds that the stream asks to be waited before it is opened again; undefined where it says none. */
  get retry(): number | undefined {
    return this.asked;
  }

  /** Takes some bytes; gives the events that end in them. Throws `NoEventStream` where one has more than 16 Mi characters. */
  push(bytes: Uint8Array): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    this.rest += this.decoder.decode(bytes, { stream: true });
    for (let line = this.line(); line !== undefined; line = this.line()) {
      const event = this.take(line);
      if (event) events.push(event);
    }
    if (this.size + this.rest.length > longest) throw new NoEventStream('an event of the stream is too long');
    return events;
  }

  /** The next line that has ended. */
  private line(): string | undefined {
    if (this.afterReturn && this.rest !== '') {
      if (this.rest.startsWith('\n')) this.rest = this.rest.slice(1);
      this.afterReturn = false;
    }
    const found = /[\r\n]/.exec(this.rest.slice(this.searched));
    if (!found) {
      this.searched = this.rest.length;
      return undefined;
    }
    const end = this.searched + found.index;
    const line = this.rest.slice(0, end);
    this.afterReturn = found[0] === '\r';
    this.rest = this.rest.slice(end + 1);
    this.searched = 0;
    return line;
  }

  private take(line: string): ServerSentEvent | undefined {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') {
      this.data.push(value);
      this.size += value.length + 1;
    } else if (field === 'event') this.event = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) this.asked = Number(value);
    return undefined;
  }

  private dispatch(): ServerSentEvent | undefined {
    const { id, event, data } = this;
    [this.event, this.data, this.size] = ['', [], 0];
    return data.length === 0 ? undefined : { id, event: event || 'message', data: data.join('\n') };
  }
}
