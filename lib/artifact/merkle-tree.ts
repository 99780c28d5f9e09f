import { createHash } from 'node:crypto';

type Hash = Buffer;

const hashOf = (...parts: readonly Uint8Array[]): Hash =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

// Prefixes of RFC 6962: without them, an inner node could be presented as a leaf.
const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

/** Returns the hash of a leaf of a Merkle tree (RFC 6962). */
export const leafHash = (leaf: Uint8Array): Hash => hashOf(leafPrefix, leaf);

const nodeHash = (left: Hash, right: Hash): Hash => hashOf(nodePrefix, left, right);

/** Returns the largest power of two below a number of leaves. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

/** Returns the root of the Merkle tree over hashes of leaves (RFC 6962). */
export function merkleRoot(leaves: readonly Hash[]): Hash {
  const [first] = leaves;
  if (!first) return hashOf();
  if (leaves.length === 1) return first;
  const split = splitOf(leaves.length);
  return nodeHash(merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split)));
}

/** Returns the siblings on the way from a leaf to the root (RFC 6962, audit path), the one of the leaf first. */
export function inclusionPath(leaves: readonly Hash[], index: number): Hash[] {
  if (leaves.length <= 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...inclusionPath(left, index), merkleRoot(right)]
    : [...inclusionPath(right, index - split), merkleRoot(left)];
}

/** Position of a leaf in a Merkle tree. */
export interface LeafPosition {
  readonly index: number;
  /** Number of leaves. */
  readonly size: number;
  readonly path: readonly Hash[];
}

/** Returns the root that the position of a leaf leads to; undefined if the path does not fit the size. */
export function rootOfPosition(leaf: Hash, { index, size, path }: LeafPosition): Hash | undefined {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return undefined;
  if (size === 1) return path.length === 0 ? leaf : undefined;
  const sibling = path.at(-1);
  if (!sibling) return undefined;
  const split = splitOf(size);
  const isLeft = index < split;
  const below = rootOfPosition(leaf, {
    index: isLeft ? index : index - split,
    size: isLeft ? split : size - split,
    path: path.slice(0, -1),
  });
  if (!below) return undefined;
  return isLeft ? nodeHash(below, sibling) : nodeHash(sibling, below);
}
