import { type DeploymentDiff } from '../contract';
import { type ElementChild, type Described, h, written } from './element';
import { mark } from './mark';
import { valueText } from './problem-list';
import { changeWords, count, shortKind } from './words';

/** What becomes of one workload. */
type Change = DeploymentDiff['changes'][number] & {
  /** Whether its pods are replaced. @default - nothing is said of them */
  readonly restarts?: boolean;
};

/** What becomes of workloads, with the fields that differ; what stays as it is is only counted. */
export function changeList(changes: readonly Change[]): Described {
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
      change === 'changed' &&
        restarts !== undefined &&
        (restarts ? mark({ text: 'Pods are replaced', mood: 'warned' }) : 'No pod is replaced'),
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
        from === undefined && to === undefined
          ? h('i', {}, 'differs; the values are not shown')
          : [
              h('span', { class: 'from' }, h('span', { class: 'unseen' }, 'was '), value(from)),
              h('span', { class: 'arrow', 'aria-hidden': 'true' }, ' → '),
              h('span', { class: 'to' }, h('span', { class: 'unseen' }, ' becomes '), value(to)),
            ],
      ),
    ),
  );

const value = (found: unknown): ElementChild =>
  found === undefined ? h('i', {}, 'none') : h('code', {}, written(valueText(found)));
