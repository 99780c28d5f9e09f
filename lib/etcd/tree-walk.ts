import { type Elements, pageFlags, pageUses } from './page';
import { type PageReader } from './page-reader';

/** A leaf that a tree refers to, and the keys that it lies between. */
export interface LeafPlace {
  readonly page: number;
  /** Its first key; undefined for the only leaf of a tree. */
  readonly first: Uint8Array | undefined;
  /** The first key of the leaf after it; undefined for the last. */
  readonly next: Uint8Array | undefined;
}

/** What the branches of a tree came to. */
export interface TreeSize {
  /** Bytes of branch pages that hold something. */
  branchUsed: number;
  leaves: number;
}

/** Deeper than any tree of 2^63 bytes: a chain of pages that is longer goes in a circle. */
const deepest = 64;

/**
 * Walks the branches of a bucket's tree and tells of each leaf, in the order of their keys, without reading leaves.
 * All leaves of a tree of bbolt are equally deep, so the depth of one says which pages are leaves.
 */
export function walkTree(reader: PageReader, root: number, use: number, leaf: (place: LeafPlace) => void): TreeSize {
  const { map, damage, pageSize } = reader;
  const size: TreeSize = { branchUsed: 0, leaves: 0 };

  const visit = (place: LeafPlace, level: number, from: number): void => {
    const { page } = place;
    const taken = map.take(page, level === 0 ? use : pageUses.branch);
    if (taken !== undefined) return damage.add(from, taken);
    if (level === 0) {
      size.leaves++;
      return leaf(place);
    }
    const elements = reader.load(page);
    if (!elements) return;
    const wrong =
      elements.flags !== pageFlags.branch
        ? 'is a leaf where a branch should be'
        : (map.extend(page, elements.overflow) ?? misplaced(elements, place));
    if (wrong !== undefined) return damage.add(page, wrong);
    size.branchUsed += elements.used;
    for (let index = 0; index < elements.count; index++) {
      const next = index + 1 < elements.count ? elements.key(index + 1) : place.next;
      visit({ page: elements.child(index), first: elements.key(index), next }, level - 1, page);
    }
  };

  const levels = depthOf(reader, root, deepest);
  if (levels === undefined) reader.damage.add(root, 'no page below this root of a bucket tells how deep its tree is');
  else visit({ page: root, first: undefined, next: undefined }, levels, root);
  return size;

  function misplaced(elements: Elements, { first, next }: LeafPlace): string | undefined {
    if (elements.count === 0) return 'is a branch that refers to nothing';
    if (first && Buffer.compare(elements.key(0), first) !== 0)
      return 'does not begin with the key that its parent names';
    if (next && Buffer.compare(elements.key(elements.count - 1), next) >= 0)
      return 'goes on after its next page begins';
    if (elements.used > (1 + elements.overflow) * pageSize) return 'holds more than it has room for';
    return undefined;
  }
}

/** How many levels of branches are above the leaves, by the first path that can be read. */
function depthOf(reader: PageReader, page: number, limit: number): number | undefined {
  const elements = limit === 0 ? 'circle' : reader.peek(page);
  if (typeof elements === 'string' || elements.examine(reader.pageSize) !== undefined) return undefined;
  if (elements.flags === pageFlags.leaf) return 0;
  // A few ways down are enough: where all of them are damaged, so is the tree.
  for (let index = 0; index < Math.min(elements.count, 8); index++) {
    const depth = depthOf(reader, elements.child(index), limit - 1);
    if (depth !== undefined) return depth + 1;
  }
  return undefined;
}
