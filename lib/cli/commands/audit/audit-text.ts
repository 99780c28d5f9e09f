import { bytesText } from '../../../api';
import { type AuditReport, type AuditRow } from '../../../operations';
import { textTable } from '../../output/text-table';

const count = (value: number): string => value.toLocaleString('en-US');
const share = (part: number, whole: number): string => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`);

/** Returns the requests of an API server as tables. */
export function auditText(title: string, report: AuditReport, top: number): string {
  const { users, actions, pairs, wholeLists } = report;
  if (report.requests === 0) return headText(title, report);
  return [
    headText(title, report),
    `\n${table(['USER'], users, report, top)}`,
    `\n${table(['VERB', 'RESOURCE'], actions, report, top)}`,
    `\n${table(['USER', 'VERB', 'RESOURCE'], pairs, report, top)}`,
    wholeLists.length === 0
      ? '\nNo list without limit or selector.\n'
      : `\nLISTS WITHOUT LIMIT OR SELECTOR\n${table(['USER', 'VERB', 'RESOURCE'], wholeLists, report, top)}`,
  ].join('');
}

function headText(title: string, { requests, unreadable, from, to, lists, total, bound }: AuditReport): string {
  const seconds = (to - from) / 1000;
  const rate =
    seconds >= 1 ? ` in ${count(Math.round(seconds))} s, ${(requests / seconds).toPrecision(3)} per second` : '';
  const listSummary =
    lists === 0
      ? 'no lists'
      : total.measured === 0
        ? `${count(lists)} lists; the log does not contain their responses (that requires the audit level RequestResponse)`
        : `${count(lists)} lists; the responses of ${count(total.measured)} are in the log: ${count(total.objects)} objects, ${bytesText(total.bytes)} as JSON`;
  const lines = [
    `${title}: ${count(requests)} requests${rate}; ${count(total.errors)} rejected or failed`,
    `  ${listSummary}; ${count(total.wholeLists)} whole lists, including initial lists of watches`,
    ...(bound > 0 ? [`  request counts per row may be up to ${count(bound)} too high`] : []),
    ...(unreadable > 0
      ? [`  ${unreadable === 1 ? '1 line is not an event' : `${count(unreadable)} lines are not events`}`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function table(
  names: readonly string[],
  rows: readonly AuditRow[],
  { requests, total }: AuditReport,
  top: number,
): string {
  const isMeasured = total.measured > 0;
  const cells = rows
    .slice(0, top)
    .map((row) => [
      ...row.name,
      count(row.requests),
      share(row.requests, requests),
      `${row.seconds.toFixed(1)} s`,
      count(row.errors),
      count(row.wholeLists),
      ...(isMeasured ? [count(row.objects), bytesText(row.bytes)] : []),
    ]);
  const listHeads = isMeasured ? ['OBJECTS LISTED', 'BYTES LISTED'] : [];
  return textTable([...names, 'REQUESTS', '', 'SERVED IN', 'ERRORS', 'WHOLE LISTS', ...listHeads], cells);
}
