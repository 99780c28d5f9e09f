import { type KeyLeaves } from './buckets';
import { type DatabaseBytes } from './database-bytes';
import { Elements, pageFlags, pageUses } from './page';
import { KeyColumns } from './key-columns';
import { Packing } from './packing';
import { type PageReader } from './page-reader';
import { PassTotals } from './pass-totals';
import { StoredRecord } from './stored-record';
import { ValueReader } from './value-reader';

/** Bytes read at once. */
const chunkBytes = 4 << 20;

/** What a pass over the file in its own order found in the leaves of `key`. */
export class KeyPass {
  readonly columns = new KeyColumns();
  readonly values = new ValueReader();
  readonly totals: PassTotals;
  /** What all revisions take where they are written anew. */
  readonly packing: Packing;
  /** Bytes used in the leaves of `key`, headers and elements included; and leaves that could be read. */
  usedBytes = 0;
  leaves = 0;
  private readonly record = new StoredRecord();
  private readonly elements = new Elements();

  constructor(
    private readonly reader: PageReader,
    private readonly places: KeyLeaves,
    private readonly compacted: number,
  ) {
    this.totals = new PassTotals(compacted);
    this.packing = new Packing(reader.pageSize);
  }

  /** Reads the file once from its start to its end, the next piece while one is looked at; `see` is shown every byte. */
  async run(see?: (bytes: Uint8Array) => void): Promise<void> {
    const { bytes, pageSize, map } = this.reader;
    const step = Math.max(1, Math.min(Math.floor(chunkBytes / pageSize), map.count)) * pageSize;
    const end = see ? bytes.size : map.count * pageSize;
    let [buffer, other] = [new Uint8Array(step), new Uint8Array(step)];
    let at = this.nextUsed(0, step, end, see);
    let reading = readPiece(bytes, buffer, at, end);
    while (at < end) {
      const piece = await reading;
      const following = this.nextUsed(at + step, step, end, see);
      reading = readPiece(bytes, other, following, end);
      see?.(piece);
      this.pages(piece, at / pageSize);
      [buffer, other] = [other, buffer];
      at = following;
    }
    await reading;
  }

  /** Where the next piece begins that has a leaf in it, or that must be seen all the same. */
  private nextUsed(from: number, step: number, end: number, see: unknown): number {
    if (see) return from;
    const { pageSize, map } = this.reader;
    for (let at = from; at < end; at += step) {
      const first = at / pageSize;
      if (map.uses.subarray(first, first + step / pageSize).includes(pageUses.keyLeaf)) return at;
    }
    return end;
  }

  private pages(piece: Uint8Array, first: number): void {
    const { pageSize, map, damage } = this.reader;
    const count = Math.min(Math.floor(piece.length / pageSize), map.count - first);
    for (let index = 0; index < count; index++) {
      const page = first + index;
      if (map.uses[page] !== pageUses.keyLeaf) continue;
      const wrong = this.page(piece, index * pageSize, page);
      if (wrong !== undefined) damage.add(page, wrong);
    }
  }

  /** Reads one leaf, also where it goes on behind the piece; says what is wrong with it. */
  private page(piece: Uint8Array, base: number, page: number): string | undefined {
    const { pageSize, map } = this.reader;
    let elements = this.elements;
    const misnamed = elements.open(piece, base, page);
    if (misnamed !== undefined) return misnamed;
    if (elements.flags !== pageFlags.leaf)
      return elements.flags === pageFlags.branch
        ? 'is a branch where a leaf should be'
        : `has the flags ${elements.flags}`;
    if (base + (1 + elements.overflow) * pageSize > piece.length) {
      const whole = this.reader.peek(page);
      if (typeof whole === 'string') return whole;
      elements = whole;
    }
    const wrong = elements.examine(pageSize) ?? map.extend(page, elements.overflow);
    return wrong ?? this.leaf(elements, page);
  }

  private leaf(elements: Elements, page: number): string | undefined {
    const { record, places, values } = this;
    // Looked at whole before any of it is counted: what is damaged must not be in a sum by half.
    for (let index = 0; index < elements.count; index++) {
      const wrong = this.open(elements, index);
      if (wrong !== undefined) return `entry ${index} ${wrong}`;
      const first = places.first[page] as number;
      if (index === 0 && first !== -1 && record.main !== first)
        return 'does not begin with the key that its parent names';
    }
    if (elements.count > 0 && record.main > (places.next[page] as number)) return 'goes on after its next page begins';
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
    if (elements.isBucket(index)) return 'is a bucket where a revision should be';
    const at = elements.keyAt(index);
    return this.record.open(elements.bytes, at, elements.keySize(index), elements.valueSize(index));
  }
}

async function readPiece(bytes: DatabaseBytes, buffer: Uint8Array, at: number, end: number): Promise<Uint8Array> {
  if (at >= end) return buffer.subarray(0, 0);
  const wanted = Math.min(buffer.length, end - at);
  return buffer.subarray(0, await bytes.readAhead(buffer.subarray(0, wanted), at));
}
