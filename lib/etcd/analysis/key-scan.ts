import { type KeyLeaves } from '../file/read-buckets';
import { type DatabaseFile } from '../file/database-file';
import { Elements, pageFlags, pageUses } from '../file/page';
import { KeyColumns } from './key-columns';
import { Packing } from './packing';
import { type PageReader } from '../file/page-reader';
import { ScanTotals } from './scan-totals';
import { StoredRecord } from '../values/stored-record';
import { ValueReader } from '../values/value-reader';

/** Bytes per read. */
const chunkBytes = 4 << 20;

/** Scan of the leaves of bucket `key` in file order. */
export class KeyScan {
  readonly columns = new KeyColumns();
  readonly values = new ValueReader();
  readonly totals: ScanTotals;
  /** Size of all revisions in a defragmented file. */
  readonly packing: Packing;
  /** Bytes used in readable leaves of `key`, including headers and elements, and the number of these leaves. */
  usedBytes = 0;
  leaves = 0;
  private readonly record = new StoredRecord();
  private readonly elements = new Elements();

  constructor(
    private readonly reader: PageReader,
    private readonly keyLeaves: KeyLeaves,
    private readonly compacted: number,
  ) {
    this.totals = new ScanTotals(compacted);
    this.packing = new Packing(reader.pageSize);
  }

  /** Reads the file once from start to end, and reads ahead one chunk; `onBytes` receives every byte. */
  async run(onBytes?: (bytes: Uint8Array) => void): Promise<void> {
    const { bytes, pageSize, map } = this.reader;
    const step = Math.max(1, Math.min(Math.floor(chunkBytes / pageSize), map.count)) * pageSize;
    const end = onBytes ? bytes.size : map.count * pageSize;
    let [buffer, nextBuffer] = [new Uint8Array(step), new Uint8Array(step)];
    let at = this.nextChunk(0, step, end, onBytes);
    let pendingRead = readChunk(bytes, buffer, at, end);
    while (at < end) {
      const chunk = await pendingRead;
      const nextAt = this.nextChunk(at + step, step, end, onBytes);
      pendingRead = readChunk(bytes, nextBuffer, nextAt, end);
      onBytes?.(chunk);
      this.scanPages(chunk, at / pageSize);
      [buffer, nextBuffer] = [nextBuffer, buffer];
      at = nextAt;
    }
    await pendingRead;
  }

  /** Returns the offset of the next chunk with a leaf, or of the next chunk if every byte is needed. */
  private nextChunk(from: number, step: number, end: number, onBytes: unknown): number {
    if (onBytes) return from;
    const { pageSize, map } = this.reader;
    for (let at = from; at < end; at += step) {
      const first = at / pageSize;
      if (map.uses.subarray(first, first + step / pageSize).includes(pageUses.keyLeaf)) return at;
    }
    return end;
  }

  private scanPages(chunk: Uint8Array, first: number): void {
    const { pageSize, map, damage } = this.reader;
    const count = Math.min(Math.floor(chunk.length / pageSize), map.count - first);
    for (let index = 0; index < count; index++) {
      const page = first + index;
      if (map.uses[page] !== pageUses.keyLeaf) continue;
      const error = this.scanPage(chunk, index * pageSize, page);
      if (error !== undefined) damage.add(page, error);
    }
  }

  /** Reads one leaf, which may extend beyond the chunk; returns its corruption. */
  private scanPage(chunk: Uint8Array, base: number, page: number): string | undefined {
    const { pageSize, map } = this.reader;
    let elements = this.elements;
    const headerError = elements.open(chunk, base, page);
    if (headerError !== undefined) return headerError;
    if (elements.flags !== pageFlags.leaf)
      return elements.flags === pageFlags.branch ? 'is a branch instead of a leaf' : `has the flags ${elements.flags}`;
    if (base + (1 + elements.overflow) * pageSize > chunk.length) {
      const withOverflow = this.reader.peek(page);
      if (typeof withOverflow === 'string') return withOverflow;
      elements = withOverflow;
    }
    const error = elements.validate(pageSize) ?? map.extend(page, elements.overflow);
    return error ?? this.scanLeaf(elements, page);
  }

  private scanLeaf(elements: Elements, page: number): string | undefined {
    const { record, keyLeaves, values } = this;
    // Validate the whole leaf first, so that sums never include part of a corrupt leaf.
    for (let index = 0; index < elements.count; index++) {
      const error = this.open(elements, index);
      if (error !== undefined) return `entry ${index} ${error}`;
      const first = keyLeaves.first[page] as number;
      if (index === 0 && first !== -1 && record.main !== first) return 'does not start with the key in its parent';
    }
    if (elements.count > 0 && record.main > (keyLeaves.next[page] as number)) return 'overlaps the next page';
    this.usedBytes += elements.used;
    this.leaves++;
    for (let index = 0; index < elements.count; index++) {
      this.open(elements, index);
      values.read(elements.bytes, record.valueFrom, record.valueTo);
      this.totals.add(record, values);
      this.packing.add(record.size);
      this.columns.add(elements.bytes, record, values, this.compacted);
    }
    return undefined;
  }

  private open(elements: Elements, index: number): string | undefined {
    if (elements.isBucket(index)) return 'is a bucket instead of a revision';
    const at = elements.keyAt(index);
    return this.record.open(elements.bytes, at, elements.keySize(index), elements.valueSize(index));
  }
}

async function readChunk(bytes: DatabaseFile, buffer: Uint8Array, at: number, end: number): Promise<Uint8Array> {
  if (at >= end) return buffer.subarray(0, 0);
  const length = Math.min(buffer.length, end - at);
  return buffer.subarray(0, await bytes.readAhead(buffer.subarray(0, length), at));
}
