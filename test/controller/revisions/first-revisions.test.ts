import { firstRevisions } from '../../../lib/controller/revisions/needed-rollouts';

test('a Platform that gets rollouts starts at the revision of its spec', () => {
  expect(firstRevisions('rev-2', 7, [])).toEqual({ current: 'rev-2', completed: 'rev-2' });
});

test('a Platform whose status is lost moves workloads only by a rollout', () => {
  expect(firstRevisions('rev-00000002', 7, ['rev-00000001', 'rev-00000002', 'rev-00000001'])).toEqual({
    current: 'rev-00000002',
    completed: 'rev-00000001',
    rollout: 'rollout-7-00000002',
  });
});

test('a Platform whose status is lost needs no rollout if most workloads have its revision', () => {
  expect(firstRevisions('rev-2', 7, ['rev-1', 'rev-2', 'rev-2'])).toEqual({ current: 'rev-2', completed: 'rev-2' });
});
