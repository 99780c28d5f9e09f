import { type Deployment, type ProjectView, type WorkloadView } from '../contract';
import { causeInShort } from './cause-line';
import { deploymentRows } from './deployments-view';
import { type ElementChild, type Described, h, written } from './element';
import { workloadKey } from './inventory';
import { mark } from './mark';
import { outsideLinks } from './outside-link';
import { quotaBars } from './quota-bars';
import { formatRoute } from './route';
import { type State } from './state';
import { ago } from './time-element';
import { type Trouble, troublesOf } from './troubles';
import { count, isLastPhase, shortKind, workloadWord } from './words';
import { listDeployments } from './workload-list';

/** Workloads listed one by one; more are grouped by cause. */
const maxListed = 12;
/** Workloads that are named with a cause which many have. */
const fewNames = 3;

/** Projects with their quota; before them what is not ready and what is under way. */
export function overviewView(state: State, rows: readonly WorkloadView[]): Described {
  const { projects, workloads, deployments } = state.inventory;
  const underWay = listDeployments(deployments.items.values(), {}).filter(({ phase }) => !isLastPhase(phase));
  return h(
    'div',
    { class: 'view overview', key: 'overview' },
    h('h1', { id: 'title', tabindex: -1 }, 'Overview'),
    troubled(state, rows, workloads.complete),
    underWay.length > 0 && underWayNow(underWay, state.now),
    projectsByCluster([...projects.items.values()], projects.complete),
  );
}

function troubled(state: State, rows: readonly WorkloadView[], isComplete: boolean): Described {
  const notReady = rows.filter(({ ready }) => !ready);
  const all = formatRoute({ page: 'workloads', filter: { notReady: true } });
  return h(
    'section',
    { 'aria-labelledby': 'not-ready', class: 'troubled', key: 'troubled' },
    h('h2', { id: 'not-ready' }, 'Not ready'),
    notReady.length === 0
      ? h('p', { class: 'quiet' }, isComplete ? allReady(rows.length) : 'Loading…')
      : h(
          'ul',
          { class: 'rows' },
          notReady.length > maxListed
            ? troublesOf(notReady).map(troubleRow)
            : notReady.map((workload) => troubledRow(workload, state.now)),
        ),
    notReady.length > maxListed && h('p', {}, h('a', { href: all }, `All ${notReady.length} that are not ready`)),
  );
}

const allReady = (workloads: number): string =>
  workloads === 0
    ? 'There are no workloads yet.'
    : workloads === 1
      ? 'The one workload is ready.'
      : `All ${count(workloads, 'workload')} are ready.`;

/** Groups workloads that fail for the same reason in one row. */
function troubleRow({ cause, workloads }: Trouble): Described {
  const text = cause ? `${cause.owner} ${cause.reason}` : 'no reason';
  const list = formatRoute({ page: 'workloads', filter: { ...(cause && { text }), notReady: true } });
  return h(
    'li',
    { key: text },
    h('span', { class: 'row-state' }, mark({ text: count(workloads.length, 'workload'), mood: 'bad' })),
    h('span', { class: 'row-name' }, cause ? causeInShort(cause) : 'No cause is known yet'),
    h('span', { class: 'row-side' }, h('a', { href: list, 'aria-label': `Show those: ${text}` }, 'Show those')),
    h(
      'span',
      { class: 'row-more' },
      cause !== undefined && [written(cause.message), ' '],
      h('span', { class: 'quiet' }, 'Among them ', namesOf(workloads.slice(0, fewNames))),
    ),
  );
}

const namesOf = (workloads: readonly WorkloadView[]): ElementChild =>
  workloads.map(({ project, target, kind, name }, place) => [
    place > 0 && ', ',
    h('a', { href: formatRoute({ page: 'workload', project, target, kind, name }) }, written(name)),
    ` in ${project} on ${target}`,
  ]);

function troubledRow(workload: WorkloadView, now: number): Described {
  const { project, target, kind, name, progress, cause, since } = workload;
  return h(
    'li',
    { key: workloadKey(workload) },
    h('span', { class: 'row-state' }, mark(workloadWord(workload))),
    h(
      'span',
      { class: 'row-name' },
      h('a', { href: formatRoute({ page: 'workload', project, target, kind, name }) }, written(name)),
      h('span', { class: 'quiet' }, ` ${shortKind(kind)} in ${project} on ${target}`),
    ),
    h(
      'span',
      { class: 'row-side quiet' },
      progress !== undefined && [written(progress), since !== undefined && ', '],
      since !== undefined && ago(since, now),
    ),
    cause !== undefined && h('span', { class: 'row-more' }, causeInShort(cause), ' ', written(cause.message)),
  );
}

const underWayNow = (deployments: readonly Deployment[], now: number): Described =>
  h(
    'section',
    { 'aria-labelledby': 'under-way', key: 'under-way' },
    h('h2', { id: 'under-way' }, 'Under way'),
    deploymentRows(deployments, now),
  );

function projectsByCluster(projects: readonly ProjectView[], isComplete: boolean): ElementChild {
  const clusters = [...new Set(projects.map(({ target }) => target))].sort();
  if (clusters.length === 0)
    return h('p', { class: 'quiet' }, isComplete ? 'You are a member of no project yet.' : 'Loading projects…');
  return clusters.map((target, place) =>
    h(
      'section',
      { key: `cluster ${target}`, 'aria-labelledby': `cluster-${place}` },
      h('h2', { id: `cluster-${place}` }, 'Projects on ', written(target)),
      h(
        'div',
        { class: 'projects' },
        projects
          .filter((project) => project.target === target)
          .sort((one, other) => (one.name < other.name ? -1 : 1))
          .map(projectCard),
      ),
    ),
  );
}

const roleWords = { view: 'you may look', edit: 'you may deploy', admin: 'you may deploy and approve' } as const;

function projectCard({ name, target, team, onCall, links, role, quota, workloads, notReady }: ProjectView): Described {
  const list = (filter: { readonly notReady?: boolean }): string =>
    formatRoute({ page: 'workloads', filter: { project: name, target, ...filter } });
  return h(
    'article',
    { key: name, class: 'project' },
    h('h3', {}, written(name)),
    h(
      'p',
      { class: 'quiet' },
      written(team),
      onCall !== undefined && [', on call: ', written(onCall)],
      `; ${roleWords[role]}`,
    ),
    h(
      'p',
      { class: 'ways' },
      h('a', { href: list({}) }, count(workloads, 'workload')),
      notReady > 0 && h('a', { class: 'alarming', href: list({ notReady: true }) }, `${notReady} not ready`),
      h('a', { href: formatRoute({ page: 'deployments', filter: { project: name } }) }, 'Deployments'),
      role !== 'view' && h('a', { href: formatRoute({ page: 'deploy', choice: { project: name } }) }, 'Deploy'),
    ),
    quotaBars(quota),
    outsideLinks(links),
  );
}
