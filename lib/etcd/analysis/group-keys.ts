import { group, platformKinds } from '../../api';
import { type Groups, type ObjectSum, type ResourceByNamespaceSum, type Sum, type WriterSum } from './etcd-contents';
import { type KeyScan } from './key-scan';
import { registryKey } from '../values/registry-key';
import { maxRows, rowsOf, SumBuilder } from './sum-builder';

/** Names of rows for objects without the property. */
export const ungrouped = {
  namespace: '(cluster)',
  project: '(no project)',
  kind: '(unknown kind)',
  owner: '(no owner)',
} as const;

/** Sums all keys of a scan by each property. */
export function sumGroups(scan: KeyScan): Groups & { readonly total: Sum } {
  const { columns, values, totals } = scan;
  const { seconds } = totals;
  const { total, resource, namespace, resourceByNamespace, resourceWriters, kind, owner, projects, objects } =
    groupKeys(scan);
  return {
    total: total.sum('all', seconds),
    resource: rowsOf(resource, seconds),
    namespace: rowsOf(
      renameRows(namespace, (name) => name || ungrouped.namespace),
      seconds,
    ),
    project: rowsOf(projectRows(namespace, projects), seconds),
    resourceByNamespace: rowsOf(resourceByNamespace, seconds).map((row) => ({
      ...resourceRow(row),
      ...mainWriter(scan, resourceWriters.get(row.name)),
    })),
    kind: rowsOf(kind, seconds),
    owner: rowsOf(
      renameRows(owner, (name) => ownerName(name, values.owners.text.bind(values.owners))),
      seconds,
    ),
    writer: writersOf(scan),
    object: objects.map((key) => {
      const sum = new SumBuilder();
      sum.add(columns, key);
      const writerCounts = new Map([[columns.writer[key] as number, 1]]);
      return { ...sum.sum(columns.keys.text(key), seconds), ...mainWriter(scan, writerCounts) };
    }),
  };
}

/** Groups all keys by each property, and collects the names of Projects and the largest objects. */
function groupKeys({ columns, values }: KeyScan) {
  const total = new SumBuilder();
  const resource = new Map<string, SumBuilder>();
  const namespace = new Map<string, SumBuilder>();
  const resourceByNamespace = new Map<string, SumBuilder>();
  const resourceWriters = new Map<string, Map<number, number>>();
  const kind = new Map<string, SumBuilder>();
  const owner = new Map<string, SumBuilder>();
  const projects = new Set<string>();
  const largest = new Largest(maxRows, (key) => columns.allBytes[key] as number);
  const projectResource = `${platformKinds.Project.plural}.${group}`;
  const kindNames = namesOf(values.kinds);
  for (let key = 0; key < columns.size; key++) {
    const parsedKey = registryKey(columns.keys.text(key));
    if (parsedKey.resource === projectResource && (columns.liveBytes[key] as number) > 0) projects.add(parsedKey.name);
    const ownerId = columns.owner[key] as number;
    total.add(columns, key);
    rowOf(resource, parsedKey.resource).add(columns, key);
    rowOf(namespace, parsedKey.namespace).add(columns, key);
    const resourceKey = `${parsedKey.resource}\0${parsedKey.namespace}`;
    rowOf(resourceByNamespace, resourceKey).add(columns, key);
    countWriter(resourceWriters, resourceKey, columns.writer[key] as number, columns.revisions[key] as number);
    rowOf(kind, kindNames[columns.kind[key] as number] ?? ungrouped.kind).add(columns, key);
    rowOf(owner, ownerId < 0 ? '' : `${parsedKey.namespace}\0${ownerId}`).add(columns, key);
    largest.add(key);
  }
  return {
    total,
    resource,
    namespace,
    resourceByNamespace,
    resourceWriters,
    kind,
    owner,
    projects,
    objects: largest.sorted(),
  };
}

/** Adds the revisions of an object to those of its last writer. */
function countWriter(all: Map<string, Map<number, number>>, name: string, writer: number, revisions: number): void {
  let counts = all.get(name);
  if (!counts) all.set(name, (counts = new Map<number, number>()));
  counts.set(writer, (counts.get(writer) ?? 0) + revisions);
}

