import { u8 } from '../file/integers';

/** Size of a block in bytes. */
const blockBytes = 1 << 20;

/**
 * Interns byte strings: equal ones have the same ID, counted from 0.
 * They are stored in blocks, with an overhead of about 20 bytes each.
 */
export class ByteTable {
  private blocks: Uint8Array[] = [];
  private filled = blockBytes;
  private slots = new Int32Array(1024).fill(-1);
  private hashes = new Int32Array(512);
  private offsets = new Uint32Array(512);
  private blockOf = new Uint16Array(512);
  private lengths = new Uint32Array(512);
  size = 0;

  /** Returns the ID of a byte string, which is added if it is new. */
  intern(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0x811c9dc5 | 0;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ u8(bytes, at), 0x01000193);
    hash ^= hash >>> 15;
    let slot = hash & (this.slots.length - 1);
    for (;;) {
      const id = this.slots[slot] as number;
      if (id === -1) return this.add(bytes, from, to, hash, slot);
      if (this.hashes[id] === hash && this.isEqual(id, bytes, from, to)) return id;
      slot = (slot + 1) & (this.slots.length - 1);
    }
  }

  /** Returns the ID of a byte string, or -1 if it is unknown. */
  find(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0x811c9dc5 | 0;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ u8(bytes, at), 0x01000193);
    hash ^= hash >>> 15;
    let slot = hash & (this.slots.length - 1);
    for (;;) {
      const id = this.slots[slot] as number;
      if (id === -1 || (this.hashes[id] === hash && this.isEqual(id, bytes, from, to))) return id;
      slot = (slot + 1) & (this.slots.length - 1);
    }
  }

  /** Returns the byte string with an ID. */
  bytes(id: number): Uint8Array {
    const start = this.offsets[id] as number;
    return (this.blocks[this.blockOf[id] as number] as Uint8Array).subarray(
      start,
      start + (this.lengths[id] as number),
    );
  }

  /** Returns the byte string with an ID, decoded as UTF-8. */
  text(id: number): string {
    const bytes = this.bytes(id);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  }

  private isEqual(id: number, bytes: Uint8Array, from: number, to: number): boolean {
    if (this.lengths[id] !== to - from) return false;
    const block = this.blocks[this.blockOf[id] as number] as Uint8Array;
    const start = this.offsets[id] as number;
    for (let at = 0; at < to - from; at++) if (block[start + at] !== bytes[from + at]) return false;
    return true;
  }

  private add(bytes: Uint8Array, from: number, to: number, hash: number, slot: number): number {
    const length = to - from;
    if (this.filled + length > (this.blocks.at(-1)?.length ?? 0)) {
      this.blocks.push(new Uint8Array(Math.max(blockBytes, length)));
      this.filled = 0;
    }
    const block = this.blocks.at(-1) as Uint8Array;
    for (let at = 0; at < length; at++) block[this.filled + at] = bytes[from + at] as number;
    const id = this.size++;
    if (id >= this.hashes.length) this.grow();
    this.hashes[id] = hash;
    this.offsets[id] = this.filled;
    this.blockOf[id] = this.blocks.length - 1;
    this.lengths[id] = length;
    this.filled += length;
    this.slots[slot] = id;
    if (this.size * 2 > this.slots.length) this.rehash();
    return id;
  }

  private grow(): void {
    const size = this.hashes.length * 2;
    const copy = <A extends Int32Array | Uint32Array | Uint16Array>(from: A, to: A): A => {
      to.set(from);
      return to;
    };
    this.hashes = copy(this.hashes, new Int32Array(size));
    this.offsets = copy(this.offsets, new Uint32Array(size));
    this.blockOf = copy(this.blockOf, new Uint16Array(size));
    this.lengths = copy(this.lengths, new Uint32Array(size));
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = this.slots.length - 1;
    for (let id = 0; id < this.size; id++) {
      let slot = (this.hashes[id] as number) & mask;
      while (this.slots[slot] !== -1) slot = (slot + 1) & mask;
      this.slots[slot] = id;
    }
  }
}
