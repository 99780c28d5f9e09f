import { type DeploymentEvent } from '../../contract';
import { bdi, h, type VNode } from '../dom/vnode';
import { causeSummary } from '../elements/cause';
import { failureNote } from '../elements/problem-list';
import { statusBadge } from '../elements/status-badge';
import { kindLabel, phaseLabels } from '../format/labels';
import { formatDateTime, formatTime } from '../format/time';
import { type EventFeed } from '../state/state';

const feedStateLabels: Readonly<Record<EventFeed['state'], string>> = {
  connecting: 'Connecting…',
  live: 'Live: new events appear automatically.',
  reconnecting: 'Connection lost. Reconnecting…',
  'signed-out': 'Stopped: you are signed out.',
  ended: 'All events are shown.',
};

/** Returns the events of a deployment in order. It is not a live region: only phase changes are announced. */
export function eventLog({ events, state, failed }: EventFeed): VNode {
  return h(
    'section',
    { 'aria-labelledby': 'log', key: 'log' },
    h('h2', { id: 'log' }, 'Events'),
    failed ? failureNote(failed, 'Could not load events') : h('p', { class: 'muted' }, feedStateLabels[state]),
    h('ol', { class: 'log', 'aria-labelledby': 'log' }, events.map(entry)),
  );
}

function entry({ number, at, phase, target, workload, message, cause }: DeploymentEvent): VNode {
  return h(
    'li',
    { key: String(number) },
    h('time', { datetime: at, title: formatDateTime(at) }, formatTime(at)),
    h('span', { class: 'log-phase' }, statusBadge(phaseLabels[phase])),
    h(
      'span',
      { class: 'log-text' },
      bdi(message),
      (target !== undefined || workload !== undefined) &&
        h(
          'span',
          { class: 'muted' },
          workload !== undefined && ` ${kindLabel(workload.kind)} ${workload.name}`,
          target !== undefined && ` on ${target}`,
        ),
      cause !== undefined && h('span', { class: 'log-cause' }, causeSummary(cause), ' ', bdi(cause.message)),
    ),
  );
}
