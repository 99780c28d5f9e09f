import { type DeploymentEvent } from '../contract';
import { type Described, h, written } from './element';
import { causeInShort } from './cause-line';
import { mark } from './mark';
import { formatMoment, formatTime } from './moment';
import { failedNote } from './problem-list';
import { type Following } from './state';
import { phaseWords, shortKind } from './words';

const stateWords: Readonly<Record<Following['state'], string>> = {
  connecting: 'Connecting…',
  live: 'Live: new ones appear by themselves.',
  reconnecting: 'The connection was lost. Reconnecting; the log continues where it stopped.',
  'signed-out': 'Stopped: you are signed out.',
  ended: 'This is all that happened.',
};

/** What happened to a deployment, in its order. It does not speak by itself: only a change of phase is announced. */
export function eventLog({ events, state, failed }: Following): Described {
  return h(
    'section',
    { 'aria-labelledby': 'log', key: 'log' },
    h('h2', { id: 'log' }, 'What happened'),
    failed ? failedNote(failed, 'It cannot be followed') : h('p', { class: 'quiet' }, stateWords[state]),
    h('ol', { class: 'log', 'aria-labelledby': 'log' }, events.map(entry)),
  );
}

function entry({ number, at, phase, target, workload, message, cause }: DeploymentEvent): Described {
  return h(
    'li',
    { key: String(number) },
    h('time', { datetime: at, title: formatMoment(at) }, formatTime(at)),
    h('span', { class: 'log-phase' }, mark(phaseWords[phase])),
    h(
      'span',
      { class: 'log-text' },
      written(message),
      (target !== undefined || workload !== undefined) &&
        h(
          'span',
          { class: 'quiet' },
          workload !== undefined && ` ${shortKind(workload.kind)} ${workload.name}`,
          target !== undefined && ` on ${target}`,
        ),
      cause !== undefined && h('span', { class: 'log-cause' }, causeInShort(cause), ' ', written(cause.message)),
    ),
  );
}
