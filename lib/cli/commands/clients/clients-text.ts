import { bytesText } from '../../../api';
import { addSumsTo, type ClientReport, type ClientRow, type ClientSums, zeroSums } from '../../../operations';
import { groupBy } from '../../output/group-by';
import { textTable } from '../../output/text-table';
import { onOneLine } from '../../service/printable';

/** Sum of rows that have the same names. */
interface Group {
  readonly names: readonly string[];
  readonly requests: number;
  readonly sums: ClientSums;
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Returns the clients of an API server as tables, after the practices that they violate; `seats` of the server are 0 if unknown. */
export function clientsText(report: ClientReport, seats: number, top: number): string {
  const { rows, findings } = report;
  if (report.requests === 0) return headText(report, seats);
  const tableOf = (heads: readonly string[], namesOf: (row: ClientRow) => readonly string[]): string =>
    `\n${table(heads, groupsOf(rows, namesOf), report, top)}`;
  return [
    headText(report, seats),
    findings.length === 0 ? '\nNo client violates a practice.\n' : '\nPRACTICES\n',
    ...findings.map(({ practice, message }) => `${practice}: ${onOneLine(message)}\n`),
    tableOf(['PROJECT'], ({ project }) => [project || '-']),
    tableOf(['PROJECT', 'ACCOUNT', 'PROGRAM'], ({ project, account, userAgent }) => [
      project || '-',
      account,
      userAgent,
    ]),
    tableOf(['VERB', 'RESOURCE'], ({ verb, resource }) => [verb, resource]),
    tableOf(['ACCOUNT', 'PROGRAM', 'VERB', 'RESOURCE'], (row) => [row.account, row.userAgent, row.verb, row.resource]),
  ].join('');
}

function headText({ requests, unreadable, from, to, total, bound }: ClientReport, seats: number): string {
  const seconds = (to - from) / 1000;
  const rate = seconds >= 1 ? ` in ${count(seconds)} s, ${(requests / seconds).toPrecision(3)} per second` : '';
  const share =
    seats > 0 && seconds >= 1
      ? `, ${((100 * total.seatSeconds) / seconds / seats).toPrecision(2)} % of ${seats} seats`
      : '';
  const lines = [
    `${count(requests)} requests${rate}; ${count(total.errors)} rejected or failed, ${count(total.watches)} watches`,
    `  cost: ${total.seatSeconds.toPrecision(3)} seat-seconds${share}`,
    ...(total.cached > 0 ? [`  ${count(total.cached)} requests were answered by caches of gateways`] : []),
    ...(bound > 0 ? [`  request counts per row may be up to ${count(bound)} too high`] : []),
    ...(unreadable > 0
      ? [`  ${unreadable === 1 ? '1 line is not an event' : `${count(unreadable)} lines are not events`}`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function groupsOf(rows: readonly ClientRow[], namesOf: (row: ClientRow) => readonly string[]): readonly Group[] {
  // Clients choose their names, and paths of requests: escape sequences must not reach the terminal.
  const keyOf = (row: ClientRow): string => namesOf(row).map(onOneLine).join('\u0000');
  return [...groupBy(rows, keyOf).entries()]
    .map(([key, group]) => {
      const sums = zeroSums();
      for (const row of group) addSumsTo(sums, row);
      return { names: key.split('\u0000'), requests: group.reduce((sum, { requests }) => sum + requests, 0), sums };
    })
    .sort((a, b) => b.sums.seatSeconds - a.sums.seatSeconds || b.requests - a.requests);
}

function table(heads: readonly string[], groups: readonly Group[], { total }: ClientReport, top: number): string {
  const cells = groups
    .slice(0, top)
    .map(({ names, requests, sums }) => [
      ...names,
      count(requests),
      count(sums.watches),
      count(sums.errors),
      `${sums.seconds.toFixed(1)} s`,
      sums.seatSeconds.toFixed(2),
      total.seatSeconds === 0 ? '' : `${((100 * sums.seatSeconds) / total.seatSeconds).toFixed(1)} %`,
      sums.bytes === 0 ? '-' : bytesText(sums.bytes),
      ...(total.cached > 0 ? [count(sums.cached)] : []),
    ]);
  const cacheHeads = total.cached > 0 ? ['CACHED'] : [];
  return textTable(
    [...heads, 'REQUESTS', 'WATCHES', 'ERRORS', 'SERVED IN', 'SEAT-SECONDS', '', 'BYTES', ...cacheHeads],
    cells,
  );
}
