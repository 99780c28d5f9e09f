import { type DeployedWorkload, type Deployment, type DeploymentDiff, type Phase } from '../../contract';
import { bdi, h, type VNode, type VNodeChild } from '../dom/vnode';
import { causeDetails, causeSummary } from '../elements/cause';
import { changeList } from '../elements/change-list';
import { descriptionList } from '../elements/description-list';
import { externalLink } from '../elements/external-link';
import { failureNote } from '../elements/problem-list';
import { statusBadge } from '../elements/status-badge';
import { dateTime } from '../elements/time-element';
import { changeLabels, kindLabel, phaseLabels, targetPhaseLabels } from '../format/labels';
import { formatElapsed } from '../format/time';
import { formatRoute } from '../state/route';
import { type Actions, type Loadable, type State } from '../state/state';
import { eventLog } from './event-log';

/** Returns the details of a deployment: progress, changes, origin and events. */
export function deploymentView(state: State, id: string, actions: Actions): VNode {
  const deployment = state.inventory.deployments.items.get(id);
  return h(
    'div',
    { class: 'view', key: `deployment ${id}` },
    h('p', { class: 'trail' }, h('a', { href: formatRoute({ page: 'deployments', filter: {} }) }, 'Deployments')),
    h('h1', { id: 'title', tabindex: -1 }, deployment ? deploymentTitle(deployment) : 'Deployment'),
    deployment
      ? detail(deployment, state, actions)
      : state.deploymentFailed
        ? failureNote(state.deploymentFailed, 'The deployment could not be shown')
        : h('p', { class: 'quiet' }, 'Loading…'),
  );
}

/** Returns the title of a deployment. */
export const deploymentTitle = ({ project, workflow, version, stage, intent }: Deployment): string =>
  intent === 'rollBack'
    ? `${project}/${workflow} back to ${version} in ${stage}`
    : `${project}/${workflow} ${version} to ${stage}`;

function detail(deployment: Deployment, state: State, actions: Actions): VNodeChild {
  const { phase, breakGlass, cause, targets } = deployment;
  return [
    breakGlass !== undefined &&
      h(
        'div',
        { class: 'note loud', key: 'break-glass' },
        h('p', {}, h('strong', {}, 'Break-glass: '), 'the publishers of a protected stage were passed over.'),
        h('p', {}, bdi(breakGlass)),
      ),
    h('p', { class: 'standing', key: 'standing' }, statusBadge(phaseLabels[phase])),
    cause !== undefined && causeDetails(cause),
    buttons(deployment, actions),
    h(
      'section',
      { 'aria-labelledby': 'progress', key: 'progress' },
      h('h2', { id: 'progress' }, 'Progress'),
      targets.map(targetProgress),
    ),
    state.diff && diffSection(deployment, state.diff),
    originSection(deployment),
    state.eventFeed && eventLog(state.eventFeed),
  ];
}

function diffSection({ stage }: Deployment, diff: Loadable<DeploymentDiff>): VNode {
  return h(
    'section',
    { 'aria-labelledby': 'diff', key: 'diff' },
    h('h2', { id: 'diff' }, 'What it changes'),
    diff.status === 'loading' && h('p', { class: 'quiet' }, 'Comparing…'),
    diff.status === 'failed' && failureNote(diff.failed, 'What it changes cannot be shown'),
    diff.status === 'loaded' && [
      h(
        'p',
        { class: 'quiet' },
        diff.value.previous === undefined
          ? `Nothing of this workflow was Ready in ${stage} before.`
          : ['Against ', h('code', {}, bdi(diff.value.previous)), `, which was Ready in ${stage} before.`],
      ),
      changeList(diff.value.changes),
    ],
  );
}

/** Phases in which a deployment has replaced, or is about to replace, another one that was Ready. */
const rollBackPhases: ReadonlySet<Phase> = new Set(['applying', 'progressing', 'ready', 'failed']);

