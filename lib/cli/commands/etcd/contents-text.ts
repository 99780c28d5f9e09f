import { bytesText } from '../../../api';
import { type EtcdContents, type ObjectSum, type Sum, type WriterSum } from '../../../etcd';
import { textTable } from '../../output/text-table';

/** Maximum number of damaged pages to print. */
const maxDamageShown = 20;

/** Returns the contents of a database as text. */
export function etcdText(file: string, contents: EtcdContents, top: number): string {
  return [
    headText(file, contents),
    damageText(contents),
    pagesText(contents),
    ...(contents.total.revisions > 0 ? groupTexts(contents, top) : [noTables(contents)]),
    adviceText(contents),
  ].join('');
}

function groupTexts(contents: EtcdContents, top: number): string[] {
  const { by, total, damage } = contents;
  const all = total.live + total.history;
  const tables: readonly (readonly [string, readonly Sum[]])[] = [
    ['RESOURCE', by.resource],
    ['NAMESPACE', by.namespace],
    ['PROJECT', by.project],
    ['RESOURCE IN NAMESPACE', by.resourceByNamespace],
    ['KIND', by.kind],
    ['OWNER', by.owner],
  ];
  return [
    valuesText(contents),
    ...tables.map(([name, rows]) => `\n${sumTable(sumColumns(name, all), rows, top)}`),
    `\n${sumTable(objectColumns(all), by.object, top)}`,
    by.writer.length > 0
      ? `\n${sumTable(writerColumns(all), by.writer, top)}`
      : `\nNo table of last writers: no ${damage.coversAll ? '' : 'readable '}value has managedFields.\n`,
  ];
}

const noTables = ({ damage }: EtcdContents): string =>
  damage.coversAll
    ? '\nNo content tables: the file contains no revisions.\n'
    : '\nNo content tables: no page with revisions could be read.\n';

