import { bytesText } from '../../api';
import { type EtcdContents, type Sum, type WriterSum } from '../../etcd';
import { textTable } from '../text-table';

/** Damaged pages that are told one by one. */
const damageShown = 20;

/** What a database holds as a person reads it. */
export function etcdText(file: string, contents: EtcdContents, top: number): string {
  const { by, total } = contents;
  const all = total.live + total.history;
  const tables: readonly (readonly [string, readonly Sum[]])[] = [
    ['RESOURCE', by.resource],
    ['NAMESPACE', by.namespace],
    ['PROJECT', by.project],
    ['RESOURCE OF NAMESPACE', by.place],
    ['KIND', by.kind],
    ['OWNER', by.owner],
    ['OBJECT', by.object],
  ];
  return [
    headText(file, contents),
    damageText(contents),
    pagesText(contents),
    valuesText(contents),
    ...tables.map(([name, rows]) => `\n${sumTable(name, rows, all, top)}`),
    `\n${writerTable(by.writer, all, top)}`,
    adviceText(contents),
  ].join('');
}

const share = (part: number, whole: number): string => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`);
const count = (value: number): string => value.toLocaleString('en-US');

function headText(
  file: string,
  { file: facts, revision, total, leases, alarms, tombstoneBytes }: EtcdContents,
): string {
  const since = revision.compacted > 0 ? `since compaction at ${count(revision.compacted)}` : 'never compacted';
  const time =
    revision.seconds === undefined
      ? ''
      : ` in ${count(revision.seconds)} s, ${(revision.writesPerSecond ?? 0).toPrecision(3)} a second`;
  const checksums = {
    fits: ', checksum fits',
    differs: ', checksum DIFFERS',
    unread: ', checksum not compared',
    none: '',
  };
  return [
    `${file}: ${facts.kind} of etcd${facts.storageVersion === undefined ? '' : ` ${facts.storageVersion}`}${checksums[facts.checksum]}\n`,
    `  revision ${count(revision.current)}, ${since}; ${count(revision.writes)} writes${time}\n`,
    `  ${count(total.objects)} keys, ${bytesText(total.live)} live; ${count(total.revisions - total.objects)} more revisions, ${bytesText(total.history)} held only by history`,
    ` (${count(total.tombstones)} tombstones, ${bytesText(tombstoneBytes)})\n`,
    `  ${count(leases.count)} leases on ${count(leases.keys)} keys, ${bytesText(leases.bytes)}${alarms > 0 ? `; ${alarms} ALARM` : ''}\n`,
  ].join('');
}

function damageText({ isComplete, damage }: EtcdContents): string {
  if (isComplete) return '';
  const shown = damage.pages.slice(0, damageShown).map(({ page, reason }) => `  page ${page}: ${reason}\n`);
  const more = damage.count - shown.length;
  return [
    `\nDAMAGED in ${count(damage.count)} ${damage.count === 1 ? 'place' : 'places'}; sums cover ${count(damage.leavesRead)} of ${count(damage.leaves)} leaves with revisions\n`,
    ...shown,
    more > 0 ? `  and ${count(more)} more; --json FILE has them\n` : '',
  ].join('');
}

function pagesText({ pages, bytes, giveBack, quota }: EtcdContents): string {
  const rows = [
    ['file', bytesText(bytes.file), ''],
    ['database', bytesText(bytes.database), `${count(pages.count)} pages of ${bytesText(pages.size)}`],
    [
      'in use',
      bytesText(bytes.used),
      `${count(pages.leaf)} leaves, ${count(pages.overflow)} overflow, ${count(pages.branch)} branches`,
    ],
    ['empty ends of pages', bytesText(bytes.unused), share(bytes.unused, bytes.database)],
    ['free pages', bytesText(bytes.free), share(bytes.free, bytes.database)],
    ...(pages.missing > 0 ? [['missing pages', bytesText(pages.missing * pages.size), count(pages.missing)]] : []),
    ['compaction would free', bytesText(giveBack.compaction), 'within the file'],
    ['defragmentation', bytesText(giveBack.defragmentation), 'off the file'],
    ['both', bytesText(giveBack.both), 'off the file'],
    ['quota', bytesText(quota.bytes), quotaText(quota, bytes.database)],
  ];
  return `\n${table(['PAGES', '', ''], rows)}`;
}

function quotaText({ bytes, growthPerDay, days }: EtcdContents['quota'], used: number): string {
  const part = `${share(used, bytes)} used`;
  if (growthPerDay === undefined) return `${part}; growth not known: too short a time, or no times, in the file`;
  if (days === undefined) return `${part}; not growing (${bytesText(growthPerDay)} a day)`;
  return `${part}; ${bytesText(growthPerDay)} more each day, ${days < 10 ? days.toFixed(1) : count(Math.floor(days))} days left`;
}

function valuesText({ formats, encryption, total, everywhere }: EtcdContents): string {
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
      bytesText(everywhere[part]),
      share(everywhere[part], all),
    ]),
  ];
  return `\n${table(['VALUES', 'OBJECTS', 'REVISIONS', 'BYTES', ''], rows)}`;
}

function sumTable(name: string, rows: readonly Sum[], all: number, top: number): string {
  const head = [
    name,
    'BYTES',
    '',
    'LIVE',
    'HISTORY',
    'OBJECTS',
    'AVERAGE',
    'LARGEST',
    'WRITES',
    'A SECOND',
    'MANAGED',
    'STATUS',
  ];
  const cells = rows
    .slice(0, top)
    .map((row) => [
      row.name,
      bytesText(row.live + row.history),
      share(row.live + row.history, all),
      bytesText(row.live),
      bytesText(row.history),
      count(row.objects),
      bytesText(row.average),
      bytesText(row.largest),
      count(row.writes),
      row.writesPerSecond?.toPrecision(2) ?? '',
      share(row.managedFields, row.live),
      share(row.status, row.live),
    ]);
  return table(head, cells);
}

function writerTable(rows: readonly WriterSum[], all: number, top: number): string {
  const head = ['LAST WRITER', 'BYTES', '', 'LIVE', 'HISTORY', 'OBJECTS', 'REVISIONS', 'WRITES', 'A SECOND'];
  const cells = rows
    .slice(0, top)
    .map((row) => [
      row.name,
      bytesText(row.live + row.history),
      share(row.live + row.history, all),
      bytesText(row.live),
      bytesText(row.history),
      count(row.objects),
      count(row.revisions),
      count(row.writes),
      row.writesPerSecond?.toPrecision(2) ?? '',
    ]);
  return table(head, cells);
}

/** A table whose rows stand two spaces in. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  textTable(
    head,
    rows.map(([first = '', ...rest]) => [`  ${first}`, ...rest]),
  );

function adviceText({ advice }: EtcdContents): string {
  if (advice.length === 0) return '\nNothing stands out.\n';
  return `\nADVICE\n${advice.map(({ sentence, command }) => `  ${sentence}\n    ${command}\n`).join('')}`;
}
