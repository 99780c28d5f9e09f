import { type Deployment } from '../contract';
import { causeInShort } from './cause-line';
import { type Described, h, written } from './element';
import { mark } from './mark';
import { failedNote } from './problem-list';
import { type DeploymentFilter, formatRoute } from './route';
import { select } from './select';
import { type Actions, type State } from './state';
import { ago } from './time-element';
import { elapsedText } from './moment';
import { phaseWords } from './words';
import { listDeployments } from './workload-list';

/** Deployments, the newest first. */
export function deploymentsView(state: State, filter: DeploymentFilter, actions: Actions): Described {
  const { listing, inventory } = state;
  const rows = listDeployments(inventory.deployments.items.values(), filter, listing.horizon);
  return h(
    'div',
    { class: 'view', key: 'deployments' },
    h('h1', { id: 'title', tabindex: -1 }, 'Deployments'),
    filters(state, filter, actions),
    listing.failed && failedNote(listing.failed, 'Deployments could not be listed'),
    rows.length > 0 && deploymentRows(rows, state.now),
    listing.next === undefined && listing.loading && h('p', { class: 'quiet' }, 'Loading…'),
    rows.length === 0 &&
      !listing.loading &&
      !listing.failed &&
      h('p', { class: 'quiet' }, 'Nothing was deployed here yet.'),
    listing.next !== undefined &&
      h(
        'button',
        { type: 'button', class: 'plain', disabled: listing.loading, on: { click: actions.listMore } },
        listing.loading ? 'Loading…' : 'Show older ones',
      ),
  );
}

function filters(state: State, filter: DeploymentFilter, actions: Actions): Described {
  const projects = [...state.inventory.projects.items.values()];
  const known = [...state.inventory.deployments.items.values()].filter(
    ({ project }) => filter.project === undefined || project === filter.project,
  );
  const options = (values: readonly string[]) => [
    { value: '', text: 'All' },
    ...[...new Set(values)].sort().map((value) => ({ value, text: value })),
  ];
  const choose = (name: keyof DeploymentFilter, label: string, values: readonly string[]) =>
    select({
      id: `filter-${name}`,
      label,
      value: filter[name] ?? '',
      options: options(values),
      choose: (value) => actions.revise({ page: 'deployments', filter: { ...filter, [name]: value } }),
    });
  return h(
    'form',
    { class: 'filters', role: 'search', 'aria-label': 'Deployments', on: { submit: () => undefined } },
    choose(
      'project',
      'Project',
      projects.map(({ name }) => name),
    ),
    choose(
      'workflow',
      'Workflow',
      known.map(({ workflow }) => workflow),
    ),
    choose(
      'stage',
      'Stage',
      known.map(({ stage }) => stage),
    ),
  );
}

/** Deployments as rows that lead to each. */
export const deploymentRows = (deployments: readonly Deployment[], now: number): Described =>
  h(
    'ul',
    { class: 'rows' },
    deployments.map((deployment) => deploymentRow(deployment, now)),
  );

function deploymentRow(deployment: Deployment, now: number): Described {
  const { id, project, workflow, version, stage, intent, phase, requestedBy, requestedAt, endedAt, cause } = deployment;
  const { breakGlass } = deployment;
  return h(
    'li',
    { key: id },
    h('span', { class: 'row-state' }, mark(phaseWords[phase])),
    h(
      'span',
      { class: 'row-name' },
      h('a', { href: formatRoute({ page: 'deployment', id }) }, `${project}/${workflow} ${version} to ${stage}`),
      intent === 'rollBack' && h('span', { class: 'tag' }, 'roll back'),
      breakGlass !== undefined && h('span', { class: 'tag loud' }, 'Break-glass'),
    ),
    h(
      'span',
      { class: 'row-side quiet' },
      ago(requestedAt, now),
      ' by ',
      written(requestedBy.subject),
      endedAt !== undefined && `, took ${elapsedText(requestedAt, endedAt)}`,
    ),
    cause !== undefined && h('span', { class: 'row-more' }, causeInShort(cause), ' ', written(cause.message)),
  );
}