const share = (part: number, whole: number): string => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`);
const count = (value: number): string => value.toLocaleString('en-US');

function headText(
  file: string,
  { file: fileInfo, revision, total, leases, alarms, tombstoneBytes, damage: { coversAll } }: EtcdContents,
): string {
  const since = revision.compacted > 0 ? `since compaction at ${count(revision.compacted)}` : 'never compacted';
  const time =
    revision.seconds === undefined
      ? ''
      : ` in ${count(revision.seconds)} s, ${(revision.writesPerSecond ?? 0).toPrecision(3)} per second`;
  const checksums = {
    match: ', checksum matches',
    mismatch: ', checksum MISMATCH',
    skipped: ', checksum not verified',
    none: '',
  };
  return [
    `${file}: ${fileInfo.kind} of etcd${fileInfo.storageVersion === undefined ? '' : ` ${fileInfo.storageVersion}`}${checksums[fileInfo.checksum]}\n`,
    `  revision ${coversAll ? '' : 'at least '}${count(revision.current)}, ${since}; ${coversAll ? '' : 'at least '}${count(revision.writes)} writes${time}\n`,
    `  ${count(total.objects)} keys, ${bytesText(total.live)} live; ${count(total.revisions - total.objects)} more revisions, ${bytesText(total.history)} held only by history`,
    ` (${count(total.tombstones)} tombstones, ${bytesText(tombstoneBytes)})\n`,
    `  ${count(leases.count)} leases on ${count(leases.keys)} keys, ${bytesText(leases.bytes)}${alarms > 0 ? `; ${alarms} ALARM` : ''}\n`,
  ].join('');
}

function damageText({ isComplete, damage }: EtcdContents): string {
  if (isComplete) return '';
  const covered =
    damage.leaves === 0
      ? 'no leaf page with revisions was found'
      : `totals cover ${count(damage.leavesRead)} of ${count(damage.leaves)} ${damage.coversAll ? '' : 'known '}leaf pages with revisions`;
  const shown = damage.pages.slice(0, maxDamageShown).map(({ page, reason }) => `  page ${page}: ${reason}\n`);
  const more = damage.count - shown.length;
  return [
    `\nDAMAGED in ${count(damage.count)} ${damage.count === 1 ? 'place' : 'places'}; ${covered}\n`,
    ...shown,
    more > 0 ? `  and ${count(more)} more; use --json FILE to list all\n` : '',
  ].join('');
}

function pagesText({ pages, bytes, reclaimable, quota, damage: { coversAll } }: EtcdContents): string {
  const { compaction, defragmentation, both } = reclaimable;
  const known = (size: number | undefined, note: string): readonly [string, string] =>
    size === undefined ? ['unknown', 'pages could not be read'] : [bytesText(size), note];
  const rows = [
    ['file', bytesText(bytes.file), ''],
    ['database', bytesText(bytes.database), `${count(pages.count)} pages of ${bytesText(pages.size)}`],
    [
      'in use',
      bytesText(bytes.used),
      `${count(pages.leaf)} leaves, ${count(pages.overflow)} overflow, ${count(pages.branch)} branches`,
    ],
    ...(coversAll
      ? [
          ['unused space in pages', bytesText(bytes.unused), share(bytes.unused, bytes.database)],
          ['free pages', bytesText(bytes.free), share(bytes.free, bytes.database)],
        ]
      : [
          ['damaged pages, or unused space in pages', bytesText(bytes.unused), share(bytes.unused, bytes.database)],
          ['free pages, or pages below damaged ones', bytesText(bytes.free), share(bytes.free, bytes.database)],
        ]),
    ...(pages.missing > 0 ? [['missing pages', bytesText(pages.missing * pages.size), count(pages.missing)]] : []),
    ['compaction would free', `${coversAll ? '' : 'at least '}${bytesText(compaction)}`, 'for reuse within the file'],
    ['defragmentation', ...known(defragmentation, 'returned to the file system')],
    ['both', ...known(both, 'returned to the file system')],
    ['quota', bytesText(quota.bytes), quotaText(quota, bytes.database, coversAll)],
  ];
  return `\n${table(['PAGES', '', ''], rows)}`;
}

function quotaText({ bytes, growthPerDay, days }: EtcdContents['quota'], used: number, coversAll: boolean): string {
  const part = `${share(used, bytes)} used`;
  if (!coversAll) return `${part}; growth and days left unknown: pages could not be read`;
  if (growthPerDay === undefined)
    return `${part}; growth unknown: the file covers too short a time, or has no timestamps`;
  if (days === undefined)
    return `${part}; ${growthPerDay < 0 ? `${bytesText(-growthPerDay)} less each day` : 'not growing'}`;
  return `${part}; ${bytesText(growthPerDay)} more each day, ${days < 10 ? days.toFixed(1) : count(Math.floor(days))} days left`;
}

function valuesText({ formats, encryption, total, allRevisions }: EtcdContents): string {
  const all = total.live + total.history;
  const rows = [
    ...formats
      .filter(({ records }) => records > 0)
      .map(({ format, objects, records, bytes }) => [
        format,
        count(objects),
        count(records),
        bytesText(bytes),
        share(bytes, all),
      ]),
    ...encryption.map(({ name, objects, records, bytes }) => [
      `  ${name}`,
      count(objects),
      count(records),
      bytesText(bytes),
      share(bytes, all),
    ]),
    ...(['managedFields', 'lastApplied', 'status'] as const).map((part) => [
      part === 'lastApplied' ? 'last-applied annotations' : part,
      '',
      '',
      bytesText(allRevisions[part]),
      share(allRevisions[part], all),
    ]),
  ];
  return `\n${table(['VALUES', 'OBJECTS', 'REVISIONS', 'BYTES', ''], rows)}`;
}

/** Table column: its header, and the function that formats its cell. */
type Column<R> = readonly [head: string, cell: (row: R) => string];
type AnySum = Sum | WriterSum;

const bytesColumns = (name: string, all: number): readonly Column<AnySum>[] => [
  [name, (row) => row.name],
  ['BYTES', ({ live, history }) => bytesText(live + history)],
  ['', ({ live, history }) => share(live + history, all)],
  ['LIVE', ({ live }) => bytesText(live)],
  ['HISTORY', ({ history }) => bytesText(history)],
  ['OBJECTS', ({ objects }) => count(objects)],
];

const writesColumns: readonly Column<AnySum>[] = [
  ['WRITES', ({ writes }) => count(writes)],
  ['PER SECOND', ({ writesPerSecond }) => writesPerSecond?.toPrecision(2) ?? ''],
];

const sumColumns = (name: string, all: number): readonly Column<Sum>[] => [
  ...bytesColumns(name, all),
  ['AVERAGE', ({ average }) => bytesText(average)],
  ['LARGEST', ({ largest }) => bytesText(largest)],
  ...writesColumns,
  ['MANAGED', ({ managedFields, live }) => share(managedFields, live)],
  ['APPLIED', ({ lastApplied, live }) => share(lastApplied, live)],
  ['STATUS', ({ status, live }) => share(status, live)],
];

const objectColumns = (all: number): readonly Column<ObjectSum>[] => [
  ...sumColumns('OBJECT', all),
  ['LAST WRITER', ({ lastWriter }) => lastWriter ?? ''],
];

const writerColumns = (all: number): readonly Column<WriterSum>[] => [
  ...bytesColumns('LAST WRITER', all),
  ['REVISIONS', ({ revisions }) => count(revisions)],
  ...writesColumns,
];

/** Returns a table of the first rows. */
const sumTable = <R>(columns: readonly Column<R>[], rows: readonly R[], top: number): string =>
  table(
    columns.map(([head]) => head),
    rows.slice(0, top).map((row) => columns.map(([, cell]) => cell(row))),
  );

/** Returns a table that is indented by two spaces. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  textTable(
    head,
    rows.map(([first = '', ...rest]) => [`  ${first}`, ...rest]),
  );

function adviceText({ advice }: EtcdContents): string {
  if (advice.length === 0) return '\nNothing stands out.\n';
  return `\nADVICE\n${advice.map(({ sentence, command }) => `  ${sentence}\n    ${command}\n`).join('')}`;
}
