import { formatQuantity, type Quantity } from '../../api';
import { dateOf } from '../../capacity';
import { levelOf, type Outlook } from '../../quota';
import { textTable } from './text-table';

/** Use of one limit of a project, and when it is reached. */
export interface OutlookRow {
  readonly project: string;
  readonly resource: string;
  readonly level: string;
  /** Current usage; undefined without `--live`, or if the cluster does not count it. */
  readonly now: string | undefined;
  /** Undefined if not measured, like the share and the dates. */
  readonly used: string | undefined;
  readonly quota: string;
  readonly percent: number | undefined;
  readonly fullOn: string | undefined;
  readonly earliest: string | undefined;
  readonly latest: string | undefined;
}

/** Returns the row of a limit. */
export function outlookRow(
  project: string,
  resource: string,
  outlook: Outlook,
  current: Quantity | undefined,
): OutlookRow {
  const date = (day: number | undefined): string | undefined => (day === undefined ? undefined : dateOf(day));
  const now = current && formatQuantity(current);
  const quota = formatQuantity(outlook.quota);
  const unknown = { used: undefined, percent: undefined, fullOn: undefined, earliest: undefined, latest: undefined };
  if (!outlook.isMeasured) return { project, resource, level: 'not-measured', now, quota, ...unknown };
  return {
    project,
    resource,
    level: levelOf(outlook),
    now,
    used: formatQuantity(outlook.used),
    quota,
    percent: Math.round(outlook.share * 100),
    fullOn: date(outlook.full?.expected),
    earliest: date(outlook.full?.earliest),
    latest: date(outlook.full?.latest),
  };
}

/** Returns rows as a table; the names of the limited field and of its limit are those of the caller. */
export function outlookTable(
  rows: readonly OutlookRow[],
  { field, limit, isLive }: { readonly field: string; readonly limit: string; readonly isLive: boolean },
): string {
  const live = (cell: string): string[] => (isLive ? [cell] : []);
  const shown = (cell: string | undefined): string => cell ?? '-';
  return textTable(
    ['PROJECT', field, 'LEVEL', ...live('NOW'), 'USED', limit, 'SHARE', 'FULL ON', 'EARLIEST', 'LATEST'],
    rows.map(({ project, resource, level, now, used, quota, percent, fullOn, earliest, latest }) => [
      project,
      resource,
      level,
      ...live(shown(now)),
      shown(used),
      quota,
      percent === undefined ? '-' : `${percent} %`,
      ...[fullOn, earliest, latest].map(shown),
    ]),
  );
}
