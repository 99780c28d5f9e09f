/** One thing that is wrong with a file. */
export interface Damage {
  /** The page that it was found on. */
  readonly page: number;
  /** What is wrong there: a clause. */
  readonly reason: string;
}

/** So many are kept with their page and reason; all are counted. */
const kept = 10_000;

/** Collects what is wrong with a file, page by page. */
export class DamageList {
  readonly found: Damage[] = [];
  count = 0;

  add(page: number, reason: string): void {
    this.count++;
    if (this.found.length < kept) this.found.push({ page, reason });
  }
}
