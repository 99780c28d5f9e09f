import { type Review } from '../../../quota';
import { textTable } from '../../output/text-table';

const percent = (share: number | undefined): string => (share === undefined ? '-' : `${Math.round(share * 100)} %`);
const money = (amount: number): string => amount.toFixed(2);

/** Returns a review as text: each change, then sums over all projects, then cost. */
export function reviewText({ values, totals, cost }: Review): string {
  if (values.length === 0) return 'No quota changes.\n';
  const rows = values.map(({ project, resource, before, after, peak, headroom }) => [
    project,
    resource,
    before ?? '-',
    after ?? '-',
    peak ?? '-',
    percent(headroom),
  ]);
  const sums = totals.map(({ resource, before, after, capacity, share }) => [
    resource,
    before,
    after,
    capacity ?? '-',
    percent(share),
  ]);
  return [
    textTable(['PROJECT', 'RESOURCE', 'NOW', 'THEN', 'PEAK', 'HEADROOM'], rows),
    textTable(['ALL PROJECTS', 'NOW', 'THEN', 'NODES HOLD', 'QUOTAS OF THAT'], sums),
    ...(cost ? [costText(cost)] : []),
  ].join('\n');
}

function costText({ currency, per, before, after, projects }: NonNullable<Review['cost']>): string {
  const row = (name: string, old: number, then: number): string[] => [
    name,
    money(old),
    money(then),
    `${then >= old ? '+' : ''}${money(then - old)}`,
  ];
  const rows = projects.map((one) => row(one.project, one.before, one.after));
  return textTable(
    [`${currency} PER ${per.toUpperCase()}`, 'NOW', 'THEN', 'CHANGE'],
    [...rows, row('all projects', before, after)],
  );
}
