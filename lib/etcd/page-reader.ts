import { type DatabaseBytes } from './database-bytes';
import { type DamageList } from './damage';
import { u32 } from './integers';
import { Elements, type PageMap } from './page';

/** Reads single pages of a database, each into bytes of its own. */
export class PageReader {
  constructor(
    readonly bytes: DatabaseBytes,
    readonly pageSize: number,
    readonly map: PageMap,
    readonly damage: DamageList,
  ) {}

  /** A page with its overflow, sound as far as its own bytes tell; what is wrong with it is told once. */
  load(page: number): Elements | undefined {
    const elements = this.peek(page);
    const wrong = typeof elements === 'string' ? elements : elements.examine(this.pageSize);
    if (wrong === undefined) return elements as Elements;
    this.damage.add(page, wrong);
    return undefined;
  }

  /** A page with its overflow, only its header read; or what is wrong with that. */
  peek(page: number): Elements | string {
    if (!(page >= 2 && page < this.map.count)) return 'lies beyond the end of the file';
    let buffer = new Uint8Array(this.pageSize);
    const elements = new Elements();
    if (this.bytes.read(buffer, page * this.pageSize) < buffer.length) return 'cannot be read whole';
    const wrong = elements.open(buffer, 0, page);
    if (wrong !== undefined) return wrong;
    const overflow = u32(buffer, 12);
    if (overflow === 0) return elements;
    if (page + overflow >= this.map.count) return `claims ${overflow} more pages, which the file does not have`;
    buffer = new Uint8Array((1 + overflow) * this.pageSize);
    if (this.bytes.read(buffer, page * this.pageSize) < buffer.length) return 'cannot be read whole';
    return elements.open(buffer, 0, page) ?? elements;
  }
}
