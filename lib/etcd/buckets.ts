import { u64BigEndian, u64 } from './integers';
import { Elements, pageUses } from './page';
import { type PageReader } from './page-reader';
import { walkTree } from './tree-walk';

/** One bucket of a database. */
export interface Bucket {
  readonly name: string;
  /** Root page of its tree; 0 where it lies within its parent. */
  readonly root: number;
  /** Its entries; those of `key` are counted by the pass over its leaves. */
  entries: number;
  /** Bytes of their keys and values. */
  bytes: number;
}

/** What all buckets but the leaves of `key` came to. */
export interface Buckets {
  readonly all: Bucket[];
  /** Revision of the last compaction that was finished, 0 where there was none; and that was begun. */
  compacted: number;
  scheduled: number;
  /** The version of etcd's schema, as `3.6.0`, where the file says one. */
  storageVersion: string | undefined;
  alarms: number;
  /** Bytes used in branch pages, and in leaf pages but those of `key`. */
  usedBytes: number;
  readonly keyLeaves: KeyLeaves;
}

/** Between which revisions the keys of each leaf of `key` lie, by page. */
export class KeyLeaves {
  readonly first: Float64Array;
  readonly next: Float64Array;
  count = 0;

  constructor(pages: number) {
    this.first = new Float64Array(pages).fill(-1);
    this.next = new Float64Array(pages).fill(Number.POSITIVE_INFINITY);
  }
}

const revisionOf = (key: Uint8Array): number => (key.length >= 17 ? u64BigEndian(key, 0) : -1);
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

/** Reads the tree of buckets and all of their content but the leaves of `key`, which it marks for the pass. */
export function readBuckets(reader: PageReader, root: number): Buckets {
  const found: Buckets = {
    all: [],
    compacted: 0,
    scheduled: 0,
    storageVersion: undefined,
    alarms: 0,
    usedBytes: 0,
    keyLeaves: new KeyLeaves(reader.map.count),
  };
  eachEntry(reader, root, found, (elements, index) => {
    const name = textOf(elements.key(index));
    if (!elements.isBucket(index)) return reader.damage.add(root, `holds ${JSON.stringify(name)}, which is no bucket`);
    readBucket(reader, name, elements, index, found);
  });
  for (const needed of ['key', 'meta'])
    if (!found.all.some(({ name }) => name === needed)) reader.damage.add(root, `names no bucket ${needed}`);
  return found;
}

function readBucket(reader: PageReader, name: string, parent: Elements, index: number, found: Buckets): void {
  const at = parent.keyAt(index) + parent.keySize(index);
  const size = parent.valueSize(index);
  if (size < 16) return reader.damage.add(0, `the bucket ${name} has a head of ${size} bytes`);
  const bucket: Bucket = { name, root: u64(parent.bytes, at), entries: 0, bytes: 0 };
  found.all.push(bucket);
  const take = (elements: Elements, entry: number): void => {
    if (elements.isBucket(entry)) reader.damage.add(bucket.root, `holds a bucket within the bucket ${name}`);
    bucket.entries++;
    bucket.bytes += elements.keySize(entry) + elements.valueSize(entry);
    if (name === 'meta') readMetaEntry(elements, entry, found);
    if (name === 'alarm') found.alarms++;
  };
  if (bucket.root === 0) {
    const wrong = inline(parent, at + 16, size - 16, take);
    if (wrong !== undefined) reader.damage.add(0, `the bucket ${name}, which lies within its parent, ${wrong}`);
  } else if (name === 'key') markKeyLeaves(reader, bucket.root, found);
  else eachEntry(reader, bucket.root, found, take);
}

/** A small bucket lies whole in the value of its parent, as a page without a number. */
function inline(
  parent: Elements,
  from: number,
  size: number,
  take: (elements: Elements, entry: number) => void,
): string | undefined {
  const copy = parent.bytes.slice(from, from + size);
  const elements = new Elements();
  if (size < 16) return 'has no page';
  const wrong = elements.open(copy, 0, 0) ?? elements.examine(size);
  if (wrong !== undefined) return wrong;
  if (elements.used !== size) return `has ${elements.used} bytes where ${size} are set aside`;
  for (let entry = 0; entry < elements.count; entry++) take(elements, entry);
  return undefined;
}

function markKeyLeaves(reader: PageReader, root: number, found: Buckets): void {
  const { keyLeaves } = found;
  const size = walkTree(reader, root, pageUses.keyLeaf, ({ page, first, next }) => {
    // A revision, and of a tombstone one byte more.
    if (first && first.length !== 17 && first.length !== 18)
      reader.damage.add(page, 'is named by its parent with what is no revision');
    if (first) keyLeaves.first[page] = revisionOf(first);
    if (next) keyLeaves.next[page] = revisionOf(next);
  });
  keyLeaves.count = size.leaves;
  found.usedBytes += size.branchUsed;
}

/** Goes through all entries of a tree, leaf by leaf. */
function eachEntry(
  reader: PageReader,
  root: number,
  found: Buckets,
  take: (elements: Elements, entry: number) => void,
): void {
  const size = walkTree(reader, root, pageUses.leaf, ({ page, first }) => {
    const elements = reader.load(page);
    if (!elements) return;
    const wrong = leafMisplaced(elements, first) ?? reader.map.extend(page, elements.overflow);
    if (wrong !== undefined) return reader.damage.add(page, wrong);
    found.usedBytes += elements.used;
    for (let entry = 0; entry < elements.count; entry++) take(elements, entry);
  });
  found.usedBytes += size.branchUsed;
}

function leafMisplaced(elements: Elements, first: Uint8Array | undefined): string | undefined {
  if (elements.flags !== 2) return 'is a branch where a leaf should be';
  const begins = !first || (elements.count > 0 && Buffer.compare(elements.key(0), first) === 0);
  return begins ? undefined : 'does not begin with the key that its parent names';
}

function readMetaEntry(elements: Elements, entry: number, found: Buckets): void {
  const at = elements.keyAt(entry) + elements.keySize(entry);
  const value = elements.bytes.subarray(at, at + elements.valueSize(entry));
  const name = textOf(elements.key(entry));
  if (name === 'finishedCompactRev') found.compacted = Math.max(0, revisionOf(value));
  else if (name === 'scheduledCompactRev') found.scheduled = Math.max(0, revisionOf(value));
  else if (name === 'storageVersion') found.storageVersion = textOf(value);
}
