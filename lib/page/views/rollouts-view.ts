import { type ClusterRolloutsView, type RolloutDetail, type RolloutSummary } from '../../contract';
import { bdi, h, type VNode, type VNodeChild } from '../dom/vnode';
import { descriptionList } from '../elements/description-list';
import { failureNote } from '../elements/problem-list';
import { statusBadge } from '../elements/status-badge';
import { dateTime, relativeTime } from '../elements/time-element';
import { formatCount, rolloutPhaseLabels, wavePhaseLabels } from '../format/labels';
import { type State } from '../state/state';
import { findingList, transitList, type RolloutPlace } from './rollout-workloads-list';

/** Returns where the rollouts of the Platform of each cluster stand. */
export function rolloutsView(state: State): VNode {
  const { rollouts } = state;
  return h(
    'div',
    { class: 'view rollouts', key: 'rollouts' },
    h('h1', { id: 'title', tabindex: -1 }, 'Rollouts of the Platform'),
    rollouts?.status === 'failed' && failureNote(rollouts.failed, 'Could not load rollouts'),
    (rollouts === undefined || rollouts.status === 'loading') && h('p', { class: 'muted' }, 'Loading…'),
    rollouts?.status === 'loaded' && rollouts.value.map((cluster, index) => clusterSection(cluster, index, state)),
  );
}

function clusterSection(cluster: ClusterRolloutsView, index: number, state: State): VNode {
  const { target, revision, completed, current, recent } = cluster;
  const place: RolloutPlace = { target, id: `rollout-${index}`, state };
  return h(
    'section',
    { key: target, 'aria-labelledby': place.id },
    h('h2', { id: place.id }, 'Cluster ', bdi(target)),
    current
      ? [
          rolloutFacts(current, { revision, completed }, state.now),
          wavesTable(current.waves, target, state.now),
          transitList(current.transit, place),
          current.cause && findingList('Failed before the rollback', current.cause.failed, place),
          findingList('Failed', current.failed, place),
          findingList('Blocked', current.blocked, place),
          recentTable(recent, target, state.now),
        ]
      : h('p', { class: 'muted' }, reasonForNone(cluster)),
  );
}

/** Returns why a cluster has no rollout. */
function reasonForNone({ enabled, completed }: ClusterRolloutsView): VNodeChild {
  if (!enabled) return 'The Platform has no rollouts: its changes reach all workloads as spec.runtime states.';
  return completed === undefined
    ? 'No rollout: the controller has not recorded a revision of the Platform yet.'
    : ['No rollout: workloads follow revision ', code(completed), '.'];
}

/** Returns why the rollout ended that a rollback reverts. */
const causeText = ({ name, reason, message }: NonNullable<RolloutDetail['cause']>): readonly VNodeChild[] => [
  code(name),
  reason !== undefined && [': ', code(reason)],
  message !== undefined && [': ', bdi(message)],
];

function rolloutFacts(
  rollout: RolloutDetail,
  { revision, completed }: Pick<ClusterRolloutsView, 'revision' | 'completed'>,
  now: number,
): VNode {
  const {
    phase,
    reason,
    message,
    nextStep,
    project,
    rollbackOf,
    cause,
    rollback,
    started,
    ended,
    emergency,
    wave,
    waves,
  } = rollout;
  const index = waves.findIndex(({ name }) => name === wave);
  return h(
    'div',
    { key: 'facts' },
    h(
      'p',
      { class: 'status' },
      statusBadge(rolloutPhaseLabels[phase]),
      ' ',
      code(rollout.name),
      project !== undefined && h('span', { class: 'tag' }, 'Project ', bdi(project)),
      rollbackOf !== undefined && h('span', { class: 'tag' }, 'Rollback of ', bdi(rollbackOf)),
      emergency?.active === true && h('span', { class: 'tag prominent' }, 'Emergency'),
    ),
    descriptionList([
      ['Reason', reason !== undefined && code(reason)],
      ['Message', message !== undefined && bdi(message)],
      ['Next step', bdi(nextStep)],
      ['Cause', cause && causeText(cause)],
      ['Rollback', rollback && [statusBadge(rolloutPhaseLabels[rollback.phase]), ' ', code(rollback.name)]],
      ['Emergency', emergency && [bdi(emergency.reason), ', until ', dateTime(emergency.until)]],
      ['Workloads', `${rollout.completed} of ${formatCount(rollout.workloads, 'workload')} completed`],
      ['Wave', wave !== undefined && [bdi(wave), index >= 0 && ` (${index + 1} of ${waves.length})`]],
      ['Started', started !== undefined && relativeTime(started, now)],
      ['Ended', ended !== undefined && relativeTime(ended, now)],
      ['Revision', code(rollout.revision)],
      [
        'Platform',
        revision !== undefined &&
          project === undefined &&
          revision !== rollout.revision && [code(revision), ' (present spec)'],
      ],
      ['Rolled out last', completed !== undefined && project === undefined && code(completed)],
    ]),
  );
}

function wavesTable(waves: RolloutDetail['waves'], target: string, now: number): VNodeChild {
  if (waves.length === 0) return false;
  const heads = ['Wave', 'Phase', 'Completed', 'Started', 'All ready since', 'Ended'];
  return table(
    `Waves on ${target}`,
    heads,
    waves.map(({ name, phase, completed, workloads, started, changed, ended }) => [
      name,
      bdi(name),
      statusBadge(wavePhaseLabels[phase]),
      `${completed} of ${workloads}`,
      ...[started, changed, ended].map((time) => timeOrNone(time, now)),
    ]),
  );
}

function recentTable(recent: readonly RolloutSummary[], target: string, now: number): VNode {
  const heads = ['Rollout', 'Phase', 'Completed', 'Revision', 'Started', 'Ended', 'Reason'];
  return h(
    'div',
    { key: 'recent' },
    h('h3', {}, 'Last rollouts'),
    table(
      `Last rollouts on ${target}`,
      heads,
      recent.map(({ name, phase, completed, workloads, revision, rollbackOf, started, ended, reason }) => [
        name,
        [code(name), rollbackOf !== undefined && h('span', { class: 'muted' }, ' rollback of ', bdi(rollbackOf))],
        statusBadge(rolloutPhaseLabels[phase]),
        `${completed} of ${workloads}`,
        code(revision),
        ...[started, ended].map((time) => timeOrNone(time, now)),
        reason === undefined ? '–' : code(reason),
      ]),
    ),
  );
}

/** Returns a table; each row starts with its key. */
function table(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly [key: string, ...cells: readonly VNodeChild[]])[],
): VNode {
  return h(
    'div',
    { class: 'wide', key: label, role: 'region', tabindex: 0, 'aria-label': label },
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
        rows.map(([key, first, ...cells]) =>
          h(
            'tr',
            { key },
            h('th', { scope: 'row' }, first),
            cells.map((cell) => h('td', {}, cell)),
          ),
        ),
      ),
    ),
  );
}

const timeOrNone = (time: string | undefined, now: number): VNodeChild =>
  time === undefined ? '–' : relativeTime(time, now);

const code = (text: string): VNode => h('code', {}, bdi(text));
