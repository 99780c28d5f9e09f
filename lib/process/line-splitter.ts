const lf = 0x0a;
const cr = 0x0d;

/** Options and callbacks of a `LineSplitter`. */
export interface LineSplitterOptions {
  /** Receives each line without its ending. */
  readonly onLine: (line: Uint8Array) => void;
  /** Whether CR and CRLF end a line, in addition to LF. @default false */
  readonly carriageReturns?: boolean;
  /** Maximum length of a line in bytes; longer lines are dropped. @default - unlimited */
  readonly maxLength?: number;
  /** Called instead of `onLine` for a line that is too long. @default - it is dropped silently */
  readonly onTooLong?: () => void;
}

/** Splits a stream of bytes into lines, however it is divided into chunks; only the unfinished line is buffered. */
export class LineSplitter {
  private parts: Uint8Array[] = [];
  private length = 0;
  /** Whether the last line ended with CR, so that a following LF belongs to it. */
  private endedWithCr = false;

  constructor(private readonly options: LineSplitterOptions) {}

  /** Length of the unfinished line in bytes. */
  get pendingLength(): number {
    return this.length;
  }

  /** Processes the next bytes of the stream. Throws errors of `onLine`. */
  push(chunk: Uint8Array): void {
    let from = this.endedWithCr && chunk[0] === lf ? 1 : 0;
    if (chunk.length > 0) this.endedWithCr = false;
    for (let end = this.lineEnd(chunk, from); end !== -1; end = this.lineEnd(chunk, from)) {
      this.append(chunk.subarray(from, end));
      const isReturn = chunk[end] === cr;
      this.endedWithCr = isReturn && end + 1 === chunk.length;
      from = end + (isReturn && chunk[end + 1] === lf ? 2 : 1);
      this.endLine();
    }
    // A copy, because the caller may reuse the chunk.
    if (from < chunk.length) this.append(Uint8Array.prototype.slice.call(chunk, from));
  }

  /** Ends the stream: an unfinished line counts as a line. */
  end(): void {
    if (this.length > 0) this.endLine();
  }

  private endLine(): void {
    const { parts, length } = this;
    [this.parts, this.length] = [[], 0];
    if (length > this.maxLength) this.options.onTooLong?.();
    else this.options.onLine(concatenate(parts, length));
  }

  private get maxLength(): number {
    return this.options.maxLength ?? Infinity;
  }

  private lineEnd(chunk: Uint8Array, from: number): number {
    const end = chunk.indexOf(lf, from);
    if (this.options.carriageReturns !== true) return end;
    const before = end === -1 ? chunk.subarray(from) : chunk.subarray(from, end);
    const found = before.indexOf(cr);
    return found === -1 ? end : from + found;
  }

  private append(part: Uint8Array): void {
    this.length += part.length;
    if (this.length > this.maxLength) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }
}

function concatenate(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [first, ...others] = parts;
  if (first && others.length === 0) return first;
  const line = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    line.set(part, offset);
    offset += part.length;
  }
  return line;
}
