/** One event of a stream of server-sent events. */
export interface StreamEvent {
  /** Where a stream resumes after this event; absent where the stream has not named any. */
  readonly id?: string;
  readonly data: string;
}

/**
 * Reads a stream of server-sent events as it comes, in pieces of any size.
 *
 * The fields `event` and `retry` are passed over: no stream here has more than one kind of event, and the page has a
 * back-off of its own.
 */
export function createEventReader(): (piece: string) => readonly StreamEvent[] {
  let rest = '';
  let afterCarriageReturn = false;
  let data: string[] = [];
  let id: string | undefined;
  const readLine = (line: string): StreamEvent | undefined => {
    if (line === '') {
      const event = data.length > 0 ? { ...(id !== undefined && { id }), data: data.join('\n') } : undefined;
      data = [];
      return event;
    }
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
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
