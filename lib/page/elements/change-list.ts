import { type DeploymentDiff } from '../../contract';
import { bdi, h, type VNode, type VNodeChild } from '../dom/vnode';
import { changeLabels, formatCount, kindLabel } from '../format/labels';
import { valueText } from './problem-list';
import { statusBadge } from './status-badge';

/** Change of one workload. */
type Change = DeploymentDiff['changes'][number] & {
  /** Whether its pods are replaced. @default - not shown */
  readonly restarts?: boolean;
  /** Hooks that run before its pods change. @default - none */
  readonly hooks?: readonly string[] | undefined;
  /** Variants whose pods are replaced. @default - the workload has none */
  readonly restartedVariants?: readonly string[] | undefined;
};

/** Returns the changes of workloads with the fields that differ; unchanged workloads are only counted. */
export function changeList(changes: readonly Change[]): VNode {
  const changing = changes.filter(({ change }) => change !== 'unchanged');
  const unchanged = changes.length - changing.length;
  return h(
    'div',
    { class: 'changes' },
    changing.length > 0 && h('ul', { class: 'rows' }, changing.map(changeItem)),
    unchanged > 0 && h('p', { class: 'muted' }, `${formatCount(unchanged, 'workload')} unchanged.`),
  );
}

function changeItem({ kind, name, change, restarts, restartedVariants, hooks, fields }: Change): VNode {
  const pods = restartedVariants ? `Pods of ${restartedVariants.join(', ')}` : 'Pods';
  return h(
    'li',
    { key: `${kind}/${name}` },
    h('span', { class: 'row-state' }, statusBadge(changeLabels[change])),
    h('span', { class: 'row-name' }, bdi(name), h('span', { class: 'muted' }, ` ${kindLabel(kind)}`)),
    h(
      'span',
      { class: 'row-side' },
      change === 'changed' &&
        restarts !== undefined &&
        (restarts ? statusBadge({ text: `${pods} are replaced`, tone: 'warning' }) : 'No pods are replaced'),
    ),
    hooks !== undefined && h('span', { class: 'row-more' }, 'Hooks before it: ', bdi(hooks.join(', '))),
    fields.length > 0 && h('span', { class: 'row-more' }, fieldList(fields)),
  );
}

const fieldList = (fields: Change['fields']): VNode =>
  h(
    'ul',
    { class: 'fields' },
    fields.map(({ path, from, to }) =>
      h(
        'li',
        { key: path },
        h('code', {}, bdi(path)),
        ' ',
        from === undefined && to === undefined
          ? h('i', {}, 'changed (values hidden)')
          : [
              h('span', { class: 'from' }, h('span', { class: 'visually-hidden' }, 'was '), value(from)),
              h('span', { class: 'arrow', 'aria-hidden': 'true' }, ' → '),
              h('span', { class: 'to' }, h('span', { class: 'visually-hidden' }, ' becomes '), value(to)),
            ],
      ),
    ),
  );

const value = (found: unknown): VNodeChild =>
  found === undefined ? h('i', {}, 'none') : h('code', {}, bdi(valueText(found)));
