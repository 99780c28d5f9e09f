import { type BoltEntry, fieldsOf, type MessageField } from './bolt-reader';

/** Size of a group of keys, like `Sum`. */
export interface ReferenceRow {
  objects: number;
  live: number;
  history: number;
  revisions: number;
  tombstones: number;
  largest: number;
  managedFields: number;
  lastApplied: number;
  status: number;
  writes: number;
}

/** Groups by one property. */
export type ReferenceRows = ReadonlyMap<string, ReferenceRow>;

/** Contents of a file, computed by the simplest algorithm: every value is parsed, and all keys are kept in memory. */
export interface ReferenceContents {
  readonly total: ReferenceRow;
  readonly by: Readonly<
    Record<'resource' | 'namespace' | 'project' | 'resourceByNamespace' | 'kind' | 'owner' | 'object', ReferenceRows>
  >;
  /** Revisions and live objects by encryption, and by last writer. */
  readonly encryption: ReadonlyMap<string, { records: number; bytes: number }>;
  readonly writers: ReadonlyMap<string, { revisions: number; bytes: number; writes: number }>;
  /**
   * Bytes of all revisions; the latest revision; seconds of the latest write, and of the latest write before the
   * compaction.
   */
  readonly bytes: number;
  readonly revision: number;
  readonly latest: number;
  readonly latestBefore: number;
  /** Live bytes at the compaction. */
  readonly liveBefore: number;
}

interface ObjectFacts {
  readonly kind?: string;
  readonly owner?: string;
  readonly writer?: string;
  readonly time: number;
  readonly managedFields: number;
  readonly lastApplied: number;
  readonly status: number;
}

