import { type DeploymentPreview, type TargetPreview } from '../../contract';
import { bdi, h, type VNode, type VNodeChild } from '../dom/vnode';
import { changeList } from '../elements/change-list';
import { problemList } from '../elements/problem-list';
import { statusBadge } from '../elements/status-badge';
import { decisionLabels } from '../format/labels';
import { quotaMeasure, readableQuantity } from '../format/quantity';

/** Returns the preview of a deployment with its quota amounts. */
export function previewReport(preview: DeploymentPreview): VNode {
  return h(
    'section',
    { class: 'report', 'aria-labelledby': 'report', key: 'report' },
    h('h2', { id: 'report' }, 'Preview'),
    h('p', { class: 'status' }, statusBadge(decisionLabels[preview.decision])),
    problemList(preview.problems),
    preview.targets.map(targetReport),
  );
}

function targetReport(preview: TargetPreview): VNode {
  const { target, nearestFit, problems, fits } = preview;
  return h(
    'section',
    { class: 'target', key: target, 'aria-label': `On ${target}` },
    h(
      'h3',
      {},
      bdi(target),
      ' ',
      statusBadge(
        fits ? { text: 'Fits the quota', tone: 'success' } : { text: 'Does not fit the quota', tone: 'error' },
      ),
    ),
    nearestFit !== undefined &&
      !problems.some(({ remedy }) => `${remedy}.` === nearestFit) &&
      h('p', { class: 'note' }, h('strong', {}, 'Closest fit: '), bdi(nearestFit)),
    problemList(problems),
    changeList(preview.changes),
    preview.resources.length > 0 && amounts(preview),
  );
}

const amountColumns = ['Requested', 'Current', 'Used by others', 'Quota', 'Available', 'Fits'] as const;

/** Returns a table whose rows stack on narrow screens; explicit roles keep it a table for screen readers. */
const amounts = ({ target, resources }: TargetPreview): VNode =>
  h(
    'div',
    { class: 'wide', role: 'region', tabindex: 0, 'aria-label': `Resources on ${target}` },
    h(
      'table',
      { class: 'amounts', role: 'table' },
      h(
        'thead',
        { role: 'rowgroup' },
        h(
          'tr',
          { role: 'row' },
          ['Resource', ...amountColumns].map((head) => h('th', { scope: 'col', role: 'columnheader' }, head)),
        ),
      ),
      h('tbody', { role: 'rowgroup' }, byRelevance(resources).map(amountsRow)),
    ),
  );

type Amounts = TargetPreview['resources'][number];

/** Returns resources that do not fit first, then those with a quota, then the rest. */
const byRelevance = (resources: readonly Amounts[]): readonly Amounts[] =>
  resources.toSorted((one, other) => weightOf(other) - weightOf(one));

const weightOf = ({ fits, hard }: Amounts): number => (fits ? 0 : 2) + (hard === undefined ? 0 : 1);

function amountsRow({ resource, requested, now, usedByOthers, hard, available, fits }: Amounts): VNode {
  const text = (amount: string | undefined): string =>
    amount === undefined ? 'unlimited' : readableQuantity(amount, resource);
  const cells: readonly VNodeChild[] = [
    h('b', {}, text(requested)),
    text(now),
    text(usedByOthers),
    text(hard),
    text(available),
    statusBadge(fits ? { text: 'Yes', tone: 'success' } : { text: 'No', tone: 'error' }),
  ];
  return h(
    'tr',
    { key: resource, role: 'row' },
    h('th', { scope: 'row', role: 'rowheader' }, quotaMeasure(resource).label),
    cells.map((cell, index) => h('td', { role: 'cell', 'data-head': amountColumns[index] }, cell)),
  );
}
