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
    h('p', { class: 'breadcrumb' }, h('a', { href: formatRoute({ page: 'deployments', filter: {} }) }, 'Deployments')),
    h('h1', { id: 'title', tabindex: -1 }, deployment ? deploymentTitle(deployment) : 'Deployment'),
    deployment
      ? detail(deployment, state, actions)
      : state.deploymentFailed
        ? failureNote(state.deploymentFailed, 'Could not load the deployment')
        : h('p', { class: 'muted' }, 'Loading…'),
  );
}

/** Returns the title of a deployment. */
export const deploymentTitle = ({ project, workflow, version, stage, intent }: Deployment): string =>
  intent === 'rollBack'
    ? `Rollback of ${project}/${workflow} to ${version} in ${stage}`
    : `${project}/${workflow} ${version} to ${stage}`;

function detail(deployment: Deployment, state: State, actions: Actions): VNodeChild {
  const { phase, breakGlass, cause, targets } = deployment;
  return [
    breakGlass !== undefined &&
      h(
        'div',
        { class: 'note prominent', key: 'break-glass' },
        h('p', {}, h('strong', {}, 'Break-glass: '), 'the trusted publishers of a protected stage were bypassed.'),
        h('p', {}, bdi(breakGlass)),
      ),
    h('p', { class: 'status', key: 'status' }, statusBadge(phaseLabels[phase])),
    cause !== undefined && causeDetails(cause),
    actionButtons(deployment, actions),
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
    h('h2', { id: 'diff' }, 'Changes'),
    diff.status === 'loading' && h('p', { class: 'muted' }, 'Loading changes…'),
    diff.status === 'failed' && failureNote(diff.failed, 'Could not load the changes'),
    diff.status === 'loaded' && [
      h(
        'p',
        { class: 'muted' },
        diff.value.previous === undefined
          ? `No earlier deployment of this workflow was Ready in ${stage}.`
          : ['Compared with ', h('code', {}, bdi(diff.value.previous)), `, the previous Ready version in ${stage}.`],
      ),
      changeList(diff.value.changes),
    ],
  );
}

/** Phases in which a deployment has replaced, or is about to replace, another one that was Ready. */
const rollbackPhases: ReadonlySet<Phase> = new Set(['applying', 'progressing', 'ready', 'failed']);

function actionButtons(deployment: Deployment, actions: Actions): VNode {
  const { id, project, workflow, version, stage, phase, previous } = deployment;
  const title = `${project}/${workflow}@${version}`;
  const cancel = (): void =>
    actions.requestConfirmation({
      title: `Cancel the deployment of ${title}?`,
      effects: [`It is removed from the queue. Nothing was applied to ${stage}.`],
      confirmLabel: 'Cancel deployment',
      dismissLabel: 'Keep deployment',
      path: `/v1/deployments/${id}/cancel`,
      body: {},
      withIdempotencyKey: false,
      doneMessage: `The deployment of ${title} was cancelled.`,
    });
  return h(
    'p',
    { class: 'actions', key: 'actions' },
    phase === 'queued' &&
      h('button', { type: 'button', id: 'cancel', class: 'danger', on: { click: cancel } }, 'Cancel deployment…'),
    previous &&
      rollbackPhases.has(phase) &&
      h(
        'a',
        {
          class: 'button',
          href: formatRoute({ page: 'rollback', selection: { project, workflow, stage, version: previous.version } }),
        },
        'Roll back to ',
        bdi(previous.version),
        '…',
      ),
    h(
      'a',
      { class: 'button', href: formatRoute({ page: 'deploy', selection: { project, workflow, version, stage } }) },
      'Compare with the current state…',
    ),
  );
}

function originSection(deployment: Deployment): VNode {
  const { requestedBy, requestedAt, startedAt, endedAt, commit, review, previous, digest, sequence } = deployment;
  return h(
    'section',
    { 'aria-labelledby': 'details', key: 'details' },
    h('h2', { id: 'details' }, 'Details'),
    descriptionList([
      ['Requested by', [bdi(requestedBy.subject), h('span', { class: 'muted' }, ' issuer ', bdi(requestedBy.issuer))]],
      ['Requested', dateTime(requestedAt)],
      ['Started', startedAt !== undefined && dateTime(startedAt)],
      ['Ended', endedAt !== undefined && [dateTime(endedAt), ` after ${formatElapsed(requestedAt, endedAt)}`]],
      ['Commit', commit !== undefined && h('code', {}, bdi(commit))],
      ['Review', review !== undefined && externalLink(review)],
      ['Replaces', previous && h('code', {}, bdi(previous.version))],
      ['Digest', h('code', { class: 'digest' }, digest)],
      ['Sequence number', String(sequence)],
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
      h('span', { class: 'muted' }, ` ${ready} of ${workloads.length} ready`),
    ),
    h('ul', { class: 'rows' }, workloads.map(workloadProgress)),
  );
}

function workloadProgress({ kind, name, change, applied, ready, progress, cause }: DeployedWorkload): VNode {
  const state = ready
    ? ({ text: 'Ready', tone: 'success' } as const)
    : ({ text: applied ? 'Not ready' : 'Not applied', tone: cause ? 'error' : 'progress' } as const);
  return h(
    'li',
    { key: `${kind}/${name}` },
    h(
      'span',
      { class: 'row-state' },
      statusBadge(change === 'removed' && ready ? { text: 'Deleted', tone: 'muted' } : state),
    ),
    h('span', { class: 'row-name' }, bdi(name), h('span', { class: 'muted' }, ` ${kindLabel(kind)}`)),
    h('span', { class: 'row-side muted' }, changeLabels[change].text, progress !== undefined && [', ', bdi(progress)]),
    cause !== undefined && h('span', { class: 'row-more' }, causeSummary(cause), ' ', bdi(cause.message)),
  );
}
