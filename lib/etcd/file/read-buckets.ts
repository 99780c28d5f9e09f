import { u64BigEndian, u64 } from './integers';
import { Elements, pageUses } from './page';
import { type PageReader } from './page-reader';
import { walkTree } from './walk-tree';

/** Bucket of a database. */
export interface Bucket {
  readonly name: string;
  /** Root page of its tree; 0 for an inline bucket. */
  readonly root: number;
  /** Number of entries; those of `key` are counted by the scan of its leaves. */
  entries: number;
  /** Bytes of the keys and values of its entries. */
  bytes: number;
}

/** Contents of all buckets except the leaves of `key`. */
export interface BucketSummary {
  readonly all: Bucket[];
  /** Revisions of the last finished and the last scheduled compaction; 0 if there was none. */
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
  const summary: BucketSummary = {
    all: [],
    compacted: 0,
    scheduled: 0,
    storageVersion: undefined,
    alarms: 0,
    usedBytes: 0,
    keyLeaves: new KeyLeaves(reader.map.count),
  };
  eachEntry(reader, root, summary, (elements, index) => {
    const name = textOf(elements.key(index));
    if (!elements.isBucket(index))
      return reader.damage.add(root, `contains ${JSON.stringify(name)}, which is not a bucket`);
    readBucket(reader, name, elements, index, summary);
  });
  for (const required of ['key', 'meta'])
    if (!summary.all.some(({ name }) => name === required))
      reader.damage.add(root, `does not contain the bucket ${required}`);
  return summary;
}

function readBucket(reader: PageReader, name: string, parent: Elements, index: number, summary: BucketSummary): void {
  const at = parent.keyAt(index) + parent.keySize(index);
  const size = parent.valueSize(index);
  if (size < 16) return reader.damage.add(0, `the bucket ${name} has a header of ${size} bytes`);
  const bucket: Bucket = { name, root: u64(parent.bytes, at), entries: 0, bytes: 0 };
  summary.all.push(bucket);
  const addEntry = (elements: Elements, entry: number): void => {
    if (elements.isBucket(entry)) reader.damage.add(bucket.root, `contains a bucket within the bucket ${name}`);
    bucket.entries++;
    bucket.bytes += elements.keySize(entry) + elements.valueSize(entry);
    if (name === 'meta') readMetaEntry(elements, entry, summary);
    if (name === 'alarm') summary.alarms++;
  };
  if (bucket.root === 0) {
    const error = readInlineBucket(parent, at + 16, size - 16, addEntry);
    if (error !== undefined) reader.damage.add(0, `the inline bucket ${name} ${error}`);
  } else if (name === 'key') markKeyLeaves(reader, bucket.root, summary);
  else eachEntry(reader, bucket.root, summary, addEntry);
}

/** Reads an inline bucket, which is stored in the value of its parent as a page without an ID. */
function readInlineBucket(
  parent: Elements,
  from: number,
  size: number,
  addEntry: (elements: Elements, entry: number) => void,
): string | undefined {
  const copy = parent.bytes.slice(from, from + size);
  const elements = new Elements();
  if (size < 16) return 'has no page';
  const error = elements.open(copy, 0, 0) ?? elements.validate(size);
  if (error !== undefined) return error;
  if (elements.used !== size) return `has ${elements.used} bytes instead of ${size}`;
  for (let entry = 0; entry < elements.count; entry++) addEntry(elements, entry);
  return undefined;
}

function markKeyLeaves(reader: PageReader, root: number, summary: BucketSummary): void {
  const { keyLeaves } = summary;
  const size = walkTree(reader, root, pageUses.keyLeaf, ({ page, first, next }) => {
    // The key of a tombstone is one byte longer.
    if (first && first.length !== 17 && first.length !== 18)
      reader.damage.add(page, 'has a key in its parent that is not a revision');
    if (first) keyLeaves.first[page] = revisionOf(first);
    if (next) keyLeaves.next[page] = revisionOf(next);
  });
  keyLeaves.count = size.leaves;
  summary.usedBytes += size.branchUsed;
}

/** Calls back for all entries of a tree, leaf by leaf. */
function eachEntry(
  reader: PageReader,
  root: number,
  summary: BucketSummary,
  addEntry: (elements: Elements, entry: number) => void,
): void {
  const size = walkTree(reader, root, pageUses.leaf, ({ page, first }) => {
    const elements = reader.load(page);
    if (!elements) return;
    const error = checkLeafPosition(elements, first) ?? reader.map.extend(page, elements.overflow);
    if (error !== undefined) return reader.damage.add(page, error);
    summary.usedBytes += elements.used;
    for (let entry = 0; entry < elements.count; entry++) addEntry(elements, entry);
  });
  summary.usedBytes += size.branchUsed;
}

function checkLeafPosition(elements: Elements, first: Uint8Array | undefined): string | undefined {
  if (elements.flags !== 2) return 'is a branch instead of a leaf';
  const isFirst = !first || (elements.count > 0 && Buffer.compare(elements.key(0), first) === 0);
  return isFirst ? undefined : 'does not start with the key in its parent';
}

function readMetaEntry(elements: Elements, entry: number, summary: BucketSummary): void {
  const at = elements.keyAt(entry) + elements.keySize(entry);
  const value = elements.bytes.subarray(at, at + elements.valueSize(entry));
  const name = textOf(elements.key(entry));
  if (name === 'finishedCompactRev') summary.compacted = Math.max(0, revisionOf(value));
  else if (name === 'scheduledCompactRev') summary.scheduled = Math.max(0, revisionOf(value));
  else if (name === 'storageVersion') summary.storageVersion = textOf(value);
}
