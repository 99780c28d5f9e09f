import { type Deployment } from '../../contract';
import { bdi, h, type VNode } from '../dom/vnode';
import { causeSummary } from '../elements/cause';
import { failureNote } from '../elements/problem-list';
import { selectField } from '../elements/select-field';
import { statusBadge } from '../elements/status-badge';
import { relativeTime } from '../elements/time-element';
import { phaseLabels } from '../format/labels';
import { formatElapsed } from '../format/time';
import { listDeployments } from '../state/inventory-lists';
import { type DeploymentFilter, formatRoute } from '../state/route';
import { type Actions, type State } from '../state/state';

/** Returns the list of deployments, newest first. */
export function deploymentsView(state: State, filter: DeploymentFilter, actions: Actions): VNode {
  const { listing, inventory } = state;
  const rows = listDeployments(inventory.deployments.items.values(), filter, listing.horizon);
  return h(
    'div',
    { class: 'view', key: 'deployments' },
    h('h1', { id: 'title', tabindex: -1 }, 'Deployments'),
    filters(state, filter, actions),
    listing.failed && failureNote(listing.failed, 'Could not load deployments'),
    rows.length > 0 && deploymentRows(rows, state.now),
    listing.next === undefined && listing.loading && h('p', { class: 'muted' }, 'Loading…'),
    rows.length === 0 && !listing.loading && !listing.failed && h('p', { class: 'muted' }, 'No deployments found.'),
    listing.next !== undefined &&
      h(
        'button',
        { type: 'button', class: 'plain', disabled: listing.loading, on: { click: actions.listMore } },
        listing.loading ? 'Loading…' : 'Show older deployments',
      ),
  );
}

function filters(state: State, filter: DeploymentFilter, actions: Actions): VNode {
  const projects = [...state.inventory.projects.items.values()];
  const deployments = [...state.inventory.deployments.items.values()].filter(
    ({ project }) => filter.project === undefined || project === filter.project,
  );
  const options = (values: readonly string[]) => [
    { value: '', text: 'All' },
    ...[...new Set(values)].sort().map((value) => ({ value, text: value })),
  ];
  const choose = (name: keyof DeploymentFilter, label: string, values: readonly string[]) =>
    selectField({
      id: `filter-${name}`,
      label,
      value: filter[name] ?? '',
      options: options(values),
      onSelect: (value) => actions.replaceRoute({ page: 'deployments', filter: { ...filter, [name]: value } }),
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
      deployments.map(({ workflow }) => workflow),
    ),
    choose(
      'stage',
      'Stage',
      deployments.map(({ stage }) => stage),
    ),
  );
}

/** Returns deployments as rows that link to each. */
export const deploymentRows = (deployments: readonly Deployment[], now: number): VNode =>
  h(
    'ul',
    { class: 'rows' },
    deployments.map((deployment) => deploymentRow(deployment, now)),
  );

function deploymentRow(deployment: Deployment, now: number): VNode {
  const { id, project, workflow, version, stage, intent, phase, requestedBy, requestedAt, endedAt, cause } = deployment;
  const { breakGlass } = deployment;
  return h(
    'li',
    { key: id },
    h('span', { class: 'row-state' }, statusBadge(phaseLabels[phase])),
    h(
      'span',
      { class: 'row-name' },
      h('a', { href: formatRoute({ page: 'deployment', id }) }, `${project}/${workflow} ${version} to ${stage}`),
      intent === 'rollBack' && h('span', { class: 'tag' }, 'Rollback'),
      breakGlass !== undefined && h('span', { class: 'tag prominent' }, 'Break-glass'),
    ),
    h(
      'span',
      { class: 'row-side muted' },
      relativeTime(requestedAt, now),
      ' by ',
      bdi(requestedBy.subject),
      endedAt !== undefined && `, took ${formatElapsed(requestedAt, endedAt)}`,
    ),
    cause !== undefined && h('span', { class: 'row-more' }, causeSummary(cause), ' ', bdi(cause.message)),
  );
}
