import { type WorkloadView } from '../contract';
import { causeInShort } from './cause-line';
import { type ElementChild, type Described, h, type KeyPress, type Viewport, written } from './element';
import { workloadKey } from './inventory';
import { mark } from './mark';
import { failedNote } from './problem-list';
import { formatRoute, type WorkloadFilter } from './route';
import { select } from './select';
import { type Actions, type State } from './state';
import { ago } from './time-element';
import { rowAfterKey, slotOf, windowOf } from './window-rows';
import { count, shortKind, workloadWord } from './words';
import { listIndexOf } from './workload-list';

const columns = ['State', 'Workload', 'Project and cluster', 'Progress', 'Cause and owner', 'Artifact', 'Since'];
/** Rows rendered before the browser reports its viewport. */
const unseen: Viewport = { top: 0, height: 900, row: 40 };

/** All workloads as a list of which only the rows that show are made. */
export function workloadsView(
  state: State,
  filter: WorkloadFilter,
  rows: readonly WorkloadView[],
  actions: Actions,
): Described {
  const { items, complete } = state.inventory.workloads;
  const known =
    items.size === rows.length ? count(items.size, 'workload') : `${rows.length} of ${count(items.size, 'workload')}`;
  return h(
    'div',
    { class: 'view workloads', key: 'workloads' },
    h(
      'div',
      { class: 'list-head' },
      h('h1', { id: 'title', tabindex: -1 }, 'Workloads'),
      h('p', { class: 'quiet', id: 'known' }, known, !complete && ', loading…'),
    ),
    state.failed && failedNote(state.failed, 'Workloads could not be listed'),
    filters(state, filter, actions),
    rows.length === 0 && complete
      ? h('p', { class: 'note', key: 'none' }, 'No workload fits these filters.')
      : grid(state, rows, actions),
  );
}

const kinds = new WeakMap<ReadonlyMap<string, WorkloadView>, readonly string[]>();

/** Kinds that there are; looked for once in each state of the inventory, and not with every scroll. */
function kindsOf(items: ReadonlyMap<string, WorkloadView>): readonly string[] {
  const known = kinds.get(items) ?? [...new Set(Array.from(items.values(), ({ kind }) => kind))];
  kinds.set(items, known);
  return known;
}

function filters(state: State, filter: WorkloadFilter, actions: Actions): Described {
  const projects = [...state.inventory.projects.items.values()];
  const options = (values: readonly string[], words = (value: string) => value) =>
    [...new Set(values)].sort().map((value) => ({ value, text: words(value) }));
  const set = (change: WorkloadFilter): void => actions.revise({ page: 'workloads', filter: { ...filter, ...change } });
  const choose = (name: 'project' | 'target' | 'kind', label: string, offered: ReturnType<typeof options>) =>
    select({
      id: `filter-${name}`,
      label,
      value: filter[name] ?? '',
      options: [{ value: '', text: 'All' }, ...offered],
      choose: (value) => set({ [name]: value }),
    });
  return h(
    'form',
    { class: 'filters', role: 'search', 'aria-label': 'Workloads', on: { submit: () => actions.focus('rows') } },
    h(
      'div',
      { class: 'field grow' },
      h('label', { for: 'search' }, 'Search'),
      h('input', {
        id: 'search',
        type: 'search',
        value: filter.text ?? '',
        autocomplete: 'off',
        spellcheck: 'false',
        placeholder: 'Name, cause, artifact…  ( / )',
        on: { input: (text) => set({ text }) },
      }),
    ),
    choose('project', 'Project', options(projects.map(({ name }) => name))),
    choose('target', 'Cluster', options(projects.map(({ target }) => target))),
    choose('kind', 'Kind', options(kindsOf(state.inventory.workloads.items), shortKind)),
    h(
      'label',
      { class: 'tick' },
      h('input', {
        type: 'checkbox',
        checked: filter.notReady === true,
        on: { tick: (notReady) => set({ notReady }) },
      }),
      'Not ready only',
    ),
  );
}