interface StoredRevision {
  readonly key: string;
  readonly main: number;
  readonly isTombstone: boolean;
  readonly size: number;
  readonly value: Buffer;
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const noFacts: ObjectFacts = { time: 0, managedFields: 0, lastApplied: 0, status: 0 };
const emptyRow = (): ReferenceRow => ({
  objects: 0,
  live: 0,
  history: 0,
  revisions: 0,
  tombstones: 0,
  largest: 0,
  managedFields: 0,
  lastApplied: 0,
  status: 0,
  writes: 0,
});

/** Sums all revisions of a file; `statusKinds` are the protocol buffer kinds with a status. */
export function referenceContents(
  entries: readonly BoltEntry[],
  compacted: number,
  statusKinds: ReadonlySet<string>,
): ReferenceContents {
  const revisions = entries.filter(({ bucket }) => bucket === 'key').map(revisionOf);
  const byKey = new Map<string, StoredRevision[]>();
  for (const one of revisions) byKey.set(one.key, [...(byKey.get(one.key) ?? []), one]);
  const projects = new Set(
    [...byKey]
      .filter(([, all]) => !all.at(-1)?.isTombstone)
      .flatMap(([key]) => /^\/registry\/pinterest\.com\/projects\/([^/]+)$/.exec(key)?.[1] ?? []),
  );
  const groups = {
    resource: new Map(),
    namespace: new Map(),
    project: new Map(),
    resourceByNamespace: new Map(),
    kind: new Map(),
    owner: new Map(),
    object: new Map(),
  } as Record<keyof ReferenceContents['by'], Map<string, ReferenceRow>>;
  const encryption = new Map<string, { records: number; bytes: number }>();
  const writers = new Map<string, { revisions: number; bytes: number; writes: number }>();
  const total = emptyRow();
  const times = { latest: 0, latestBefore: 0, liveBefore: 0 };

  for (const [key, all] of byKey) {
    const row = emptyRow();
    // Revisions are in order.
    const last = all.at(-1) as StoredRevision;
    let facts = noFacts;
    for (const one of all) {
      row.revisions += 1;
      row.history += one === last && !one.isTombstone ? 0 : one.size;
      if (one.main > compacted) row.writes += 1;
      if (one.isTombstone) {
        row.tombstones += 1;
        continue;
      }
      facts = factsOf(one.value, statusKinds);
      const encrypted = /^k8s:enc:([^:]+:[^:]+:[^:]+):/.exec(one.value.subarray(0, 100).toString('latin1'))?.[1];
      if (encrypted !== undefined) {
        const sum = encryption.get(encrypted) ?? { records: 0, bytes: 0 };
        encryption.set(encrypted, { records: sum.records + 1, bytes: sum.bytes + one.size });
      }
      if (facts.writer !== undefined) {
        const sum = writers.get(facts.writer) ?? { revisions: 0, bytes: 0, writes: 0 };
        const writes = sum.writes + (one.main > compacted ? 1 : 0);
        writers.set(facts.writer, { revisions: sum.revisions + 1, bytes: sum.bytes + one.size, writes });
      }
      times.latest = Math.max(times.latest, facts.time);
      if (one.main <= compacted) times.latestBefore = Math.max(times.latestBefore, facts.time);
    }
    const lastBefore = all.filter(({ main }) => main <= compacted).at(-1);
    if (lastBefore && !lastBefore.isTombstone) times.liveBefore += lastBefore.size;
    if (!last.isTombstone) {
      row.objects = 1;
      row.live = row.largest = last.size;
      row.managedFields = facts.managedFields;
      row.lastApplied = facts.lastApplied;
      row.status = facts.status;
    }
    const { resource, namespace } = parseKey(key);
    const owner = facts.owner === undefined ? '(no owner)' : ownerName(facts.owner, namespace);
    for (const [group, name] of [
      ['resource', resource],
      ['namespace', namespace || '(cluster)'],
      ['project', projects.has(namespace) ? namespace : '(no project)'],
      ['resourceByNamespace', namespace === '' ? resource : `${resource} of ${namespace}`],
      ['kind', facts.kind ?? '(unknown kind)'],
      ['owner', owner],
      ['object', key],
    ] as const) {
      const sum = groups[group].get(name) ?? emptyRow();
      groups[group].set(name, sum);
      addTo(sum, row);
    }
    addTo(total, row);
  }
  const bytes = revisions.reduce((sum, { size }) => sum + size, 0);
  return {
    total,
    by: groups,
    encryption,
    writers,
    bytes,
    revision: Math.max(...[0], revisions.at(-1)?.main ?? 0),
    ...times,
  };
}

function addTo(sum: ReferenceRow, row: ReferenceRow): void {
  for (const name of Object.keys(row) as (keyof ReferenceRow)[])
    sum[name] = name === 'largest' ? Math.max(sum.largest, row.largest) : sum[name] + row[name];
}

const ownerName = (owner: string, namespace: string): string => {
  const [kind = '', name = ''] = owner.split('/');
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
};

function revisionOf({ key, value }: BoltEntry): StoredRevision {
  const fields = fieldsOf(value);
  const of = (number: number): Buffer => fields.find(({ field }) => field === number)?.bytes ?? Buffer.alloc(0);
  return {
    key: of(1).toString(),
    main: Number(key.readBigUInt64BE(0)),
    isTombstone: key.length === 18,
    size: key.length + value.length,
    value: of(5),
  };
}

/** Parses an API server key: `/registry/pods/NAMESPACE/NAME`, `/registry/GROUP/RESOURCE/NAMESPACE/NAME`. */
function parseKey(key: string): { readonly resource: string; readonly namespace: string } {
  const [, , first = '', second = '', ...rest] = key.split('/');
  if (!key.startsWith('/registry/') || (second === '' && rest.length === 0))
    return { resource: key.startsWith('/registry/') ? first : 'other keys', namespace: '' };
  if (first.includes('.'))
    return { resource: `${second}.${first}`, namespace: rest.length > 1 ? (rest[0] as string) : '' };
  if (first === 'services')
    return { resource: second === 'specs' ? 'services' : 'endpoints', namespace: rest[0] ?? '' };
  const names: Readonly<Record<string, string>> = { minions: 'nodes', controllers: 'replicationcontrollers' };
  return { resource: names[first] ?? first, namespace: rest.length > 0 ? second : '' };
}

function factsOf(value: Buffer, statusKinds: ReadonlySet<string>): ObjectFacts {
  if (value.subarray(0, 4).equals(Buffer.from('k8s\0'))) return protobufFacts(value.subarray(4), statusKinds);
  return value[0] === 0x7b ? jsonFacts(value) : noFacts;
}

interface Manager {
  readonly manager?: string;
  readonly subresource?: string;
  readonly seconds: number;
}

/** Returns the last writer; among equal times that of a subresource, and among those the last one listed. */
function writerOf(managers: readonly Manager[], kind: string): Pick<ObjectFacts, 'writer' | 'time'> {
  const latest = Math.max(0, ...managers.map(({ seconds }) => seconds));
  const last = managers.filter(({ seconds }) => seconds === latest);
  const one = last.filter(({ subresource }) => (subresource ?? '') !== '').at(-1) ?? last.at(-1);
  if (!one?.manager) return { time: latest };
  return { writer: `${one.manager}${one.subresource ? ` (${one.subresource})` : ''} of ${kind}`, time: latest };
}

function protobufFacts(unknown: Buffer, statusKinds: ReadonlySet<string>): ObjectFacts {
  const only = (fields: readonly MessageField[], number: number): Buffer =>
    fields.find(({ field }) => field === number)?.bytes ?? Buffer.alloc(0);
  const [type, raw] = [fieldsOf(only(fieldsOf(unknown), 1)), fieldsOf(only(fieldsOf(unknown), 2))];
  const kind = only(type, 2).toString();
  const meta = fieldsOf(only(raw, 1));
  const sizes = (fields: readonly MessageField[]): number => fields.reduce((sum, { size }) => sum + size, 0);
  const managed = meta.filter(({ field }) => field === 17);
  const owners = meta
    .filter(({ field }) => field === 13)
    .map(({ bytes }) => fieldsOf(bytes as Buffer))
    .map((fields) => ({
      name: `${only(fields, 1).toString()}/${only(fields, 3).toString()}`,
      controls: fields.some(({ field, number }) => field === 6 && number?.value === 1n),
    }));
  const managers = managed.map(({ bytes }) => {
    const fields = fieldsOf(bytes as Buffer);
    const seconds = fieldsOf(only(fields, 4)).find(({ field }) => field === 1)?.number?.value ?? 0n;
    return { manager: only(fields, 1).toString(), subresource: only(fields, 8).toString(), seconds: Number(seconds) };
  });
  const owner = (owners.find(({ controls }) => controls) ?? owners[0])?.name;
  return {
    kind: `${only(type, 1).toString()} ${kind}`,
    ...(owner !== undefined && { owner }),
    ...writerOf(managers, kind),
    managedFields: sizes(managed),
    lastApplied: sizes(
      meta.filter(({ field, bytes }) => field === 12 && only(fieldsOf(bytes as Buffer), 1).toString() === lastApplied),
    ),
    status: statusKinds.has(kind) ? sizes(raw.filter(({ field }) => field === 3)) : 0,
  };
}

interface JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly {
      readonly manager: string;
      readonly subresource?: string;
      readonly time: string;
    }[];
    readonly ownerReferences?: readonly {
      readonly kind: string;
      readonly name: string;
      readonly controller?: boolean;
    }[];
  };
  readonly status?: unknown;
}

/** Parses a JSON value. Sizes are those of Go's JSON encoding, which equals JavaScript's for ASCII text. */
function jsonFacts(value: Buffer): ObjectFacts {
  const { apiVersion, kind, metadata, status } = JSON.parse(value.toString()) as JsonObject;
  const { annotations = {}, managedFields, ownerReferences = [] } = metadata;
  const sizeOf = (name: string, member: unknown): number =>
    member === undefined ? 0 : Buffer.byteLength(`${JSON.stringify(name)}:${JSON.stringify(member)}`);
  const owner = ownerReferences.find(({ controller }) => controller === true) ?? ownerReferences[0];
  const managers = (managedFields ?? []).map((one) => ({ ...one, seconds: Date.parse(one.time) / 1000 }));
  return {
    kind: `${apiVersion} ${kind}`,
    ...(owner && { owner: `${owner.kind}/${owner.name}` }),
    ...writerOf(managers, kind),
    managedFields: sizeOf('managedFields', managedFields),
    lastApplied: sizeOf(lastApplied, annotations[lastApplied]),
    status: sizeOf('status', status),
  };
}
