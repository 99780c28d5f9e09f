/** One event of a stream of server-sent events. */
export interface StreamEvent {
  /** Where a stream resumes after this event; absent where the stream has not named any. */
  readonly id?: string;
  readonly data: string;
}

/**
 * Reads a stream of server-sent events as it comes, in pieces of any size.
 *
 * Events of a kind of their own are passed over, as what the service says of the stream itself: that it ends, or failed. So
 * is the field `retry`: the page has a back-off of its own.
 */
export function createEventReader(): (piece: string) => readonly StreamEvent[] {
  let rest = '';
  let afterCarriageReturn = false;
  let data: string[] = [];
  let id: string | undefined;
  let kind = '';
  const readLine = (line: string): StreamEvent | undefined => {
    if (line === '') {
      const isPlain = kind === '' || kind === 'message';
      const event = isPlain && data.length > 0 ? { ...(id !== undefined && { id }), data: data.join('\n') } : undefined;
      data = [];
      kind = '';
      return event;
    }
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    if (name === 'event') kind = value;
    if (name === 'id' && !value.includes('\0')) id = value;
    return undefined;
  };
  return (piece) => {
    if (piece === '') return [];
    const text = afterCarriageReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    afterCarriageReturn = piece.endsWith('\r');
    const lines = (rest + text).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    return lines.map(readLine).filter((event) => event !== undefined);
  };
}