function grid(state: State, rows: readonly WorkloadView[], actions: Actions): Described {
  const viewport = state.viewport ?? unseen;
  const { first, end } = windowOf(viewport, rows.length);
  const active = listIndexOf(rows, state.active);
  const places = Array.from({ length: end - first }, (_, index) => first + index);
  // Elements stay where they are in the document: to move them costs as much as to make them. Their order is in aria-owns.
  const slots = places.map((place): Slot => ({ place, slot: slotOf(place, viewport) }));
  slots.sort((one, other) => one.slot - other.slot);
  // The active row is always made, or a screen reader would lose it when the list is scrolled away from it.
  if (active !== undefined && (active < first || active >= end)) {
    slots.push({ place: active, slot: -1 });
    places.splice(active < first ? 0 : places.length, 0, active);
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
      on: { viewport: actions.seeRows, press: (press) => pressOnRows(press, rows, active, viewport, actions) },
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
        'aria-owns': places.map((place) => `row-${place}`).join(' '),
        style: { height: `${rows.length * viewport.row}px` },
      },
      slots.map(({ place, slot }) => {
        const workload = rows[place];
        return workload && rememberedRow(workload, slot, place, place === active, viewport.row, state.now, actions);
      }),
    ),
  );
}

function pressOnRows(
  press: KeyPress,
  rows: readonly WorkloadView[],
  active: number | undefined,
  viewport: Viewport,
  actions: Actions,
): void {
  if (press.modified) return;
  const at = active === undefined ? undefined : rows[active];
  if (press.key === 'Enter' && at) {
    press.prevent();
    actions.open({ page: 'workload', project: at.project, target: at.target, kind: at.kind, name: at.name });
    return;
  }
  const place = rowAfterKey(press.key, active, viewport, rows.length);
  const workload = place === undefined ? undefined : rows[place];
  if (place === undefined || !workload) return;
  press.prevent();
  actions.activate(workloadKey(workload), place);
}

/** An element of those that are kept, and the row that it stands for. */
interface Slot {
  readonly place: number;
  readonly slot: number;
}

interface MadeRow {
  readonly of: readonly unknown[];
  readonly row: Described;
}

const made = new WeakMap<WorkloadView, MadeRow>();

/** The same row as before where nothing of it has changed, which is then not even compared. */
function rememberedRow(workload: WorkloadView, ...rest: RowParts): Described {
  const known = made.get(workload);
  if (known && known.of.every((part, index) => part === rest[index])) return known.row;
  const row = gridRow(workload, ...rest);
  made.set(workload, { of: rest, row });
  return row;
}

type RowParts = readonly [
  slot: number,
  place: number,
  isActive: boolean,
  height: number,
  now: number,
  actions: Actions,
];

function gridRow(workload: WorkloadView, ...[slot, place, isActive, height, now, actions]: RowParts): Described {
  const { project, target, kind, name, progress, cause, artifact, since } = workload;
  const cell = (className: string, ...children: readonly ElementChild[]): Described =>
    h('div', { role: 'gridcell', class: className }, children);
  return h(
    'div',
    {
      key: `slot ${slot}`,
      id: `row-${place}`,
      role: 'row',
      class: isActive ? 'grid-row active' : 'grid-row',
      'aria-rowindex': place + 2,
      'aria-selected': isActive ? 'true' : 'false',
      style: { transform: `translateY(${place * height}px)` },
      on: { click: () => actions.activate(workloadKey(workload), place) },
    },
    cell('c-state', mark(workloadWord(workload))),
    cell(
      'c-name',
      h('a', { href: formatRoute({ page: 'workload', project, target, kind, name }), tabindex: -1 }, written(name)),
      h('span', { class: 'quiet' }, ` ${shortKind(kind)}`),
    ),
    cell('c-place', `${project} on ${target}`),
    cell('c-progress', progress !== undefined && written(progress)),
    cell('c-cause', cause !== undefined && [causeInShort(cause), ' ', written(cause.message)]),
    cell('c-artifact', artifact),
    cell('c-since', since !== undefined && ago(since, now)),
  );
}
