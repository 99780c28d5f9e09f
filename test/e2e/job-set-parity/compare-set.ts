import { isDeepStrictEqual } from 'node:util';
import { type SeededRandom } from '../chaos/seeded-random';
import { type GeneratedSet } from './generated-set';
import { withoutIntendedDifferences } from './intended-differences';
import { type SetObjects } from './namespace-state';
import { drawEvent, finishingEvent, type SetEvent } from './pod-event';
import { type Readings } from './readings';
import { type Side } from './side';
import { stateOf, unsettledBecause, type SetState } from './set-state';

const maxEvents = 40;

/** Time in milliseconds after which an unsettled set that does not change counts as stuck; a retry of a pod takes ten seconds. */
const stuckAfter = 90_000;

/** Time in milliseconds that different settled states may last: the reads of one state are not one transaction. */
const differenceTimeout = 5000;

/** Both states of a set, where neither changes by itself any more. */
interface SettledPair {
  readonly ours: SetState;
  readonly theirs: SetState;
  readonly objects: { readonly ours: SetObjects; readonly theirs: SetObjects };
}

/** Result of a comparison. */
export interface SetComparison {
  readonly set: GeneratedSet;
  readonly events: readonly SetEvent[];
  /** Last state, which both controllers reached. */
  readonly last?: SetState;
  /** What differs, after the last event. @default - nothing */
  readonly difference?: object;
}

/** Input of a comparison. */
export interface ComparisonInput {
  readonly set: GeneratedSet;
  readonly readings: Readings;
  readonly random: SeededRandom;
  /** Number of random events, after which the remaining work succeeds. */
  readonly randomEvents: number;
}

/** Runs one set under both controllers with the same random events, compares all settled states, and deletes the set. */
export async function compareSet(input: ComparisonInput): Promise<SetComparison> {
  const comparison = await compareStates(input);
  const { ours, theirs } = input.readings.sides;
  await Promise.all([ours, theirs].map((side) => side.delete(input.set.name)));
  return comparison;
}

async function compareStates({ set, readings, random, randomEvents }: ComparisonInput): Promise<SetComparison> {
  const events: SetEvent[] = [];
  const { ours, theirs } = readings.sides;
  await Promise.all([ours.submit(set), theirs.submit(set)]);
  let isSuspended = set.suspend;
  let previous: SettledPair | undefined;
  for (;;) {
    const pair = await settledPair(set, readings, previous);
    if ('difference' in pair) return { set, events, difference: pair.difference };
    if (pair.ours.end !== undefined || events.length === maxEvents) return { set, events, last: pair.ours };
    const event =
      events.length < randomEvents
        ? drawEvent({ set, state: pair.ours, isSuspended, random })
        : finishingEvent(pair.ours, isSuspended);
    events.push(event);
    if (event.do === 'suspend' || event.do === 'resume') isSuspended = event.do === 'suspend';
    await ours.happen(event, set.name, pair.objects.ours);
    await theirs.happen(event, set.name, pair.objects.theirs);
    previous = pair;
  }
}

/** Waits until both sets have settled in the same state; returns the difference if they do not. */
async function settledPair(
  set: GeneratedSet,
  readings: Readings,
  previous: SettledPair | undefined,
): Promise<SettledPair | { readonly difference: object }> {
  const { sides } = readings;
  let changedAt = performance.now();
  let seen = '';
  let last: SettledPair | undefined;
  let differsSince: number | undefined;
  for (;;) {
    const reading = await readings.next();
    const objects = { ours: reading.ours(set.name), theirs: reading.theirs(set.name) };
    const why = {
      ours: unsettledIn(set, objects.ours, sides.ours),
      theirs: unsettledIn(set, objects.theirs, sides.theirs),
    };
    const now = JSON.stringify([versionsOf(objects.ours), versionsOf(objects.theirs)]);
    if (now !== seen) changedAt = performance.now();
    seen = now;
    if (objects.ours && objects.theirs && why.ours === undefined && why.theirs === undefined) {
      const pair: SettledPair = {
        ours: stateOf(objects.ours, sides.ours.dialect),
        theirs: stateOf(objects.theirs, sides.theirs.dialect),
        objects: { ours: objects.ours, theirs: objects.theirs },
      };
      const compared = withoutIntendedDifferences(set, pair, previous);
      const isEqual = isDeepStrictEqual(compared.ours, compared.theirs);
      const isStable = last && isDeepStrictEqual([last.ours, last.theirs], [pair.ours, pair.theirs]);
      last = pair;
      if (isEqual && isStable) return pair;
      differsSince = isEqual ? undefined : (differsSince ?? performance.now());
      if (differsSince !== undefined && performance.now() - differsSince > differenceTimeout)
        return { difference: compared };
    } else if (performance.now() - changedAt > stuckAfter) {
      return {
        difference: {
          unsettled: why,
          ours: described(objects.ours, sides.ours),
          theirs: described(objects.theirs, sides.theirs),
        },
      };
    } else {
      last = differsSince = undefined;
    }
  }
}

/** Returns the versions of the objects of a set, which change with every write. */
const versionsOf = (objects: SetObjects | undefined): readonly string[] =>
  objects
    ? [
        objects.set,
        ...objects.jobs,
        ...objects.jobs.flatMap(({ metadata }) => objects.pods.get(metadata.uid) ?? []),
      ].map(({ metadata }) => metadata.resourceVersion)
    : [];

/** Returns what a report needs of a set that has not settled. */
const described = (objects: SetObjects | undefined, { dialect }: Side): object | undefined =>
  objects && {
    status: objects.set.status,
    jobs: objects.jobs.map(({ metadata, status }) => ({ name: metadata.name, status })),
    state: stateOf(objects, dialect),
  };

function unsettledIn(set: GeneratedSet, objects: SetObjects | undefined, { dialect }: Side): string | undefined {
  return objects ? unsettledBecause(set, objects, dialect) : 'it does not exist';
}
