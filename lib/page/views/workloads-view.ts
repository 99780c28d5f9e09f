import { type WorkloadView } from '../../contract';
import { h, type VNode } from '../dom/vnode';
import { failureNote } from '../elements/problem-list';
import { selectField } from '../elements/select-field';
import { formatCount, kindLabel } from '../format/labels';
import { type WorkloadFilter } from '../state/route';
import { type Actions, type State } from '../state/state';
import { workloadsGrid } from './workloads-grid';

/** Returns the workloads with their filters. */
export function workloadsView(
  state: State,
  filter: WorkloadFilter,
  rows: readonly WorkloadView[],
  actions: Actions,
): VNode {
  const { items, complete } = state.inventory.workloads;
  const count =
    items.size === rows.length
      ? formatCount(items.size, 'workload')
      : `${rows.length} of ${formatCount(items.size, 'workload')}`;
  return h(
    'div',
    { class: 'view workloads', key: 'workloads' },
    h(
      'div',
      { class: 'list-head' },
      h('h1', { id: 'title', tabindex: -1 }, 'Workloads'),
      h('p', { class: 'muted', id: 'workload-count' }, count, !complete && ', loading…'),
    ),
    state.failed && failureNote(state.failed, 'Could not load workloads'),
    filters(state, filter, actions),
    rows.length === 0 && complete
      ? h('p', { class: 'note', key: 'none' }, 'No workloads match these filters.')
      : workloadsGrid(state, rows, actions),
  );
}

const kindsCache = new WeakMap<ReadonlyMap<string, WorkloadView>, readonly string[]>();

/** Returns the existing kinds; computed once per inventory, not on every scroll. */
function kindsOf(items: ReadonlyMap<string, WorkloadView>): readonly string[] {
  const known = kindsCache.get(items) ?? [...new Set(Array.from(items.values(), ({ kind }) => kind))];
  kindsCache.set(items, known);
  return known;
}

function filters(state: State, filter: WorkloadFilter, actions: Actions): VNode {
  const projects = [...state.inventory.projects.items.values()];
  const options = (values: readonly string[], format = (value: string) => value) =>
    [...new Set(values)].sort().map((value) => ({ value, text: format(value) }));
  const set = (change: WorkloadFilter): void =>
    actions.replaceRoute({ page: 'workloads', filter: { ...filter, ...change } });
  const choose = (name: 'project' | 'target' | 'kind', label: string, choices: ReturnType<typeof options>) =>
    selectField({
      id: `filter-${name}`,
      label,
      value: filter[name] ?? '',
      options: [{ value: '', text: 'All' }, ...choices],
      onSelect: (value) => set({ [name]: value }),
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
        placeholder: 'Name, cause, artifact… (press /)',
        on: { input: (text) => set({ text }) },
      }),
    ),
    choose('project', 'Project', options(projects.map(({ name }) => name))),
    choose('target', 'Cluster', options(projects.map(({ target }) => target))),
    choose('kind', 'Kind', options(kindsOf(state.inventory.workloads.items), kindLabel)),
    h(
      'label',
      { class: 'checkbox' },
      h('input', {
        type: 'checkbox',
        checked: filter.notReady === true,
        on: { toggle: (notReady) => set({ notReady }) },
      }),
      'Not ready only',
    ),
  );
}
