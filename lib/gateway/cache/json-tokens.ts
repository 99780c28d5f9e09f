/** Strings and brackets of a JSON text; brackets within strings do not count. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/gs;

/** String or bracket of a JSON text. */
export interface JsonToken {
  readonly text: string;
  /** Index of its first byte. */
  readonly at: number;
  /** Number of objects and arrays around it; a bracket is within itself. */
  readonly depth: number;
}

/** Yields the strings and brackets of a JSON text: edits and slices keep all other bytes, as numbers that JavaScript rounds. */
export function* jsonTokens(json: Buffer): Generator<JsonToken> {
  let depth = 0;
  // In Latin-1 each byte is a character, so that indexes are those of the bytes.
  for (const { 0: text, index: at } of json.toString('latin1').matchAll(tokens)) {
    if (text === '{' || text === '[') depth += 1;
    yield { text, at, depth };
    if (text === '}' || text === ']') depth -= 1;
  }
}
