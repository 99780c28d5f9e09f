import { type WorkloadDetail } from '../contract';
import { causeInFull } from './cause-line';
import { type ElementChild, type Described, h, written } from './element';
import { facts } from './facts';
import { mark } from './mark';
import { outsideLinks } from './outside-link';
import { failedNote } from './problem-list';
import { formatRoute, type Route } from './route';
import { type State } from './state';
import { ago } from './time-element';
import { shortKind, workloadWord } from './words';

type WorkloadRoute = Extract<Route, { page: 'workload' }>;

/** A workload with what it became. */
export function workloadView(state: State, route: WorkloadRoute): Described {
  const { project, target, kind, name } = route;
  return h(
    'div',
    { class: 'view', key: formatRoute(route) },
    h(
      'p',
      { class: 'trail' },
      h(
        'a',
        { href: formatRoute({ page: 'workloads', filter: { project, target } }) },
        'Workloads of ',
        written(project),
      ),
      ' on ',
      written(target),
    ),
    h('h1', { id: 'title', tabindex: -1 }, written(name), ' ', h('small', {}, written(shortKind(kind)))),
    body(state),
  );
}

function body(state: State): ElementChild {
  const { workload } = state;
  if (!workload || workload.status === 'loading') return h('p', { class: 'quiet' }, 'Loading…');
  if (workload.status === 'failed') return failedNote(workload.failed, 'The workload could not be shown');
  return detail(workload.value, state.now);
}

function detail(workload: WorkloadDetail, now: number): ElementChild {
  const { phase, progress, cause, artifact, stage, since, hosts, links, children, spec } = workload;
  const linked = outsideLinks(links);
  return [
    facts([
      ['State', mark(workloadWord(workload))],
      ['Ready', phase !== undefined && phase !== 'Ready' && (workload.ready ? 'Yes' : 'No')],
      ['Progress', progress !== undefined && written(progress)],
      ['Since', since !== undefined && ago(since, now)],
      ['Artifact', artifact !== undefined && [h('code', {}, written(artifact)), ' ', deploymentsOf(artifact, stage)]],
      ['Stage', stage !== undefined && written(stage)],
      [
        'Hosts',
        hosts.length > 0 &&
          h(
            'ul',
            {},
            hosts.map((host) => h('li', {}, h('code', {}, written(host)))),
          ),
      ],
    ]),
    cause !== undefined && causeInFull(cause),
    linked && h('section', { 'aria-labelledby': 'pages' }, h('h2', { id: 'pages' }, 'Pages about it'), linked),
    becameTable(children),
    h(
      'details',
      { class: 'spec' },
      h('summary', {}, 'Spec as it was applied'),
      h('pre', { tabindex: 0, role: 'region', 'aria-label': 'Spec' }, JSON.stringify(spec, undefined, 2) ?? ''),
    ),
  ];
}

/** A link to the deployments that the workload came with. */
function deploymentsOf(artifact: string, stage: string | undefined): ElementChild {
  const [, project, workflow] = /^(.+)\/(.+)@/.exec(artifact) ?? [];
  if (project === undefined || workflow === undefined) return undefined;
  const filter = { project, workflow, ...(stage !== undefined && { stage }) };
  return h('a', { href: formatRoute({ page: 'deployments', filter }) }, 'Its deployments');
}

function becameTable(children: WorkloadDetail['children']): Described {
  const all = Object.entries(children).sort(([one], [other]) => (one < other ? -1 : 1));
  return h(
    'section',
    { 'aria-labelledby': 'became' },
    h('h2', { id: 'became' }, 'What it became'),
    all.length === 0
      ? h('p', { class: 'quiet' }, 'Nothing yet.')
      : h(
          'dl',
          { class: 'children' },
          all.map(([child, stands]) =>
            h('div', { key: child }, h('dt', {}, h('code', {}, written(child))), h('dd', {}, written(stands))),
          ),
        ),
  );
}
