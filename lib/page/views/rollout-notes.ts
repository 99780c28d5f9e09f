import { type ClusterRolloutsView } from '../../contract';
import { bdi, h, type VNode, type VNodeChild } from '../dom/vnode';
import { statusBadge } from '../elements/status-badge';
import { formatCount, rolloutPhaseLabels } from '../format/labels';
import { formatRoute } from '../state/route';
import { type Loadable } from '../state/state';

/** Phases of rollouts that the overview shows: in progress, or in need of a decision. */
const notedPhases: ReadonlySet<string> = new Set(['Pending', 'Progressing', 'Paused', 'Failed']);

/** Returns a banner for each cluster whose rollout is open or failed. */
export function rolloutNotes(rollouts: Loadable<readonly ClusterRolloutsView[]> | undefined): VNodeChild {
  if (rollouts?.status !== 'loaded') return false;
  const noted = rollouts.value.filter(({ current }) => current && notedPhases.has(current.phase));
  return (
    noted.length > 0 &&
    h('section', { 'aria-label': 'Rollouts', class: 'rollout-notes', key: 'rollouts' }, noted.map(rolloutNote))
  );
}

function rolloutNote({ target, current }: ClusterRolloutsView): VNodeChild {
  if (!current) return false;
  const { phase, project, rollbackOf, reason, wave, workloads, completed } = current;
  return noteOf(
    target,
    phase === 'Failed',
    statusBadge(rolloutPhaseLabels[phase]),
    ` ${rollbackOf === undefined ? 'Rollout' : 'Rollback'} of `,
    project === undefined ? 'the Platform' : ['Project ', bdi(project)],
    ' on ',
    bdi(target),
    wave !== undefined && [', wave ', bdi(wave)],
    `: ${completed} of ${formatCount(workloads, 'workload')} completed`,
    reason !== undefined && [', ', h('code', {}, bdi(reason))],
    '. ',
    h('a', { href: formatRoute({ page: 'rollouts' }), 'aria-label': `Show rollouts on ${target}` }, 'Show rollouts'),
  );
}

const noteOf = (key: string, isError: boolean, ...children: readonly VNodeChild[]): VNode =>
  h('p', { class: isError ? 'note error' : 'note', key }, ...children);
