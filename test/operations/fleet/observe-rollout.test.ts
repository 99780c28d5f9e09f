import { apiVersion, type Status } from '../../../lib/api';
import { type LiveObject } from '../../../lib/kube';
import { observeRollout } from '../../../lib/operations';

const objectOf = (kind: string, name: string, spec: object, status?: object): LiveObject => ({
  ...{ apiVersion, kind, metadata: { name, uid: name, resourceVersion: '1' }, spec },
  ...(status && { status }),
});
const platform = (revisions?: Status<'Platform'>['revisions'], spec: object = { rollouts: {} }) =>
  objectOf('Platform', 'cluster', spec, revisions ? { revisions } : {});
const rollout = (name: string, status?: Partial<Status<'PlatformRollout'>>, spec: object = {}) =>
  objectOf('PlatformRollout', name, { revision: 'rev-2', ...spec }, status);
const open = { current: 'rev-2', completed: 'rev-1', rollout: 'rollout-2' };
const done = { current: 'rev-2', completed: 'rev-2', rollout: 'rollout-2' };

test('a Platform without rollouts waits for none', () => {
  expect(observeRollout(platform(undefined, {}), [])).toEqual({ waits: [], isRolledBack: false });
});

test('a revision is rolled out once it is the completed one, and no rollout is open', () => {
  expect(observeRollout(platform(done), [rollout('rollout-2', { phase: 'Completed' })]).waits).toEqual([]);
  expect(observeRollout(platform({ current: 'rev-1', completed: 'rev-1' }), []).waits).toEqual([]);
  expect(observeRollout(platform(), []).waits).toEqual([
    'the controller has not recorded the revision of the Platform yet',
  ]);
  expect(observeRollout(platform(open), []).waits).toEqual(['rollout rollout-2 has not been created yet']);
  expect(observeRollout(platform(open), [rollout('rollout-2', { phase: 'Completed' })]).waits).toEqual([
    'the Platform has not recorded the end of rollout rollout-2 yet',
  ]);
});

test('a rollout in progress is a wait with its wave, also one that takes workloads back', () => {
  const progressing = {
    phase: 'Progressing',
    wave: 'early',
    workloads: 40,
    completed: 12,
    message: 'it is frozen',
  } as const;
  expect(observeRollout(platform(open), [rollout('rollout-2', progressing)])).toEqual({
    waits: ['rollout rollout-2 is in wave early: 12 of 40 workloads are at the revision (it is frozen)'],
    isRolledBack: false,
  });
  const back = [
    rollout('rollout-1', { phase: 'Aborted' }),
    rollout('rollout-2', undefined, { rollbackOf: 'rollout-1' }),
  ];
  expect(observeRollout(platform(done), back).waits).toEqual(['rollout rollout-2 has not started']);
});

test('the way back to the completed revision is not over before its rollout exists', () => {
  const left = rollout('rollout-1', { phase: 'Aborted' }, { revision: 'rev-3' });
  expect(observeRollout(platform(done), [left]).waits).toEqual([
    'what rollout rollout-1 has moved has not returned yet',
  ]);
  const back = rollout('rollout-2', { phase: 'Completed' }, { revision: 'rev-3', rollbackOf: 'rollout-1' });
  expect(observeRollout(platform(done), [left, back]).waits).toEqual([]);
});

test.each(['Failed', 'Aborted', 'RolledBack', 'Paused'] as const)('a rollout that is %s does not continue', (phase) => {
  const status = { phase, reason: 'WorkloadsFail', message: 'cart: AppCrashLoop' };
  const stopped = `rollout rollout-2 is ${phase} (WorkloadsFail): cart: AppCrashLoop`;
  const isRolledBack = phase === 'RolledBack';
  expect(observeRollout(platform(open), [rollout('rollout-2', status)])).toEqual({
    waits: [stopped],
    stopped,
    isRolledBack,
  });
});

test('a former rollout that failed does not stop the present revision', () => {
  const former = rollout('rollout-1', { phase: 'Failed' }, { revision: 'rev-0' });
  expect(observeRollout(platform(done), [former, rollout('rollout-2', { phase: 'Completed' })]).waits).toEqual([]);
});