/** Returns the writer whose objects have the most revisions; none if objects without a known writer have more. */
function mainWriter(
  { values }: KeyScan,
  counts: ReadonlyMap<number, number> = new Map(),
): Pick<ObjectSum, 'lastWriter'> {
  const [top] = [...counts].sort(([, one], [, other]) => other - one);
  return top && top[0] >= 0 ? { lastWriter: writerName(values, top[0]).name } : {};
}

/** Returns the names of a writer by its ID. */
function writerName(
  values: KeyScan['values'],
  id: number,
): Pick<WriterSum, 'name' | 'manager' | 'subresource' | 'kind'> {
  const [manager = '', subresource = '', kind = ''] = values.writers.text(id).split('\0');
  return {
    name: `${manager}${subresource === '' ? '' : ` (${subresource})`} of ${kind}`,
    manager,
    subresource,
    kind,
  };
}

function rowOf(rows: Map<string, SumBuilder>, name: string): SumBuilder {
  let row = rows.get(name);
  if (!row) {
    row = new SumBuilder();
    rows.set(name, row);
  }
  return row;
}

const namesOf = (table: { readonly size: number; text(id: number): string }): string[] =>
  Array.from({ length: table.size }, (_, id) => table.text(id));

function renameRows(rows: ReadonlyMap<string, SumBuilder>, rename: (name: string) => string): Map<string, SumBuilder> {
  const all = new Map<string, SumBuilder>();
  for (const [name, row] of rows) rowOf(all, rename(name)).addRow(row);
  return all;
}

/** Groups namespaces by Project; a Project owns the namespace of the same name. */
function projectRows(
  namespaces: ReadonlyMap<string, SumBuilder>,
  projects: ReadonlySet<string>,
): Map<string, SumBuilder> {
  return renameRows(namespaces, (name) => (projects.has(name) ? name : ungrouped.project));
}

function resourceRow(row: Sum): ResourceByNamespaceSum {
  const [resource = '', namespace = ''] = row.name.split('\0');
  return { ...row, name: namespace === '' ? resource : `${resource} of ${namespace}`, resource, namespace };
}

function ownerName(row: string, text: (id: number) => string): string {
  if (row === '') return ungrouped.owner;
  const [namespace = '', id = ''] = row.split('\0');
  const [kind = '', name = ''] = text(Number(id)).split('\0');
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

function writersOf({ columns, values, totals }: KeyScan): WriterSum[] {
  const live = totals.writers.map(() => ({ objects: 0, bytes: 0 }));
  for (let key = 0; key < columns.size; key++) {
    const sum = live[columns.writer[key] as number];
    const bytes = columns.liveBytes[key] as number;
    if (!sum || bytes === 0) continue;
    sum.objects++;
    sum.bytes += bytes;
  }
  const all = totals.writers.map(({ revisions, bytes, largest, writes }, id): WriterSum => {
    const liveSum = live[id] ?? { objects: 0, bytes: 0 };
    return {
      ...writerName(values, id),
      objects: liveSum.objects,
      live: liveSum.bytes,
      history: bytes - liveSum.bytes,
      revisions,
      largest,
      writes,
      ...(totals.seconds !== undefined && { writesPerSecond: writes / totals.seconds }),
    };
  });
  return all.sort((a, b) => b.live + b.history - a.live - a.history).slice(0, maxRows);
}

/** Keeps the IDs with the largest weights. */
class Largest {
  private ids: number[] = [];
  private minWeight = -1;

  constructor(
    private readonly count: number,
    private readonly weight: (id: number) => number,
  ) {}

  add(id: number): void {
    if (this.weight(id) <= this.minWeight) return;
    this.ids.push(id);
    if (this.ids.length >= 2 * this.count) this.prune();
  }

  sorted(): readonly number[] {
    this.prune();
    return this.ids;
  }

  private prune(): void {
    this.ids.sort((a, b) => this.weight(b) - this.weight(a) || a - b);
    this.ids.length = Math.min(this.ids.length, this.count);
    if (this.ids.length === this.count) this.minWeight = this.weight(this.ids.at(-1) as number);
  }
}
