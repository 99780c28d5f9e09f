import { type Elements, pageFlags, pageUses } from './page';
import { type PageReader } from './page-reader';

/** Leaf of a tree, and its key range. */
export interface LeafLocation {
  readonly page: number;
  /** First key; undefined for the only leaf of a tree. */
  readonly first: Uint8Array | undefined;
  /** First key of the next leaf; undefined for the last one. */
  readonly next: Uint8Array | undefined;
}

/** Size of a tree. */
export interface TreeSize {
  /** Bytes used in branch pages. */
  branchUsed: number;
  leaves: number;
}

/** Maximum depth of a tree of 2^63 bytes; a longer path is a cycle. */
const maxDepth = 64;

/**
 * Walks the branches of a bucket's tree and calls back for each leaf in key order, without reading leaves.
 * All leaves of a bbolt tree have the same depth, so the depth of one leaf is sufficient.
 */
export function walkTree(
  reader: PageReader,
  root: number,
  use: number,
  onLeaf: (location: LeafLocation) => void,
): TreeSize {
  const { map, damage, pageSize } = reader;
  const size: TreeSize = { branchUsed: 0, leaves: 0 };

  const visit = (location: LeafLocation, level: number, from: number): void => {
    const { page } = location;
    const conflict = map.take(page, level === 0 ? use : pageUses.branch);
    if (conflict !== undefined) return damage.add(from, conflict);
    if (level === 0) {
      size.leaves++;
      return onLeaf(location);
    }
    const elements = reader.load(page);
    if (!elements) return;
    const error =
      elements.flags !== pageFlags.branch
        ? 'is a leaf instead of a branch'
        : (map.extend(page, elements.overflow) ?? checkPosition(elements, location));
    if (error !== undefined) return damage.add(page, error);
    size.branchUsed += elements.used;
    for (let index = 0; index < elements.count; index++) {
      const next = index + 1 < elements.count ? elements.key(index + 1) : location.next;
      visit({ page: elements.child(index), first: elements.key(index), next }, level - 1, page);
    }
  };

  const levels = depthOf(reader, root, maxDepth);
  if (levels === undefined) reader.damage.add(root, 'is the root of a bucket whose depth cannot be determined');
  else visit({ page: root, first: undefined, next: undefined }, levels, root);
  return size;

  function checkPosition(elements: Elements, { first, next }: LeafLocation): string | undefined {
    if (elements.count === 0) return 'is a branch without elements';
    if (first && Buffer.compare(elements.key(0), first) !== 0) return 'does not start with the key in its parent';
    if (next && Buffer.compare(elements.key(elements.count - 1), next) >= 0) return 'overlaps the next page';
    if (elements.used > (1 + elements.overflow) * pageSize) return 'contains more than fits';
    return undefined;
  }
}

/** Returns the number of branch levels above the leaves, from the first readable path. */
function depthOf(reader: PageReader, page: number, limit: number): number | undefined {
  const elements = limit === 0 ? 'cycle' : reader.peek(page);
  if (typeof elements === 'string' || elements.validate(reader.pageSize) !== undefined) return undefined;
  if (elements.flags === pageFlags.leaf) return 0;
  // Eight paths are enough: if all of them are corrupt, the tree cannot be read anyway.
  for (let index = 0; index < Math.min(elements.count, 8); index++) {
    const depth = depthOf(reader, elements.child(index), limit - 1);
    if (depth !== undefined) return depth + 1;
  }
  return undefined;
}
