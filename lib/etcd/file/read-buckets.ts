import { u64BigEndian, u64 } from './integers';
import { Elements, pageUses } from './page';
import { type PageReader } from './page-reader';
import { walkTree } from './walk-tree';

/** Bucket of a database. */
export interface Bucket {
  readonly name: string;
  /** Root page of its tree; 0 for an inline bucket. */
  readonly root: number;
  /** Number of entries; the scan of the leaves counts those of `key`. */
  entries: number;
  /** Bytes of their keys and values. */
  bytes: number;
}

/** Contents of all buckets except the leaves of `key`. */
export interface BucketSummary {
  readonly all: Bucket[];
  /** Revision of the last finished and the last scheduled compaction; 0 if there was none. */
  compacted: number;
  scheduled: number;
  /** Version of etcd's schema, such as `3.6.0`, if the file has one. */
  storageVersion: string | undefined;
  alarms: number;
  /** Bytes used in branch pages, and in leaf pages except those of `key`. */
  usedBytes: number;
  readonly keyLeaves: KeyLeaves;
}

/** Revision ranges of the leaves of `key`, by page. */
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

/** Reads all buckets except the leaves of `key`, which it marks for the scan. */
export function readBuckets(reader: PageReader, root: number): BucketSummary {
  const found: BucketSummary = {
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
    if (!elements.isBucket(index))
      return reader.damage.add(root, `holds ${JSON.stringify(name)}, which is not a bucket`);
    readBucket(reader, name, elements, index, found);
  });
  for (const needed of ['key', 'meta'])
    if (!found.all.some(({ name }) => name === needed)) reader.damage.add(root, `lacks the bucket ${needed}`);
  return found;
}

function readBucket(reader: PageReader, name: string, parent: Elements, index: number, found: BucketSummary): void {
  const at = parent.keyAt(index) + parent.keySize(index);
  const size = parent.valueSize(index);
  if (size < 16) return reader.damage.add(0, `the bucket ${name} has a header of ${size} bytes`);
  const bucket: Bucket = { name, root: u64(parent.bytes, at), entries: 0, bytes: 0 };
  found.all.push(bucket);
  const addEntry = (elements: Elements, entry: number): void => {
    if (elements.isBucket(entry)) reader.damage.add(bucket.root, `holds a bucket within the bucket ${name}`);
    bucket.entries++;
    bucket.bytes += elements.keySize(entry) + elements.valueSize(entry);
    if (name === 'meta') readMetaEntry(elements, entry, found);
    if (name === 'alarm') found.alarms++;
  };
  if (bucket.root === 0) {
    const wrong = readInlineBucket(parent, at + 16, size - 16, addEntry);
    if (wrong !== undefined) reader.damage.add(0, `the inline bucket ${name} ${wrong}`);
  } else if (name === 'key') markKeyLeaves(reader, bucket.root, found);
  else eachEntry(reader, bucket.root, found, addEntry);
}

/** Reads an inline bucket, which is stored in the value of its parent as a page without a number. */
function readInlineBucket(
  parent: Elements,
  from: number,
  size: number,
  addEntry: (elements: Elements, entry: number) => void,
): string | undefined {
  const copy = parent.bytes.slice(from, from + size);
  const elements = new Elements();
  if (size < 16) return 'has no page';
  const wrong = elements.open(copy, 0, 0) ?? elements.validate(size);
  if (wrong !== undefined) return wrong;
  if (elements.used !== size) return `has ${elements.used} bytes instead of ${size}`;
  for (let entry = 0; entry < elements.count; entry++) addEntry(elements, entry);
  return undefined;
}

function markKeyLeaves(reader: PageReader, root: number, found: BucketSummary): void {
  const { keyLeaves } = found;
  const size = walkTree(reader, root, pageUses.keyLeaf, ({ page, first, next }) => {
    // A tombstone has one byte more than a revision.
    if (first && first.length !== 17 && first.length !== 18)
      reader.damage.add(page, 'has a key in its parent that is not a revision');
    if (first) keyLeaves.first[page] = revisionOf(first);
    if (next) keyLeaves.next[page] = revisionOf(next);
  });
  keyLeaves.count = size.leaves;
  found.usedBytes += size.branchUsed;
}

/** Calls back for all entries of a tree, leaf by leaf. */
function eachEntry(
  reader: PageReader,
  root: number,
  found: BucketSummary,
  addEntry: (elements: Elements, entry: number) => void,
): void {
  const size = walkTree(reader, root, pageUses.leaf, ({ page, first }) => {
    const elements = reader.load(page);
    if (!elements) return;
    const wrong = checkLeafPosition(elements, first) ?? reader.map.extend(page, elements.overflow);
    if (wrong !== undefined) return reader.damage.add(page, wrong);
    found.usedBytes += elements.used;
    for (let entry = 0; entry < elements.count; entry++) addEntry(elements, entry);
  });
  found.usedBytes += size.branchUsed;
}

function checkLeafPosition(elements: Elements, first: Uint8Array | undefined): string | undefined {
  if (elements.flags !== 2) return 'is a branch instead of a leaf';
  const isFirst = !first || (elements.count > 0 && Buffer.compare(elements.key(0), first) === 0);
  return isFirst ? undefined : 'does not start with the key in its parent';
}

function readMetaEntry(elements: Elements, entry: number, found: BucketSummary): void {
  const at = elements.keyAt(entry) + elements.keySize(entry);
  const value = elements.bytes.subarray(at, at + elements.valueSize(entry));
  const name = textOf(elements.key(entry));
  if (name === 'finishedCompactRev') found.compacted = Math.max(0, revisionOf(value));
  else if (name === 'scheduledCompactRev') found.scheduled = Math.max(0, revisionOf(value));
  else if (name === 'storageVersion') found.storageVersion = textOf(value);
}
