/** Part of a string with one document, and the 0-based position of its first character in the whole string. */
export interface Chunk {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

const dash = 0x2d;
const dot = 0x2e;

/** Returns whether the line at `at` is `---` or `...`, with anything after whitespace. */
function isMarker(text: string, at: number, char: number): boolean {
  if (text.charCodeAt(at) !== char || text.charCodeAt(at + 1) !== char || text.charCodeAt(at + 2) !== char)
    return false;
  return at + 3 >= text.length || /\s/.test(text.charAt(at + 3));
}

/**
 * Returns whether a part consists of comments, blank lines and directives only: it belongs to the document after the
 * marker.
 */
const isPreamble = (text: string): boolean => /^(?:[ \t]*(?:#.*)?\n)*%/.test(text) && !/^[^%#\s]/m.test(text);

/** Splits a string with `\n` line breaks at document markers, so that an invalid document does not affect others. */
export function splitStream(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let startLine = 0;
  let line = 0;
  const cut = (end: number): boolean => {
    const part = text.slice(start, end);
    if (text.charCodeAt(end) === dash && isPreamble(part)) return false;
    if (/\S/.test(part)) chunks.push({ text: part, line: startLine, column: 0 });
    return true;
  };
  for (let at = 0; at !== -1 && at < text.length; line++) {
    const next = text.indexOf('\n', at);
    if (at > start && isMarker(text, at, dash) && cut(at)) {
      start = at;
      startLine = line;
    } else if (isMarker(text, at, dot) && cut(at)) {
      start = next === -1 ? text.length : next + 1;
      startLine = line + 1;
    }
    at = next === -1 ? -1 : next + 1;
  }
  cut(text.length);
  return chunks;
}

/** Returns the offset after the closing quote of the JSON string that starts at `at`; -1 if it does not end. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charAt(end - 1 - slashes) === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return -1;
}

/** Returns the offset after the JSON object that starts at `at`; -1 if it does not end. */
function endOfJson(text: string, at: number): number {
  const token = /["[\]{}]/g;
  token.lastIndex = at;
  let depth = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '"') {
      const end = endOfString(text, match.index);
      if (end === -1) return -1;
      token.lastIndex = end;
    } else if (match[0] === '{' || match[0] === '[') depth++;
    else if (--depth === 0) return token.lastIndex;
  }
  return -1;
}

/** Splits a part that is a sequence of JSON objects, as kubectl accepts it; anything else remains as the last part. */
export function splitJson(chunk: Chunk): Chunk[] {
  const { text } = chunk;
  const chunks: Chunk[] = [];
  let { line, column } = chunk;
  let from = 0;
  const moveTo = (end: number): void => {
    const breaks = text.slice(from, end).split('\n');
    line += breaks.length - 1;
    column = (breaks.length === 1 ? column : 0) + (breaks[breaks.length - 1] as string).length;
    from = end;
  };
  const blank = /\s*/y;
  for (;;) {
    blank.lastIndex = from;
    blank.exec(text);
    const start = blank.lastIndex;
    if (start >= text.length) break;
    moveTo(start);
    const end = text.charAt(start) === '{' ? endOfJson(text, start) : -1;
    const stop = end === -1 ? text.length : end;
    chunks.push({ text: text.slice(start, stop), line, column });
    moveTo(stop);
  }
  return chunks;
}
