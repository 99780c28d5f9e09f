import { group, platformKinds } from '../../api';
import { type Groups, type ObjectSum, type ResourceByNamespaceSum, type Sum, type WriterSum } from './etcd-contents';
import { type KeyScan } from './key-scan';
import { registryKey } from '../values/registry-key';
import { maxRows, rowsOf, SumBuilder } from './sum-builder';

/** Row names of objects without the property. */
export const ungrouped = {
  namespace: '(cluster)',
  project: '(no project)',
  kind: '(unknown kind)',
  owner: '(no owner)',
} as const;

/** Sums all keys of a scan by each property. */
export function sumGroups(pass: KeyScan): Groups & { readonly total: Sum } {
  const { columns, values, totals } = pass;
  const { seconds } = totals;
  const { total, resource, namespace, places, resourceWriters, kind, owner, projects, objects } = rowsOfKeys(pass);
  return {
    total: total.sum('all', seconds),
    resource: rowsOf(resource, seconds),
    namespace: rowsOf(
      renamed(namespace, (name) => name || ungrouped.namespace),
      seconds,
    ),
    project: rowsOf(projectRows(namespace, projects), seconds),
    resourceByNamespace: rowsOf(places, seconds).map((row) => ({
      ...resourceRow(row),
      ...writerIn(pass, resourceWriters.get(row.name)),
    })),
    kind: rowsOf(kind, seconds),
    owner: rowsOf(
      renamed(owner, (name) => ownerName(name, values.owners.text.bind(values.owners))),
      seconds,
    ),
    writer: writersOf(pass),
    object: objects.map((key) => {
      const one = new SumBuilder();
      one.add(columns, key);
      const ofKey = new Map([[columns.writer[key] as number, 1]]);
      return { ...one.sum(columns.keys.text(key), seconds), ...writerIn(pass, ofKey) };
    }),
  };
}

/** Collects rows by each property, names of Projects and the largest objects of all keys at once. */
function rowsOfKeys({ columns, values }: KeyScan) {
  const total = new SumBuilder();
  const resource = new Map<string, SumBuilder>();
  const namespace = new Map<string, SumBuilder>();
  const places = new Map<string, SumBuilder>();
  const resourceWriters = new Map<string, Map<number, number>>();
  const kind = new Map<string, SumBuilder>();
  const owner = new Map<string, SumBuilder>();
  const projects = new Set<string>();
  const largest = new Largest(maxRows, (key) => columns.allBytes[key] as number);
  const projectResource = `${platformKinds.Project.plural}.${group}`;
  const kindNames = namesOf(values.kinds);
  for (let key = 0; key < columns.size; key++) {
    const place = registryKey(columns.keys.text(key));
    if (place.resource === projectResource && (columns.liveBytes[key] as number) > 0) projects.add(place.name);
    const ownerOf = columns.owner[key] as number;
    total.add(columns, key);
    rowOf(resource, place.resource).add(columns, key);
    rowOf(namespace, place.namespace).add(columns, key);
    const placeName = `${place.resource}\0${place.namespace}`;
    rowOf(places, placeName).add(columns, key);
    countWriter(resourceWriters, placeName, columns.writer[key] as number, columns.revisions[key] as number);
    rowOf(kind, kindNames[columns.kind[key] as number] ?? ungrouped.kind).add(columns, key);
    rowOf(owner, ownerOf < 0 ? '' : `${place.namespace}\0${ownerOf}`).add(columns, key);
    largest.add(key);
  }
  return { total, resource, namespace, places, resourceWriters, kind, owner, projects, objects: largest.sorted() };
}

/** Counts revisions of objects by their last writer. */
function countWriter(all: Map<string, Map<number, number>>, name: string, writer: number, revisions: number): void {
  let own = all.get(name);
  if (!own) all.set(name, (own = new Map<number, number>()));
  own.set(writer, (own.get(writer) ?? 0) + revisions);
}

/** Returns the writer whose objects have most revisions; none if objects without a writer have more. */
function writerIn({ values }: KeyScan, counts: ReadonlyMap<number, number> = new Map()): Pick<ObjectSum, 'lastWriter'> {
  const [top] = [...counts].sort(([, one], [, other]) => other - one);
  return top && top[0] >= 0 ? { lastWriter: writerName(values, top[0]).name } : {};
}

/** Returns the names of a writer by its number. */
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

function renamed(rows: ReadonlyMap<string, SumBuilder>, rename: (name: string) => string): Map<string, SumBuilder> {
  const all = new Map<string, SumBuilder>();
  for (const [name, row] of rows) rowOf(all, rename(name)).addRow(row);
  return all;
}

/** Groups namespaces by Project; a Project owns the namespace of its name. */
function projectRows(
  namespaces: ReadonlyMap<string, SumBuilder>,
  projects: ReadonlySet<string>,
): Map<string, SumBuilder> {
  return renamed(namespaces, (name) => (projects.has(name) ? name : ungrouped.project));
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
    const one = live[columns.writer[key] as number];
    const bytes = columns.liveBytes[key] as number;
    if (!one || bytes === 0) continue;
    one.objects++;
    one.bytes += bytes;
  }
  const all = totals.writers.map(({ revisions, bytes, largest, writes }, id): WriterSum => {
    const own = live[id] ?? { objects: 0, bytes: 0 };
    return {
      ...writerName(values, id),
      objects: own.objects,
      live: own.bytes,
      history: bytes - own.bytes,
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
  private kept: number[] = [];
  private minWeight = -1;

  constructor(
    private readonly count: number,
    private readonly weight: (id: number) => number,
  ) {}

  add(id: number): void {
    if (this.weight(id) <= this.minWeight) return;
    this.kept.push(id);
    if (this.kept.length >= 2 * this.count) this.cut();
  }

  sorted(): readonly number[] {
    this.cut();
    return this.kept;
  }

  private cut(): void {
    this.kept.sort((a, b) => this.weight(b) - this.weight(a) || a - b);
    this.kept.length = Math.min(this.kept.length, this.count);
    if (this.kept.length === this.count) this.minWeight = this.weight(this.kept.at(-1) as number);
  }
}
