import { type Check, type TargetCheck } from '../contract';
import { changeList } from './change-list';
import { type Child, type Described, h, written } from './element';
import { mark } from './mark';
import { problemList } from './problem-list';
import { formatQuantity, measureOf } from './quantity';
import { decisionWords } from './words';

/** What a deployment would do, with numbers. */
export function checkReport(check: Check): Described {
  return h(
    'section',
    { class: 'report', 'aria-labelledby': 'report', key: 'report' },
    h('h2', { id: 'report' }, 'What it would do'),
    h('p', { class: 'standing' }, mark(decisionWords[check.decision])),
    problemList(check.problems),
    check.targets.map(targetReport),
  );
}

function targetReport(check: TargetCheck): Described {
  const { target, nearestFit, problems, fits } = check;
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
    changeList(check.changes),
    check.resources.length > 0 && amounts(check),
  );
}

const amountHeads = ['Asks at peak', 'Asks now', 'Everything else', 'Allowed', 'Left for it', 'Fits'] as const;

/** A table whose rows stand on their own where there is no room for columns; its roles say that it is one all the same. */
const amounts = ({ target, resources }: TargetCheck): Described =>
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

type Amounts = TargetCheck['resources'][number];

/** What does not fit before what does, and what is bounded before what is not. */
const tellingFirst = (resources: readonly Amounts[]): readonly Amounts[] =>
  resources.toSorted((one, other) => weightOf(other) - weightOf(one));

const weightOf = ({ fits, hard }: Amounts): number => (fits ? 0 : 2) + (hard === undefined ? 0 : 1);

function amountsRow({ resource, asked, now, taken, hard, left, fits }: Amounts): Described {
  const text = (amount: string | undefined): string =>
    amount === undefined ? 'unlimited' : formatQuantity(amount, resource);
  const cells: readonly Child[] = [
    h('b', {}, text(asked)),
    text(now),
    text(taken),
    text(hard),
    text(left),
    mark(fits ? { text: 'Yes', mood: 'well' } : { text: 'No', mood: 'bad' }),
  ];
  return h(
    'tr',
    { key: resource, role: 'row' },
    h('th', { scope: 'row', role: 'rowheader' }, measureOf(resource).label),
    cells.map((cell, place) => h('td', { role: 'cell', 'data-head': amountHeads[place] }, cell)),
  );
}
