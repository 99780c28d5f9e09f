/** Corruption found in a file. */
export interface Corruption {
  /** Page on which it was found. */
  readonly page: number;
  /** Description without a subject, such as `has the header of page 99`. */
  readonly reason: string;
}

/** Maximum recorded entries; further ones are only counted. */
const maxEntries = 10_000;

/** Collects the corruption of a file. */
export class CorruptionList {
  readonly found: Corruption[] = [];
  count = 0;

  add(page: number, reason: string): void {
    this.count++;
    if (this.found.length < maxEntries) this.found.push({ page, reason });
  }
}
