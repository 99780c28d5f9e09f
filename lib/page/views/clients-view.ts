import { type ProjectClientsView } from '../../contract';
import { bdi, h, type VNode, type VNodeChild } from '../dom/vnode';
import { failureNote } from '../elements/problem-list';
import { statusBadge } from '../elements/status-badge';
import { calendarDate } from '../elements/time-element';
import { quotaLevelLabels } from '../format/labels';
import { readableQuantity } from '../format/quantity';
import { type State } from '../state/state';

type Client = ProjectClientsView['clients'][number];

/** Maximum clients that are listed. */
const maxListed = 200;
/** Growth from which it is shown in words. */
const notableGrowth = 0.1;

/** Returns the clients of the API server: who, what it costs, who is on call, and what to do. */
export function clientsView({ clients }: State): VNode {
  return h(
    'div',
    { class: 'view', key: 'clients' },
    h('h1', { id: 'title', tabindex: -1 }, 'Clients of the API server'),
    clients?.status === 'failed' && failureNote(clients.failed, 'Could not load clients'),
    (clients === undefined || clients.status === 'loading') && h('p', { class: 'muted' }, 'Loading…'),
    clients?.status === 'loaded' && clientTables(clients.value),
  );
}

function clientTables(projects: readonly ProjectClientsView[]): VNodeChild {
  if (projects.length === 0) return h('p', { class: 'muted' }, 'No clients recorded.');
  const listed = projects
    .flatMap((project) => project.clients.map((client) => ({ project, client })))
    .sort((a, b) => b.client.seatSeconds - a.client.seatSeconds || b.client.requests - a.client.requests);
  return [
    violationList(projects),
    h('p', { class: 'muted' }, 'Daily averages of the last week, and the growth since the week before.'),
    h(
      'div',
      { class: 'wide', key: 'table', role: 'region', tabindex: 0, 'aria-label': 'Clients' },
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            heads.map((text) => h('th', { scope: 'col' }, text)),
          ),
        ),
        h(
          'tbody',
          {},
          listed.slice(0, maxListed).map(({ project, client }) => clientRow(project, client)),
        ),
      ),
    ),
    listed.length > maxListed && h('p', { class: 'muted' }, `${maxListed} of ${listed.length} clients are shown.`),
    budgetList(projects),
  ];
}

const heads = ['Client', 'Project', 'On call', 'Mostly', 'Requests', 'Errors', 'Cost in seat-seconds', 'Bytes'];

function clientRow({ project, target, onCall }: ProjectClientsView, client: Client): VNode {
  const { account, program, mostly, requests, errors, bytes, seatSeconds, requestGrowth, costGrowth } = client;
  return h(
    'tr',
    { key: [target, project, account, program].join(' ') },
    h('th', { scope: 'row' }, bdi(program), h('span', { class: 'muted' }, ' ', bdi(account))),
    h('td', {}, project === '' ? '–' : bdi(project), ` on ${target}`),
    h('td', {}, onCall === undefined ? '–' : bdi(onCall)),
    h('td', {}, bdi(mostly)),
    h('td', {}, amount(requests), growth(requestGrowth)),
    h('td', {}, amount(errors)),
    h('td', {}, amount(seatSeconds), growth(costGrowth)),
    h('td', {}, bytes === 0 ? '–' : readableQuantity(String(Math.round(bytes)), 'storage')),
  );
}

const amount = (value: number): string => readableQuantity(String(Math.round(value * 100) / 100), 'requests');

const growth = (value: number | undefined): VNodeChild =>
  value !== undefined &&
  Math.abs(value) >= notableGrowth &&
  h('span', { class: 'muted' }, ` ${value > 0 ? '+' : '−'}${Math.round(Math.abs(value) * 100)} %`);

function violationList(projects: readonly ProjectClientsView[]): VNodeChild {
  const violations = projects.flatMap(({ project, target, violations: found }) =>
    found.map((violation) => ({ ...violation, project, target })),
  );
  if (violations.length === 0) return h('p', { class: 'muted', key: 'practices' }, 'No client violates a practice.');
  return h(
    'section',
    { 'aria-labelledby': 'practices', key: 'practices' },
    h('h2', { id: 'practices' }, 'Practices'),
    h(
      'ul',
      { class: 'rows' },
      violations.map(({ practice, account, program, message, project, target }, index) =>
        h(
          'li',
          { key: [target, project, practice, account, program, index].join(' ') },
          h('span', { class: 'row-state' }, statusBadge({ text: practice, tone: 'warning' })),
          h('span', { class: 'row-name' }, bdi(program), h('span', { class: 'muted' }, ` on ${target}`)),
          h('span', { class: 'row-more' }, bdi(message)),
        ),
      ),
    ),
  );
}

function budgetList(projects: readonly ProjectClientsView[]): VNodeChild {
  const budgets = projects.flatMap(({ project, target, budget }) =>
    budget.filter(({ level }) => level !== 'ok').map((one) => ({ ...one, project, target })),
  );
  return (
    budgets.length > 0 &&
    h(
      'section',
      { 'aria-labelledby': 'budgets', key: 'budgets' },
      h('h2', { id: 'budgets' }, 'API budgets'),
      h(
        'ul',
        { class: 'rows' },
        budgets.map(({ project, target, field, used, limit, level, fullOn }) =>
          h(
            'li',
            { key: [target, project, field].join(' ') },
            h('span', { class: 'row-state' }, statusBadge(quotaLevelLabels[level])),
            h('span', { class: 'row-name' }, bdi(project), h('span', { class: 'muted' }, ` ${field} on ${target}`)),
            h(
              'span',
              { class: 'row-side muted' },
              `${used} of ${limit}`,
              fullOn !== undefined && [', reached on ', calendarDate(fullOn)],
            ),
          ),
        ),
      ),
    )
  );
}
