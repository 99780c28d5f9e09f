import { type WorkloadDetail, type WorkloadRevision } from '../../contract';
import { bdi, h, type VNode, type VNodeChild } from '../dom/vnode';
import { causeDetails } from '../elements/cause';
import { descriptionList } from '../elements/description-list';
import { externalLinks } from '../elements/external-link';
import { failureNote } from '../elements/problem-list';
import { statusBadge } from '../elements/status-badge';
import { relativeTime } from '../elements/time-element';
import { kindLabel, moveLabels, workloadLabel } from '../format/labels';
import { formatRoute, type Route } from '../state/route';
import { type State } from '../state/state';

type WorkloadMove = NonNullable<WorkloadRevision['move']>;
type WorkloadRoute = Extract<Route, { page: 'workload' }>;

/** Returns the details of a workload and its children. */
export function workloadView(state: State, route: WorkloadRoute): VNode {
  const { project, target, kind, name } = route;
  return h(
    'div',
    { class: 'view', key: formatRoute(route) },
    h(
      'p',
      { class: 'breadcrumb' },
      h('a', { href: formatRoute({ page: 'workloads', filter: { project, target } }) }, 'Workloads of ', bdi(project)),
      ' on ',
      bdi(target),
    ),
    h('h1', { id: 'title', tabindex: -1 }, bdi(name), ' ', h('small', {}, bdi(kindLabel(kind)))),
    body(state),
  );
}

function body(state: State): VNodeChild {
  const { workload } = state;
  if (!workload || workload.status === 'loading') return h('p', { class: 'muted' }, 'Loading…');
  if (workload.status === 'failed') return failureNote(workload.failed, 'Could not load the workload');
  return detail(workload.value, state.now);
}

function detail(workload: WorkloadDetail, now: number): VNodeChild {
  const { phase, progress, cause, artifact, stage, since, hosts, links, children, revision, spec } = workload;
  const linked = externalLinks(links);
  return [
    descriptionList([
      ['Status', statusBadge(workloadLabel(workload))],
      ['Ready', phase !== undefined && phase !== 'Ready' && (workload.ready ? 'Yes' : 'No')],
      ['Progress', progress !== undefined && bdi(progress)],
      ['Since', since !== undefined && relativeTime(since, now)],
      ['Artifact', artifact !== undefined && [h('code', {}, bdi(artifact)), ' ', deploymentsLink(artifact, stage)]],
      ['Stage', stage !== undefined && bdi(stage)],
      ['Platform revision', revision && revisionText(revision)],
      ['Rollout', revision?.move && moveText(revision.move, now)],
      [
        'Hosts',
        hosts.length > 0 &&
          h(
            'ul',
            {},
            hosts.map((host) => h('li', {}, h('code', {}, bdi(host)))),
          ),
      ],
    ]),
    cause !== undefined && causeDetails(cause),
    linked && h('section', { 'aria-labelledby': 'links' }, h('h2', { id: 'links' }, 'Links'), linked),
    childrenTable(children),
    h(
      'details',
      { class: 'spec' },
      h('summary', {}, 'Applied spec'),
      h('pre', { tabindex: 0, role: 'region', 'aria-label': 'Spec' }, JSON.stringify(spec, undefined, 2) ?? ''),
    ),
  ];
}

function revisionText({ name, current }: WorkloadRevision): VNodeChild {
  const note =
    name === current ? 'that of the Platform' : current !== undefined && ['the Platform has ', code(current)];
  return [code(name), note && h('span', { class: 'muted' }, ' (', note, ')')];
}

/** Returns whether the open rollout moves a workload. */
function moveText({ rollout, to, state, since, wave, message }: WorkloadMove, now: number): VNodeChild {
  return [
    statusBadge(moveLabels[state]),
    h(
      'span',
      { class: 'muted' },
      (state === 'waiting' || state === 'transit') && [' to ', code(to)],
      wave !== undefined && [' in wave ', bdi(wave)],
      since !== undefined && [', released ', relativeTime(since, now)],
    ),
    ' ',
    h('a', { href: formatRoute({ page: 'rollouts' }) }, bdi(rollout)),
    message !== undefined && h('p', {}, bdi(message)),
  ];
}

const code = (text: string): VNode => h('code', {}, bdi(text));

/** Returns a link to the deployments of the workload's workflow. */
function deploymentsLink(artifact: string, stage: string | undefined): VNodeChild {
  const [, project, workflow] = /^(.+)\/(.+)@/.exec(artifact) ?? [];
  if (project === undefined || workflow === undefined) return undefined;
  const filter = { project, workflow, ...(stage !== undefined && { stage }) };
  return h('a', { href: formatRoute({ page: 'deployments', filter }) }, 'Deployments');
}

function childrenTable(children: WorkloadDetail['children']): VNode {
  const all = Object.entries(children).sort(([one], [other]) => (one < other ? -1 : 1));
  return h(
    'section',
    { 'aria-labelledby': 'objects' },
    h('h2', { id: 'objects' }, 'Objects'),
    all.length === 0
      ? h('p', { class: 'muted' }, 'No objects yet.')
      : h(
          'dl',
          { class: 'children' },
          all.map(([child, state]) =>
            h('div', { key: child }, h('dt', {}, h('code', {}, bdi(child))), h('dd', {}, bdi(state))),
          ),
        ),
  );
}
