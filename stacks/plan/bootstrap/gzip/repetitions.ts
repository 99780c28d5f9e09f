/** A literal byte, or a copy of `length` bytes from `distance` bytes before. */
export type Token = { readonly byte: number } | { readonly length: number; readonly distance: number };

/** Minimum match length of deflate. */
export const shortest = 3;

/** Maximum match length of deflate. */
export const longest = 258;

const farthest = 32_768;

/** Maximum number of earlier positions to search for the longest match. */
const tries = 256;

/** Text as bytes and the longest repetitions among them that are found. */
export function repetitions(data: Uint8Array): Token[] {
  const places = new Places(data);
  const tokens: Token[] = [];
  for (let at = 0; at < data.length;) {
    const { length, distance } = places.longestAt(at);
    tokens.push(length < shortest ? { byte: data[at] ?? 0 } : { length, distance });
    const next = at + (length < shortest ? 1 : length);
    for (; at < next; at++) places.note(at);
  }
  return tokens;
}

/** Positions of each sequence of three bytes, newest first. */
class Places {
  private readonly newest = new Map<number, number>();
  private readonly before: Int32Array;

  constructor(private readonly data: Uint8Array) {
    this.before = new Int32Array(data.length);
  }

  note(at: number): void {
    const key = this.keyAt(at);
    this.before[at] = this.newest.get(key) ?? -1;
    this.newest.set(key, at);
  }

  longestAt(at: number): { readonly length: number; readonly distance: number } {
    const { data } = this;
    const limit = Math.min(longest, data.length - at);
    let best = { length: 0, distance: 0 };
    let from = this.newest.get(this.keyAt(at)) ?? -1;
    for (let tried = 0; from >= 0 && at - from <= farthest && tried < tries; tried++) {
      let length = 0;
      while (length < limit && data[from + length] === data[at + length]) length++;
      if (length > best.length) best = { length, distance: at - from };
      from = this.before[from] ?? -1;
    }
    return best;
  }

  private keyAt(at: number): number {
    return ((this.data[at] ?? 0) << 16) | ((this.data[at + 1] ?? 0) << 8) | (this.data[at + 2] ?? 0);
  }
}
