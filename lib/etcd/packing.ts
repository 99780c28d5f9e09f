import { elementBytes, pageHeaderBytes } from './page';

/** How full etcd makes leaves when it defragments. */
const fill = 0.9;
/** bbolt cuts no page with fewer entries. */
const leastEntries = 2;
/** Bytes of a revision as a key. */
const revisionBytes = 17;

/** Pages that entries would take in a file that bbolt writes anew, in their order. */
export class Packing {
  private pages = 0;
  private leaves = 0;
  private filled = pageHeaderBytes;
  private entries = 0;

  constructor(private readonly pageSize: number) {}

  /** Takes one entry by the bytes of its key and value. */
  add(bytes: number): void {
    const size = elementBytes + bytes;
    if (this.entries >= leastEntries && this.filled + size > fill * this.pageSize) this.close();
    this.filled += size;
    this.entries++;
  }

  /** Bytes of leaves and the branches above them. */
  get bytes(): number {
    if (this.entries > 0) this.close();
    const branch = elementBytes + revisionBytes;
    let total = this.pages;
    for (let level = this.leaves; level > 1;) {
      level = Math.ceil((level * branch) / (fill * this.pageSize));
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
