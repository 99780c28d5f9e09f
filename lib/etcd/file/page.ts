import { u16, u32, u64, u8 } from './integers';

/** Bytes of a page header. */
export const pageHeaderBytes = 16;
/** Bytes of an element of a branch or a leaf. */
export const elementBytes = 16;

/** Page types. */
export const pageFlags = { branch: 1, leaf: 2, meta: 4, freelist: 16 } as const;

/** Uses of a page. */
export const pageUses = { free: 0, meta: 1, branch: 2, leaf: 3, keyLeaf: 4, overflow: 5, freelist: 6 } as const;

/** Usage of each page of a file. */
export class PageMap {
  readonly uses: Uint8Array;

  /** Creates a map for the existing pages below the high-water mark. */
  constructor(readonly count: number) {
    this.uses = new Uint8Array(count);
  }

  /** Marks a page and its overflow as used; returns a conflict. */
  take(page: number, use: number, overflow = 0): string | undefined {
    if (!(page >= 2 && page < this.count)) return `refers to page ${page}, which is beyond the end of the file`;
    if (this.uses[page] !== pageUses.free) return `refers to page ${page}, which is already in use`;
    this.uses[page] = use;
    return this.extend(page, overflow);
  }

  /** Marks the pages after a page as its overflow; returns a conflict. */
  extend(page: number, overflow: number): string | undefined {
    if (page + overflow >= this.count)
      return `has ${overflow} overflow pages after page ${page}, which extend beyond the end of the file`;
    for (let next = page + 1; next <= page + overflow; next++) {
      if (this.uses[next] !== pageUses.free)
        return `has the overflow page ${next} after page ${page}, which is already in use`;
      this.uses[next] = pageUses.overflow;
    }
    return undefined;
  }

  /** Counts the pages with a use. */
  countOf(use: number): number {
    let count = 0;
    for (const pageUse of this.uses) if (pageUse === use) count++;
    return count;
  }
}

/** View of the elements of a page in a buffer; a scan reuses one instance for all pages. */
export class Elements {
  bytes: Uint8Array = new Uint8Array(0);
  base = 0;
  count = 0;
  flags = 0;
  overflow = 0;
  /** Bytes from the start of the page to the end of its last element. */
  used = 0;

  /** Reads the header of the page at an offset; returns its corruption. */
  open(bytes: Uint8Array, base: number, page: number): string | undefined {
    this.bytes = bytes;
    this.base = base;
    const id = u64(bytes, base);
    this.flags = u16(bytes, base + 8);
    this.count = u16(bytes, base + 10);
    this.overflow = u32(bytes, base + 12);
    this.used = 0;
    return id === page ? undefined : `has the header of page ${id}`;
  }

  keySize(index: number): number {
    const at = this.element(index);
    return this.flags === pageFlags.leaf ? u32(this.bytes, at + 8) : u32(this.bytes, at + 4);
  }

  valueSize(index: number): number {
    return u32(this.bytes, this.element(index) + 12);
  }

  keyAt(index: number): number {
    const at = this.element(index);
    return at + (this.flags === pageFlags.leaf ? u32(this.bytes, at + 4) : u32(this.bytes, at));
  }

  /** Returns the page that a branch element refers to. */
  child(index: number): number {
    return u64(this.bytes, this.element(index) + 8);
  }

  /** Returns whether an element of a leaf is a bucket. */
  isBucket(index: number): boolean {
    return u32(this.bytes, this.element(index)) === 1;
  }

  /**
   * Returns the corruption of the element table; undefined if it is valid as in bbolt: keys and values follow the table
   * without gaps, keys ascend, and there are exactly as many overflow pages as needed.
   */
  validate(pageSize: number): string | undefined {
    if (this.flags !== pageFlags.leaf && this.flags !== pageFlags.branch) return `has the flags ${this.flags}`;
    const span = (1 + this.overflow) * pageSize;
    const end = this.base + span;
    let next = this.base + pageHeaderBytes + this.count * elementBytes;
    if (next > end) return `has ${this.count} elements, more than fit on the page`;
    for (let index = 0; index < this.count; index++) {
      const at = this.element(index);
      const isLeaf = this.flags === pageFlags.leaf;
      if (isLeaf && u32(this.bytes, at) > 1) return `element ${index} has the flags ${u32(this.bytes, at)}`;
      if (this.keyAt(index) !== next) return `element ${index} does not start at the end of the previous one`;
      const size = this.keySize(index);
      if (size === 0) return `element ${index} has no key`;
      next += size + (isLeaf ? this.valueSize(index) : 0);
      if (next > end) return `element ${index} extends beyond the page`;
      if (index > 0 && this.compareKeys(index - 1, index) >= 0) return `element ${index} is not in key order`;
    }
    this.used = next - this.base;
    const needed = Math.max(1, Math.ceil(this.used / pageSize)) - 1;
    if (needed !== this.overflow) return `has ${this.overflow} overflow pages, but its content needs ${needed}`;
    return undefined;
  }

  /** Returns the bytes of a key. */
  key(index: number): Uint8Array {
    const at = this.keyAt(index);
    return this.bytes.subarray(at, at + this.keySize(index));
  }

  private element(index: number): number {
    return this.base + pageHeaderBytes + index * elementBytes;
  }

  private compareKeys(one: number, other: number): number {
    const [from, to] = [this.keyAt(one), this.keyAt(other)];
    const [length, otherLength] = [this.keySize(one), this.keySize(other)];
    const shared = Math.min(length, otherLength);
    for (let at = 0; at < shared; at++) {
      const difference = u8(this.bytes, from + at) - u8(this.bytes, to + at);
      if (difference !== 0) return difference;
    }
    return length - otherLength;
  }
}
