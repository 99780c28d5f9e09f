import { podBehavior } from '../../control-plane/pod-behavior';
import { type SeededRandom } from '../chaos/seeded-random';
import { fatalExitCode, type GeneratedSet } from './generated-set';
import { type SetState } from './set-state';

/** Event that happens to both sets of a comparison. */
export type SetEvent = { readonly do: 'suspend' } | { readonly do: 'resume' } | PodEvent;

/** Event of pods of one Job. */
interface PodEvent {
  readonly do: 'ready' | 'unready' | 'succeed' | 'fail' | 'fail fatally';
  readonly job: string;
  /** Completion indexes of the pods. */
  readonly indexes: readonly string[];
}

/** Annotations that make a simulated pod do what the event says. */
export const annotationsOf: Readonly<Record<PodEvent['do'], Readonly<Record<string, string>>>> = {
  ready: { [podBehavior.readyAfter]: '0s' },
  unready: { [podBehavior.readyAfter]: 'never' },
  succeed: { [podBehavior.exitAfter]: '0s', [podBehavior.exitCode]: '0' },
  fail: { [podBehavior.exitAfter]: '0s', [podBehavior.exitCode]: '1' },
  'fail fatally': { [podBehavior.exitAfter]: '0s', [podBehavior.exitCode]: String(fatalExitCode) },
};

/** Events by how often they are drawn. */
const drawn: readonly PodEvent['do'][] = [
  'ready',
  'ready',
  'ready',
  'unready',
  'succeed',
  'succeed',
  'succeed',
  'fail',
  'fail',
  'fail fatally',
];

/** Settled state that an event is drawn for. */
export interface DrawInput {
  readonly set: GeneratedSet;
  readonly state: SetState;
  readonly isSuspended: boolean;
  readonly random: SeededRandom;
}

/**
 * Draws the next event from the state of a set. At most one pod fails at a time: which of several failed Jobs comes
 * first depends on the clock.
 */
export function drawEvent({ set, state, isSuspended, random }: DrawInput): SetEvent {
  if (isSuspended) return { do: 'resume' };
  if (random.is(0.06) && !staysSuspended(set, state)) return { do: 'suspend' };
  const running = Object.entries(state.jobs).filter(([, { pods }]) => Object.keys(pods).length > 0);
  const [job, { pods }] = random.of(running);
  const indexes = Object.keys(pods);
  const event = random.of(drawn);
  const isWhole = event === 'ready' || event === 'succeed' ? random.is(0.6) : false;
  return { do: event, job, indexes: isWhole ? indexes : [random.of(indexes)] };
}

/**
 * Returns whether the JobSet controller would not resume some Jobs of a set in order: it counts suspended Jobs of which
 * enough pods have succeeded as ready, and does not resume a job whose Jobs are all ready.
 */
function staysSuspended({ name, jobs, inOrder }: GeneratedSet, { jobs: states }: SetState): boolean {
  if (!inOrder) return false;
  return jobs.some((job) => {
    const own = Object.entries(states).filter(([each]) => each.startsWith(`${name}-${job.name}-`));
    const open = own.filter(([, { phase }]) => phase === 'Running');
    const needed = Math.min(job.parallelism ?? job.shards, job.shards);
    return open.length > 0 && open.every(([, { succeeded }]) => succeeded >= needed);
  });
}

/** Returns the event that brings a set closer to its success: all pods of its first running Job succeed. */
export function finishingEvent(state: SetState, isSuspended: boolean): SetEvent {
  if (isSuspended) return { do: 'resume' };
  const [job, { pods }] = Object.entries(state.jobs).find(([, each]) => Object.keys(each.pods).length > 0) ?? [
    '',
    { pods: {} },
  ];
  return { do: 'succeed', job, indexes: Object.keys(pods) };
}
