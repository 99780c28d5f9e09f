import { type DeployedWorkload, type Deployment, type DeploymentDiff, type Phase } from '../contract';
import { causeInFull, causeInShort } from './cause-line';
import { changeList } from './change-list';
import { type ElementChild, type Described, h, written } from './element';
import { eventLog } from './event-log';
import { facts } from './facts';
import { mark } from './mark';
import { elapsedText } from './moment';
import { outsideLink } from './outside-link';
import { failedNote } from './problem-list';
import { formatRoute } from './route';
import { type Actions, type Loaded, type State } from './state';
import { exactly } from './time-element';
import { changeWords, phaseWords, shortKind, targetPhaseWords } from './words';

/** A deployment on its way, and what happened to it. */
export function deploymentView(state: State, id: string, actions: Actions): Described {
  const deployment = state.inventory.deployments.items.get(id);
  return h(
    'div',
    { class: 'view', key: `deployment ${id}` },
    h('p', { class: 'trail' }, h('a', { href: formatRoute({ page: 'deployments', filter: {} }) }, 'Deployments')),
    h('h1', { id: 'title', tabindex: -1 }, deployment ? titleOf(deployment) : 'Deployment'),
    deployment
      ? detail(deployment, state, actions)
      : state.deploymentFailed
        ? failedNote(state.deploymentFailed, 'The deployment could not be shown')
        : h('p', { class: 'quiet' }, 'Loading…'),
  );
}

/** What a deployment is called. */
export const titleOf = ({ project, workflow, version, stage, intent }: Deployment): string =>
  intent === 'rollBack'
    ? `${project}/${workflow} back to ${version} in ${stage}`
    : `${project}/${workflow} ${version} to ${stage}`;

function detail(deployment: Deployment, state: State, actions: Actions): ElementChild {
  const { phase, breakGlass, cause, targets } = deployment;
  return [
    breakGlass !== undefined &&
      h(
        'div',
        { class: 'note loud', key: 'break-glass' },
        h('p', {}, h('strong', {}, 'Break-glass: '), 'the publishers of a protected stage were passed over.'),
        h('p', {}, written(breakGlass)),
      ),
    h('p', { class: 'standing', key: 'standing' }, mark(phaseWords[phase])),
    cause !== undefined && causeInFull(cause),
    buttons(deployment, actions),
    h(
      'section',
      { 'aria-labelledby': 'progress', key: 'progress' },
      h('h2', { id: 'progress' }, 'Progress'),
      targets.map(targetProgress),
    ),
    state.diff && diffDeployment(deployment, state.diff),
    story(deployment),
    state.following && eventLog(state.following),
  ];
}

function diffDeployment({ stage }: Deployment, diff: Loaded<DeploymentDiff>): Described {
  return h(
    'section',
    { 'aria-labelledby': 'diff', key: 'diff' },
    h('h2', { id: 'diff' }, 'What it changes'),
    diff.status === 'loading' && h('p', { class: 'quiet' }, 'Comparing…'),
    diff.status === 'failed' && failedNote(diff.failed, 'What it changes cannot be shown'),
    diff.status === 'loaded' && [
      h(
        'p',
        { class: 'quiet' },
        diff.value.previous === undefined
          ? `Nothing of this workflow was Ready in ${stage} before.`
          : ['Against ', h('code', {}, written(diff.value.previous)), `, which was Ready in ${stage} before.`],
      ),
      changeList(diff.value.changes),
    ],
  );
}

/** Phases in which a deployment stands, or is about to stand, where something else was Ready. */
const standing: ReadonlySet<Phase> = new Set(['applying', 'progressing', 'ready', 'failed']);

function buttons(deployment: Deployment, actions: Actions): Described {
  const { id, project, workflow, version, stage, phase, previous } = deployment;
  const title = `${project}/${workflow}@${version}`;
  const cancel = (): void =>
    actions.ask({
      title: `Take ${title} out of the queue?`,
      facts: [`Nothing of it was applied to ${stage}; it will not be.`],
      confirm: 'Take it out',
      path: `/v1/deployments/${id}/cancel`,
      body: {},
      keyed: false,
      done: `${title} was taken out of the queue.`,
    });
  return h(
    'p',
    { class: 'actions', key: 'actions' },
    phase === 'queued' &&
      h('button', { type: 'button', id: 'cancel', class: 'danger', on: { click: cancel } }, 'Take out of the queue…'),
    previous &&
      standing.has(phase) &&
      h(
        'a',
        {
          class: 'button',
          href: formatRoute({ page: 'rollback', choice: { project, workflow, stage, version: previous.version } }),
        },
        'Go back to ',
        written(previous.version),
        '…',
      ),
    h(
      'a',
      { class: 'button', href: formatRoute({ page: 'deploy', choice: { project, workflow, version, stage } }) },
      'Compare with what runs now…',
    ),
  );
}

function story(deployment: Deployment): Described {
  const { requestedBy, requestedAt, startedAt, endedAt, commit, review, previous, digest, sequence } = deployment;
  return h(
    'section',
    { 'aria-labelledby': 'story', key: 'story' },
    h('h2', { id: 'story' }, 'Where it comes from'),
    facts([
      [
        'Asked for by',
        [written(requestedBy.subject), h('span', { class: 'quiet' }, ' known to ', written(requestedBy.issuer))],
      ],
      ['Asked for', exactly(requestedAt)],
      ['Began', startedAt !== undefined && exactly(startedAt)],
      ['Ended', endedAt !== undefined && [exactly(endedAt), ` after ${elapsedText(requestedAt, endedAt)}`]],
      ['Commit', commit !== undefined && h('code', {}, written(commit))],
      ['Review', review !== undefined && outsideLink(review)],
      ['In place of', previous && h('code', {}, written(previous.version))],
      ['Content', h('code', { class: 'digest' }, digest)],
      ['Place in the project’s order', String(sequence)],
    ]),
  );
}

function targetProgress({ name, phase, workloads }: Deployment['targets'][number]): Described {
  const ready = workloads.filter((workload) => workload.ready).length;
  return h(
    'section',
    { class: 'target', key: name, 'aria-label': `On ${name}` },
    h(
      'h3',
      {},
      written(name),
      ' ',
      mark(targetPhaseWords[phase]),
      h('span', { class: 'quiet' }, ` ${ready} of ${workloads.length} ready`),
    ),
    h('ul', { class: 'rows' }, workloads.map(workloadProgress)),
  );
}

function workloadProgress({ kind, name, change, applied, ready, progress, cause }: DeployedWorkload): Described {
  const state = ready
    ? ({ text: 'Ready', mood: 'well' } as const)
    : ({ text: applied ? 'Not ready yet' : 'Not applied yet', mood: cause ? 'bad' : 'busy' } as const);
  return h(
    'li',
    { key: `${kind}/${name}` },
    h('span', { class: 'row-state' }, mark(change === 'removed' && ready ? { text: 'Gone', mood: 'quiet' } : state)),
    h('span', { class: 'row-name' }, written(name), h('span', { class: 'quiet' }, ` ${shortKind(kind)}`)),
    h(
      'span',
      { class: 'row-side quiet' },
      changeWords[change].text,
      progress !== undefined && [', ', written(progress)],
    ),
    cause !== undefined && h('span', { class: 'row-more' }, causeInShort(cause), ' ', written(cause.message)),
  );
}
