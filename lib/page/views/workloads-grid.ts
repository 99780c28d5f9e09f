import { type WorkloadView } from '../../contract';
import { bdi, h, type KeyPress, type Viewport, type VNode, type VNodeChild } from '../dom/vnode';
import { causeSummary } from '../elements/cause';
import { statusBadge } from '../elements/status-badge';
import { relativeTime } from '../elements/time-element';
import { rowAfterKey, rowSlot, visibleRange } from '../elements/virtual-list';
import { kindLabel, workloadLabel } from '../format/labels';
import { workloadKey } from '../state/inventory';
import { listIndexOf } from '../state/inventory-lists';
import { formatRoute } from '../state/route';
import { type Actions, type State } from '../state/state';

const columns = ['Status', 'Workload', 'Project and cluster', 'Progress', 'Cause and owner', 'Artifact', 'Since'];
/** Rows rendered before the browser reports its viewport. */
const defaultViewport: Viewport = { top: 0, height: 900, row: 40 };

/** Returns a grid of workloads that renders only the rows in view. */
export function workloadsGrid(state: State, rows: readonly WorkloadView[], actions: Actions): VNode {
  const viewport = state.viewport ?? defaultViewport;
  const { first, end } = visibleRange(viewport, rows.length);
  const active = listIndexOf(rows, state.active);
  const indexes = Array.from({ length: end - first }, (_, index) => first + index);
  // Elements keep their order in the document, because moving one costs as much as creating it; aria-owns holds the row order.
  const slots = indexes.map((index): Slot => ({ index, slot: rowSlot(index, viewport) }));
  slots.sort((one, other) => one.slot - other.slot);
  // The active row is always rendered, or a screen reader would lose it when the list is scrolled away from it.
  if (active !== undefined && (active < first || active >= end)) {
    slots.push({ index: active, slot: -1 });
    indexes.splice(active < first ? 0 : indexes.length, 0, active);
  }
  return h(
    'div',
    {
      key: 'grid',
      id: 'rows',
      class: 'grid',
      role: 'grid',
      tabindex: 0,
      'aria-label': 'Workloads',
      'aria-rowcount': rows.length + 1,
      'aria-colcount': columns.length,
      'aria-activedescendant': active === undefined ? undefined : `row-${active}`,
      on: { viewport: actions.setViewport, keydown: (press) => handleKeyPress(press, rows, active, viewport, actions) },
    },
    h(
      'div',
      { class: 'grid-head', role: 'row', 'aria-rowindex': 1, key: 'head' },
      columns.map((column) => h('div', { role: 'columnheader' }, column)),
    ),
    h(
      'div',
      {
        class: 'grid-body',
        role: 'rowgroup',
        key: 'body',
        'aria-owns': indexes.map((index) => `row-${index}`).join(' '),
        style: { height: `${rows.length * viewport.row}px` },
      },
      slots.map(({ index, slot }) => {
        const workload = rows[index];
        return workload && memoizedRow(workload, slot, index, index === active, viewport.row, state.now, actions);
      }),
    ),
  );
}

function handleKeyPress(
  press: KeyPress,
  rows: readonly WorkloadView[],
  active: number | undefined,
  viewport: Viewport,
  actions: Actions,
): void {
  if (press.modified) return;
  const activeWorkload = active === undefined ? undefined : rows[active];
  if (press.key === 'Enter' && activeWorkload) {
    press.prevent();
    actions.navigate({
      page: 'workload',
      project: activeWorkload.project,
      target: activeWorkload.target,
      kind: activeWorkload.kind,
      name: activeWorkload.name,
    });
    return;
  }
  const index = rowAfterKey(press.key, active, viewport, rows.length);
  const workload = index === undefined ? undefined : rows[index];
  if (index === undefined || !workload) return;
  press.prevent();
  actions.setActiveRow(workloadKey(workload), index);
}

/** Reused element and the row that it shows. */
interface Slot {
  readonly index: number;
  readonly slot: number;
}

interface MemoizedRow {
  readonly inputs: readonly unknown[];
  readonly row: VNode;
}

const rowCache = new WeakMap<WorkloadView, MemoizedRow>();

/** Returns the previous virtual node of an unchanged row, which the patcher then skips. */
function memoizedRow(workload: WorkloadView, ...rest: RowInputs): VNode {
  const known = rowCache.get(workload);
  if (known && known.inputs.every((part, index) => part === rest[index])) return known.row;
  const row = gridRow(workload, ...rest);
  rowCache.set(workload, { inputs: rest, row });
  return row;
}

type RowInputs = readonly [
  slot: number,
  index: number,
  isActive: boolean,
  height: number,
  now: number,
  actions: Actions,
];

function gridRow(workload: WorkloadView, ...[slot, index, isActive, height, now, actions]: RowInputs): VNode {
  const { project, target, kind, name, progress, cause, artifact, since } = workload;
  const cell = (className: string, ...children: readonly VNodeChild[]): VNode =>
    h('div', { role: 'gridcell', class: className }, children);
  return h(
    'div',
    {
      key: `slot ${slot}`,
      id: `row-${index}`,
      role: 'row',
      class: isActive ? 'grid-row active' : 'grid-row',
      'aria-rowindex': index + 2,
      'aria-selected': isActive ? 'true' : 'false',
      style: { transform: `translateY(${index * height}px)` },
      on: { click: () => actions.setActiveRow(workloadKey(workload), index) },
    },
    cell('c-state', statusBadge(workloadLabel(workload))),
    cell(
      'c-name',
      h('a', { href: formatRoute({ page: 'workload', project, target, kind, name }), tabindex: -1 }, bdi(name)),
      h('span', { class: 'muted' }, ` ${kindLabel(kind)}`),
    ),
    cell('c-project', `${project} on ${target}`),
    cell('c-progress', progress !== undefined && bdi(progress)),
    cell('c-cause', cause !== undefined && [causeSummary(cause), ' ', bdi(cause.message)]),
    cell('c-artifact', artifact),
    cell('c-since', since !== undefined && relativeTime(since, now)),
  );
}
