import { bytesText } from '../../../api';
import { type RowChange, type ContentsDifference } from '../../../etcd';
import { textTable } from '../../output/text-table';

/** Returns the differences between two files as text. */
export function differenceText(before: string, after: string, difference: ContentsDifference, top: number): string {
  const { revision, seconds, growthPerDay, database, live, history, keys, by } = difference;
  const rows = (
    [
      ['database', database],
      ['live', live],
      ['held only by history', history],
    ] as const
  ).map(([name, sizes]) => [
    `  ${name}`,
    bytesText(sizes.before),
    bytesText(sizes.after),
    changeText(sizes.after - sizes.before),
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
  const rate = growthPerDay === undefined ? '' : `; live data ${growthText(growthPerDay)}`;
  return [
    `${before} to ${after}: revisions ${revision.before} to ${revision.after}${time}${rate}\n`,
    difference.isComplete
      ? ''
      : 'DAMAGED: the comparison covers only the readable pages; "pinion etcd analyze" lists the damaged ones\n',
    orderText(before, after, difference),
    `  ${keys.created} keys created, ${keys.deleted} deleted, ${keys.written} written\n\n`,
    textTable(['', 'BEFORE', 'AFTER', 'CHANGE'], rows),
    ...tables.map(([name, changes]) => `\n${changeTable(name, changes, top)}`),
  ].join('');
}

/** Returns warnings about the order and the history of the two files. */
function orderText(
  before: string,
  after: string,
  { revision, isBackwards, isSameHistory }: ContentsDifference,
): string {
  const wrongOrder = isBackwards
    ? `WRONG ORDER: ${before} ends at revision ${revision.before}, and ${after} at the earlier revision ${revision.after}. Unless an older backup was restored in between, swap the files:\n  pinion etcd diff ${after} ${before}\n`
    : '';
  const unrelated =
    isSameHistory === false
      ? 'UNRELATED FILES: keys that were not written in between have different revisions; the files are from different clusters, or the cluster was restored in between\n'
      : '';
  return wrongOrder + unrelated;
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
