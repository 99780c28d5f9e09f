import { type DeploymentPreview, type TargetPreview } from '../contract';
import { changeList } from './change-list';
import { type ElementChild, type Described, h, written } from './element';
import { mark } from './mark';
import { problemList } from './problem-list';
import { readableQuantity, quotaMeasure } from './quantity';
import { decisionWords } from './words';

/** What a deployment would do, with numbers. */
export function checkReport(preview: DeploymentPreview): Described {
  return h(
    'section',
    { class: 'report', 'aria-labelledby': 'report', key: 'report' },
    h('h2', { id: 'report' }, 'What it would do'),
    h('p', { class: 'standing' }, mark(decisionWords[preview.decision])),
    problemList(preview.problems),
    preview.targets.map(targetReport),
  );
}

function targetReport(preview: TargetPreview): Described {
  const { target, nearestFit, problems, fits } = preview;
  return h(
    'section',
    { class: 'target', key: target, 'aria-label': `On ${target}` },
    h(
      'h3',
      {},
      written(target),
      ' ',
      mark(fits ? { text: 'Fits the quota', mood: 'well' } : { text: 'Does not fit the quota', mood: 'bad' }),
    ),
    nearestFit !== undefined &&
      !problems.some(({ remedy }) => `${remedy}.` === nearestFit) &&
      h('p', { class: 'note' }, h('strong', {}, 'Nearest that fits: '), written(nearestFit)),
    problemList(problems),
    changeList(preview.changes),
    preview.resources.length > 0 && amounts(preview),
  );
}

const amountHeads = ['Requested', 'Now', 'Used by others', 'Quota', 'Available', 'Fits'] as const;

/** A table whose rows stack on narrow screens; its roles keep it a table for screen readers. */
const amounts = ({ target, resources }: TargetPreview): Described =>
  h(
    'div',
    { class: 'wide', role: 'region', tabindex: 0, 'aria-label': `Amounts on ${target}` },
    h(
      'table',
      { class: 'amounts', role: 'table' },
      h(
        'thead',
        { role: 'rowgroup' },
        h(
          'tr',
          { role: 'row' },
          ['Resource', ...amountHeads].map((head) => h('th', { scope: 'col', role: 'columnheader' }, head)),
        ),
      ),
      h('tbody', { role: 'rowgroup' }, tellingFirst(resources).map(amountsRow)),
    ),
  );

type Amounts = TargetPreview['resources'][number];

/** What does not fit before what does, and what is bounded before what is not. */
const tellingFirst = (resources: readonly Amounts[]): readonly Amounts[] =>
  resources.toSorted((one, other) => weightOf(other) - weightOf(one));

const weightOf = ({ fits, hard }: Amounts): number => (fits ? 0 : 2) + (hard === undefined ? 0 : 1);

function amountsRow({ resource, requested, now, usedByOthers, hard, available, fits }: Amounts): Described {
  const text = (amount: string | undefined): string =>
    amount === undefined ? 'unlimited' : readableQuantity(amount, resource);
  const cells: readonly ElementChild[] = [
    h('b', {}, text(requested)),
    text(now),
    text(usedByOthers),
    text(hard),
    text(available),
    mark(fits ? { text: 'Yes', mood: 'well' } : { text: 'No', mood: 'bad' }),
  ];
  return h(
    'tr',
    { key: resource, role: 'row' },
    h('th', { scope: 'row', role: 'rowheader' }, quotaMeasure(resource).label),
    cells.map((cell, place) => h('td', { role: 'cell', 'data-head': amountHeads[place] }, cell)),
  );
}
