import { type Check, type TargetCheck } from '../contract';
import { type Child, type Described, h, written } from './element';
import { mark } from './mark';
import { formatValue, problemList } from './problem-list';
import { formatQuantity, measureOf } from './quantity';
import { changeWords, count, decisionWords, shortKind } from './words';

type Change = TargetCheck['changes'][number];

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

function changeList(changes: readonly Change[]): Described {
  const changing = changes.filter(({ change }) => change !== 'unchanged');
  const unchanged = changes.length - changing.length;
  return h(
    'div',
    { class: 'changes' },
    changing.length > 0 && h('ul', { class: 'rows' }, changing.map(changeItem)),
    unchanged > 0 &&
      h(
        'p',
        { class: 'quiet' },
        `${count(unchanged, 'workload stays', 'workloads stay')} as ${unchanged === 1 ? 'it is' : 'they are'}.`,
      ),
  );
}

function changeItem({ kind, name, change, restarts, fields }: Change): Described {
  return h(
    'li',
    { key: `${kind}/${name}` },
    h('span', { class: 'row-state' }, mark(changeWords[change])),
    h('span', { class: 'row-name' }, written(name), h('span', { class: 'quiet' }, ` ${shortKind(kind)}`)),
    h(
      'span',
      { class: 'row-side' },
      change === 'changed' && (restarts ? mark({ text: 'Pods are replaced', mood: 'warned' }) : 'No pod is replaced'),
    ),
    fields.length > 0 && h('span', { class: 'row-more' }, fieldList(fields)),
  );
}

const fieldList = (fields: Change['fields']): Described =>
  h(
    'ul',
    { class: 'fields' },
    fields.map(({ path, from, to }) =>
      h(
        'li',
        { key: path },
        h('code', {}, written(path)),
        ' ',
        h('span', { class: 'from' }, h('span', { class: 'unseen' }, 'was '), value(from)),
        h('span', { class: 'arrow', 'aria-hidden': 'true' }, ' → '),
        h('span', { class: 'to' }, h('span', { class: 'unseen' }, ' becomes '), value(to)),
      ),
    ),
  );

const value = (found: unknown): Child =>
  found === undefined ? h('i', {}, 'none') : h('code', {}, written(formatValue(found)));

function amounts({ target, resources }: TargetCheck): Described {
  const heads = ['Resource', 'Asks at peak', 'Asks now', 'Everything else', 'Allowed', 'Left for it', 'Fits'];
  const unlimited = (amount: string | undefined, resource: string): string =>
    amount === undefined ? 'unlimited' : formatQuantity(amount, resource);
  return h(
    'div',
    { class: 'wide', role: 'region', tabindex: 0, 'aria-label': `Amounts on ${target}` },
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          heads.map((head) => h('th', { scope: 'col' }, head)),
        ),
      ),
      h(
        'tbody',
        {},
        resources.map(({ resource, asked, now, taken, hard, left, fits }) =>
          h(
            'tr',
            { key: resource },
            h('th', { scope: 'row' }, measureOf(resource).label),
            h('td', {}, h('b', {}, formatQuantity(asked, resource))),
            h('td', {}, formatQuantity(now, resource)),
            h('td', {}, formatQuantity(taken, resource)),
            h('td', {}, unlimited(hard, resource)),
            h('td', {}, unlimited(left, resource)),
            h('td', {}, mark(fits ? { text: 'Yes', mood: 'well' } : { text: 'No', mood: 'bad' })),
          ),
        ),
      ),
    ),
  );
}
