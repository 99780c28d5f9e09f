import { type DatabaseFile } from './database-file';
import { type CorruptionList } from './corruption-list';
import { u32 } from './integers';
import { Elements, type PageMap } from './page';

/** Reads single pages of a database into separate buffers. */
export class PageReader {
  constructor(
    readonly bytes: DatabaseFile,
    readonly pageSize: number,
    readonly map: PageMap,
    readonly damage: CorruptionList,
  ) {}

  /** Reads a page with its overflow and validates it; corruption is reported once. */
  load(page: number): Elements | undefined {
    const elements = this.peek(page);
    const error = typeof elements === 'string' ? elements : elements.validate(this.pageSize);
    if (error === undefined) return elements as Elements;
    this.damage.add(page, error);
    return undefined;
  }

  /** Reads a page with its overflow and validates only its header; returns its corruption. */
  peek(page: number): Elements | string {
    if (!(page >= 2 && page < this.map.count)) return 'is beyond the end of the file';
    let buffer = new Uint8Array(this.pageSize);
    const elements = new Elements();
    if (this.bytes.read(buffer, page * this.pageSize) < buffer.length) return 'cannot be read completely';
    const error = elements.open(buffer, 0, page);
    if (error !== undefined) return error;
    const overflow = u32(buffer, 12);
    if (overflow === 0) return elements;
    if (page + overflow >= this.map.count)
      return `has ${overflow} overflow pages, which extend beyond the end of the file`;
    buffer = new Uint8Array((1 + overflow) * this.pageSize);
    if (this.bytes.read(buffer, page * this.pageSize) < buffer.length) return 'cannot be read completely';
    return elements.open(buffer, 0, page) ?? elements;
  }
}
