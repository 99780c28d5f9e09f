import { SeededRandom } from '../chaos/seeded-random';
import { generateSet } from './generated-set';
import { withoutIntendedDifferences, type StatePair } from './intended-differences';
import { type JobState, type SetState } from './set-state';

const running: JobState = { attempt: 0, phase: 'Running', succeeded: 0, pods: { '0': true } };
const suspended: JobState = { attempt: 0, phase: 'Suspended', succeeded: 0, pods: {} };
const succeeded: JobState = { attempt: 0, phase: 'Succeeded', succeeded: 1, pods: {} };
const state = (jobs: SetState['jobs'], end?: SetState['end']): SetState => ({
  jobs,
  restarts: 0,
  countedRestarts: 0,
  ...(end && { end }),
});
const complete = { outcome: 'Succeeded' } as const;
const before = state({ driver: running, workers: running });

/** Returns whether two states are equal but for the intended differences. */
function areEqual(pair: StatePair, inOrder = false): boolean {
  const set = { ...generateSet(1, new SeededRandom(1)), inOrder };
  const { ours, theirs } = withoutIntendedDifferences(set, pair, { ours: before, theirs: before });
  return JSON.stringify(ours) === JSON.stringify(theirs);
}

test('a Job that the end of a set stopped is suspended or deleted', () => {
  const theirs = state({ driver: succeeded }, complete);
  expect(areEqual({ ours: state({ driver: succeeded, workers: suspended }, complete), theirs })).toBe(true);
  for (const workers of [running, succeeded])
    expect(areEqual({ ours: state({ driver: succeeded, workers }, complete), theirs })).toBe(false);
  expect(areEqual({ ours: theirs, theirs })).toBe(false);
});

test('only a set in order may lack Jobs that wait while it is suspended', () => {
  const pair = { ours: state({ driver: suspended }), theirs: state({ driver: suspended, workers: suspended }) };
  expect(areEqual(pair, true)).toBe(true);
  expect(areEqual(pair)).toBe(false);
  expect(areEqual({ ours: pair.theirs, theirs: pair.ours }, true)).toBe(false);
});

test.each([
  ['restarts', { ...before, restarts: 1 }],
  ['counted restarts', { ...before, countedRestarts: 1 }],
  ['the end', { ...before, end: complete }],
  ['the Job that ended it', { ...before, end: { outcome: 'Failed', job: 'driver' } }],
  ['an attempt', state({ driver: { ...running, attempt: 1 }, workers: running })],
  ['a phase', state({ driver: running, workers: suspended })],
  ['a number of succeeded indexes', state({ driver: { ...running, succeeded: 1 }, workers: running })],
  ['a pod', state({ driver: { ...running, pods: { '0': false } }, workers: running })],
  ['a Job', state({ driver: running })],
] as const)('%s must be equal', (_, ours) => {
  expect(areEqual({ ours: before, theirs: before })).toBe(true);
  expect(areEqual({ ours, theirs: before })).toBe(false);
});
