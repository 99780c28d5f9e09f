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
    textTable(['PROJECT', 'RESOURCE', 'OLD', 'NEW', 'PEAK', 'HEADROOM'], rows),
    textTable(['ALL PROJECTS', 'OLD', 'NEW', 'CAPACITY', 'SHARE'], sums),
    ...(cost ? [costText(cost)] : []),
  ].join('\n');
}

function costText({ currency, per, before, after, projects }: NonNullable<Review['cost']>): string {
  const row = (name: string, from: number, to: number): string[] => [
    name,
    money(from),
    money(to),
    `${to >= from ? '+' : ''}${money(to - from)}`,
  ];
  const rows = projects.map((project) => row(project.project, project.before, project.after));
  return textTable(
    [`${currency} PER ${per.toUpperCase()}`, 'OLD', 'NEW', 'CHANGE'],
    [...rows, row('all projects', before, after)],
  );
}
