import { allowsDeploying, type Deployment, type ProjectView, type WorkloadView } from '../../contract';
import { bdi, h, type VNode, type VNodeChild } from '../dom/vnode';
import { causeSummary } from '../elements/cause';
import { externalLinks } from '../elements/external-link';
import { quotaBars } from '../elements/quota-bars';
import { statusBadge } from '../elements/status-badge';
import { relativeTime } from '../elements/time-element';
import { formatCount, isFinalPhase, kindLabel, workloadLabel } from '../format/labels';
import { workloadKey } from '../state/inventory';
import { type CauseGroup, groupByCause, listDeployments } from '../state/inventory-lists';
import { formatRoute } from '../state/route';
import { type State } from '../state/state';
import { deploymentRows } from './deployments-view';
import { rolloutNotes } from './rollout-notes';

/** Maximum number of workloads listed individually; more are grouped by cause. */
const maxListed = 12;
/** Maximum number of workloads named per cause. */
const maxNamesPerCause = 3;

/** Returns the overview: rollouts that are open or failed, workloads that are not ready, deployments in progress, and projects with their quota. */
export function overviewView(state: State, rows: readonly WorkloadView[]): VNode {
  const { projects, workloads, deployments } = state.inventory;
  const inProgress = listDeployments(deployments.items.values(), {}).filter(({ phase }) => !isFinalPhase(phase));
  return h(
    'div',
    { class: 'view overview', key: 'overview' },
    h('h1', { id: 'title', tabindex: -1 }, 'Overview'),
    rolloutNotes(state.rollouts),
    notReadySection(state, rows, workloads.complete),
    inProgress.length > 0 && inProgressSection(inProgress, state.now),
    projectsByCluster([...projects.items.values()], projects.complete),
  );
}

function notReadySection(state: State, rows: readonly WorkloadView[], isComplete: boolean): VNode {
  const notReady = rows.filter(({ ready }) => !ready);
  const all = formatRoute({ page: 'workloads', filter: { notReady: true } });
  return h(
    'section',
    { 'aria-labelledby': 'not-ready', class: 'not-ready', key: 'not-ready' },
    h('h2', { id: 'not-ready' }, 'Not ready'),
    notReady.length === 0
      ? h('p', { class: 'muted' }, isComplete ? allReady(rows.length) : 'Loading…')
      : h(
          'ul',
          { class: 'rows' },
          notReady.length > maxListed
            ? groupByCause(notReady).map(causeGroupRow)
            : notReady.map((workload) => notReadyRow(workload, state.now)),
        ),
    notReady.length > maxListed &&
      h('p', {}, h('a', { href: all }, `Show all ${notReady.length} workloads that are not ready`)),
  );
}

const allReady = (workloads: number): string =>
  workloads === 0
    ? 'No workloads yet.'
    : workloads === 1
      ? '1 workload is ready.'
      : `All ${formatCount(workloads, 'workload')} are ready.`;

/** Returns one row for the workloads that fail for the same reason. */
function causeGroupRow({ cause, workloads }: CauseGroup): VNode {
  const text = cause ? `${cause.owner} ${cause.reason}` : 'unknown cause';
  const list = formatRoute({ page: 'workloads', filter: { ...(cause && { text }), notReady: true } });
  return h(
    'li',
    { key: text },
    h('span', { class: 'row-state' }, statusBadge({ text: formatCount(workloads.length, 'workload'), tone: 'error' })),
    h('span', { class: 'row-name' }, cause ? causeSummary(cause) : 'Unknown cause'),
    h('span', { class: 'row-side' }, h('a', { href: list, 'aria-label': `Show workloads: ${text}` }, 'Show workloads')),
    h(
      'span',
      { class: 'row-more' },
      cause !== undefined && [bdi(cause.message), ' '],
      h('span', { class: 'muted' }, 'Including ', namesOf(workloads.slice(0, maxNamesPerCause))),
    ),
  );
}

const namesOf = (workloads: readonly WorkloadView[]): VNodeChild =>
  workloads.map(({ project, target, kind, name }, index) => [
    index > 0 && ', ',
    h('a', { href: formatRoute({ page: 'workload', project, target, kind, name }) }, bdi(name)),
    ` in ${project} on ${target}`,
  ]);

function notReadyRow(workload: WorkloadView, now: number): VNode {
  const { project, target, kind, name, progress, cause, since } = workload;
  return h(
    'li',
    { key: workloadKey(workload) },
    h('span', { class: 'row-state' }, statusBadge(workloadLabel(workload))),
    h(
      'span',
      { class: 'row-name' },
      h('a', { href: formatRoute({ page: 'workload', project, target, kind, name }) }, bdi(name)),
      h('span', { class: 'muted' }, ` ${kindLabel(kind)} in ${project} on ${target}`),
    ),
    h(
      'span',
      { class: 'row-side muted' },
      progress !== undefined && [bdi(progress), since !== undefined && ', '],
      since !== undefined && relativeTime(since, now),
    ),
    cause !== undefined && h('span', { class: 'row-more' }, causeSummary(cause), ' ', bdi(cause.message)),
  );
}

const inProgressSection = (deployments: readonly Deployment[], now: number): VNode =>
  h(
    'section',
    { 'aria-labelledby': 'in-progress', key: 'in-progress' },
    h('h2', { id: 'in-progress' }, 'In progress'),
    deploymentRows(deployments, now),
  );

function projectsByCluster(projects: readonly ProjectView[], isComplete: boolean): VNodeChild {
  const clusters = [...new Set(projects.map(({ target }) => target))].sort();
  if (clusters.length === 0)
    return h('p', { class: 'muted' }, isComplete ? 'You are not a member of any project.' : 'Loading projects…');
  return clusters.map((target, index) =>
    h(
      'section',
      { key: `cluster ${target}`, 'aria-labelledby': `cluster-${index}` },
      h('h2', { id: `cluster-${index}` }, 'Projects on ', bdi(target)),
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

const roleLabels = {
  view: 'you can view',
  deploy: 'you can deploy',
  operate: 'you can scale and restart',
  edit: 'you can deploy',
  admin: 'you can deploy and approve',
} as const;

function projectCard({ name, target, team, onCall, links, role, quota, workloads, notReady }: ProjectView): VNode {
  const list = (filter: { readonly notReady?: boolean }): string =>
    formatRoute({ page: 'workloads', filter: { project: name, target, ...filter } });
  return h(
    'article',
    { key: name, class: 'project' },
    h('h3', {}, bdi(name)),
    h(
      'p',
      { class: 'muted' },
      bdi(team),
      onCall !== undefined && [', on call: ', bdi(onCall)],
      `; ${roleLabels[role]}`,
    ),
    h(
      'p',
      { class: 'project-links' },
      h('a', { href: list({}) }, formatCount(workloads, 'workload')),
      notReady > 0 && h('a', { class: 'not-ready', href: list({ notReady: true }) }, `${notReady} not ready`),
      h('a', { href: formatRoute({ page: 'deployments', filter: { project: name } }) }, 'Deployments'),
      allowsDeploying(role) &&
        h('a', { href: formatRoute({ page: 'deploy', selection: { project: name } }) }, 'Deploy'),
    ),
    quotaBars(quota),
    externalLinks(links),
  );
}
