import { elementBytes, pageHeaderBytes } from '../file/page';

/** Fill factor of leaves after defragmentation. */
const fillFactor = 0.9;
/** Minimum entries of a page before bbolt splits it. */
const minEntries = 2;
/** Bytes of a revision key. */
const revisionBytes = 17;

/** Computes the pages of entries in a file that bbolt writes in key order. */
export class Packing {
  private pages = 0;
  private leaves = 0;
  private filled = pageHeaderBytes;
  private entries = 0;

  constructor(private readonly pageSize: number) {}

  /** Adds an entry with the total size of its key and value. */
  add(bytes: number): void {
    const size = elementBytes + bytes;
    if (this.entries >= minEntries && this.filled + size > fillFactor * this.pageSize) this.close();
    this.filled += size;
    this.entries++;
  }

  /** Bytes of leaves and branches. */
  get bytes(): number {
    if (this.entries > 0) this.close();
    const branch = elementBytes + revisionBytes;
    let total = this.pages;
    for (let level = this.leaves; level > 1;) {
      level = Math.ceil((level * branch) / (fillFactor * this.pageSize));
      total += level;
    }
    return total * this.pageSize;
  }

  private close(): void {
    this.pages += Math.ceil(this.filled / this.pageSize);
    this.leaves++;
    this.filled = pageHeaderBytes;
    this.entries = 0;
  }
}
