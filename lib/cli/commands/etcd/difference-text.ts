import { bytesText } from '../../../api';
import { type RowChange, type ContentsDifference } from '../../../etcd';
import { textTable } from '../../output/text-table';

/** Returns the difference of two files as text. */
export function differenceText(before: string, after: string, difference: ContentsDifference, top: number): string {
  const { revision, seconds, growthPerDay, database, live, history, keys, by } = difference;
  const rows = (
    [
      ['database', database],
      ['live', live],
      ['held only by history', history],
    ] as const
  ).map(([name, sides]) => [
    `  ${name}`,
    bytesText(sides.before),
    bytesText(sides.after),
    changeText(sides.after - sides.before),
  ]);
  const tables: readonly (readonly [string, readonly RowChange[]])[] = [
    ['RESOURCE', by.resource],
    ['NAMESPACE', by.namespace],
    ['PROJECT', by.project],
    ['KIND', by.kind],
    ['OWNER', by.owner],
    ['LAST WRITER', by.writer],
    ['OBJECT', by.object],
  ];
  const time = seconds === undefined ? '' : `, ${seconds.toLocaleString('en-US')} s`;
  const rate = growthPerDay === undefined ? '' : `; what is live ${growthText(growthPerDay)}`;
  return [
    `${before} to ${after}: revisions ${revision.before} to ${revision.after}${time}${rate}\n`,
    difference.isComplete
      ? ''
      : 'DAMAGED: the difference covers what could be read; "pinion etcd analyze" lists the pages\n',
    orderText(before, after, difference),
    `  ${keys.created} keys created, ${keys.deleted} deleted, ${keys.written} written\n\n`,
    textTable(['', 'BEFORE', 'AFTER', 'CHANGE'], rows),
    ...tables.map(([name, changes]) => `\n${changeTable(name, changes, top)}`),
  ].join('');
}

/** Returns what is wrong with the two files as a pair. */
function orderText(
  before: string,
  after: string,
  { revision, isBackwards, isSameHistory }: ContentsDifference,
): string {
  const turned = isBackwards
    ? `BACKWARDS: ${before} ends at revision ${revision.before}, ${after} before that, at ${revision.after}. Unless an older backup was restored between, the files are the wrong way round:\n  pinion etcd diff ${after} ${before}\n`
    : '';
  const strange =
    isSameHistory === false
      ? 'NOT ONE HISTORY: keys that were not written between have other revisions; the files are of different clusters, or of one that was restored between\n'
      : '';
  return turned + strange;
}

function growthText(perDay: number): string {
  if (perDay === 0) return 'does not grow';
  return `${perDay < 0 ? 'shrinks' : 'grows'} by ${bytesText(Math.abs(perDay))} a day`;
}

const changeText = (bytes: number): string => `${bytes < 0 ? '-' : '+'}${bytesText(Math.abs(bytes))}`;

function changeTable(name: string, changes: readonly RowChange[], top: number): string {
  const rows = changes
    .slice(0, top)
    .map((row) => [
      `  ${row.name}`,
      bytesText(row.before),
      bytesText(row.after),
      changeText(row.change),
      String(row.objectsBefore),
      String(row.objectsAfter),
    ]);
  return textTable([name, 'BEFORE', 'AFTER', 'CHANGE', 'OBJECTS', 'AFTER'], rows);
}
