/** A literal byte, or a copy of `length` bytes from `distance` bytes before. */
export type Token = { readonly byte: number } | { readonly length: number; readonly distance: number };

/** Minimum match length of deflate. */
export const shortest = 3;

/** Maximum match length of deflate. */
export const longest = 258;

const windowSize = 32_768;

/** Maximum number of earlier positions to search for the longest match. */
const maxCandidates = 256;

/** Splits data into literal bytes and copies of the longest matches found (LZ77). */
export function repetitions(data: Uint8Array): Token[] {
  const index = new MatchIndex(data);
  const tokens: Token[] = [];
  for (let position = 0; position < data.length;) {
    const { length, distance } = index.longestMatchAt(position);
    tokens.push(length < shortest ? { byte: data[position] ?? 0 } : { length, distance });
    const next = position + (length < shortest ? 1 : length);
    for (; position < next; position++) index.add(position);
  }
  return tokens;
}

/** Positions of each sequence of three bytes, newest first. */
class MatchIndex {
  private readonly newest = new Map<number, number>();
  private readonly previous: Int32Array;

  constructor(private readonly data: Uint8Array) {
    this.previous = new Int32Array(data.length);
  }

  add(position: number): void {
    const key = this.keyAt(position);
    this.previous[position] = this.newest.get(key) ?? -1;
    this.newest.set(key, position);
  }

  longestMatchAt(position: number): { readonly length: number; readonly distance: number } {
    const { data } = this;
    const limit = Math.min(longest, data.length - position);
    let best = { length: 0, distance: 0 };
    let from = this.newest.get(this.keyAt(position)) ?? -1;
    for (let candidates = 0; from >= 0 && position - from <= windowSize && candidates < maxCandidates; candidates++) {
      let length = 0;
      while (length < limit && data[from + length] === data[position + length]) length++;
      if (length > best.length) best = { length, distance: position - from };
      from = this.previous[from] ?? -1;
    }
    return best;
  }

  private keyAt(position: number): number {
    return ((this.data[position] ?? 0) << 16) | ((this.data[position + 1] ?? 0) << 8) | (this.data[position + 2] ?? 0);
  }
}