function buttons(deployment: Deployment, actions: Actions): VNode {
  const { id, project, workflow, version, stage, phase, previous } = deployment;
  const title = `${project}/${workflow}@${version}`;
  const cancel = (): void =>
    actions.requestConfirmation({
      title: `Take ${title} out of the queue?`,
      effects: [`Nothing of it was applied to ${stage}; it will not be.`],
      confirmLabel: 'Take it out',
      path: `/v1/deployments/${id}/cancel`,
      body: {},
      withIdempotencyKey: false,
      doneMessage: `${title} was taken out of the queue.`,
    });
  return h(
    'p',
    { class: 'actions', key: 'actions' },
    phase === 'queued' &&
      h('button', { type: 'button', id: 'cancel', class: 'danger', on: { click: cancel } }, 'Take out of the queue…'),
    previous &&
      rollBackPhases.has(phase) &&
      h(
        'a',
        {
          class: 'button',
          href: formatRoute({ page: 'rollback', selection: { project, workflow, stage, version: previous.version } }),
        },
        'Go back to ',
        bdi(previous.version),
        '…',
      ),
    h(
      'a',
      { class: 'button', href: formatRoute({ page: 'deploy', selection: { project, workflow, version, stage } }) },
      'Compare with what runs now…',
    ),
  );
}

function originSection(deployment: Deployment): VNode {
  const { requestedBy, requestedAt, startedAt, endedAt, commit, review, previous, digest, sequence } = deployment;
  return h(
    'section',
    { 'aria-labelledby': 'story', key: 'story' },
    h('h2', { id: 'story' }, 'Where it comes from'),
    descriptionList([
      [
        'Asked for by',
        [bdi(requestedBy.subject), h('span', { class: 'quiet' }, ' known to ', bdi(requestedBy.issuer))],
      ],
      ['Asked for', dateTime(requestedAt)],
      ['Began', startedAt !== undefined && dateTime(startedAt)],
      ['Ended', endedAt !== undefined && [dateTime(endedAt), ` after ${formatElapsed(requestedAt, endedAt)}`]],
      ['Commit', commit !== undefined && h('code', {}, bdi(commit))],
      ['Review', review !== undefined && externalLink(review)],
      ['In place of', previous && h('code', {}, bdi(previous.version))],
      ['Content', h('code', { class: 'digest' }, digest)],
      ['Place in the project’s order', String(sequence)],
    ]),
  );
}

function targetProgress({ name, phase, workloads }: Deployment['targets'][number]): VNode {
  const ready = workloads.filter((workload) => workload.ready).length;
  return h(
    'section',
    { class: 'target', key: name, 'aria-label': `On ${name}` },
    h(
      'h3',
      {},
      bdi(name),
      ' ',
      statusBadge(targetPhaseLabels[phase]),
      h('span', { class: 'quiet' }, ` ${ready} of ${workloads.length} ready`),
    ),
    h('ul', { class: 'rows' }, workloads.map(workloadProgress)),
  );
}

function workloadProgress({ kind, name, change, applied, ready, progress, cause }: DeployedWorkload): VNode {
  const state = ready
    ? ({ text: 'Ready', tone: 'well' } as const)
    : ({ text: applied ? 'Not ready yet' : 'Not applied yet', tone: cause ? 'bad' : 'busy' } as const);
  return h(
    'li',
    { key: `${kind}/${name}` },
    h(
      'span',
      { class: 'row-state' },
      statusBadge(change === 'removed' && ready ? { text: 'Gone', tone: 'quiet' } : state),
    ),
    h('span', { class: 'row-name' }, bdi(name), h('span', { class: 'quiet' }, ` ${kindLabel(kind)}`)),
    h('span', { class: 'row-side quiet' }, changeLabels[change].text, progress !== undefined && [', ', bdi(progress)]),
    cause !== undefined && h('span', { class: 'row-more' }, causeSummary(cause), ' ', bdi(cause.message)),
  );
}
