import { rolloutPolicy } from '../../../lib/api/fields/rollout-policy';
import { rolloutMoveOf } from '../../../lib/controller/rollout/rollout-workloads';
import { type RolloutSpec } from '../../../lib/controller/rollout/rollout-workload';

const forward: RolloutSpec = {
  ...{ revision: 'rev-c', policy: rolloutPolicy().parse({}) },
  ...{ paused: false, aborted: false, rollback: false },
};
const rollback: RolloutSpec = { ...forward, rollbackOf: 'rollout-2-c' };
const completed = 'rev-a';

describe('the move of a workload', () => {
  it('leads to the revision of the rollout, and is done once the status names it', () => {
    expect(rolloutMoveOf(forward, { name: 'rev-a' }, 'rev-a', { completed })).toEqual({
      target: 'rev-c',
      isMoved: false,
    });
    const moved = { name: 'rev-c', former: 'rev-a' };
    expect(rolloutMoveOf(forward, moved, 'rev-c', { completed })).toEqual({ target: 'rev-c', isMoved: true });
  });

  it('is none of a workload that was created at the revision', () => {
    expect(rolloutMoveOf(forward, { name: 'rev-c' }, 'rev-c', { completed })).toBeUndefined();
    expect(rolloutMoveOf(rollback, { name: 'rev-a' }, 'rev-a', { completed })).toBeUndefined();
  });

  it('is in progress while the objects of a released workload are ahead of its status, or its status is lost', () => {
    const at = { completed, released: 'rev-c' };
    for (const record of [{ name: 'rev-a' }, { name: 'rev-a', former: 'rev-c' }, undefined])
      expect(rolloutMoveOf(forward, record, 'rev-c', at)).toEqual({ target: 'rev-c', isMoved: false });
    expect(rolloutMoveOf(forward, { name: 'rev-c' }, 'rev-c', at)).toEqual({ target: 'rev-c', isMoved: true });
    expect(rolloutMoveOf(rollback, { name: 'rev-a' }, 'rev-a', { completed, released: 'rev-a' })).toEqual({
      ...{ target: 'rev-a', isMoved: true },
    });
  });

  it('leads back to the former revision, also if the status does not know of the move yet', () => {
    const moved = { name: 'rev-c', former: 'rev-b' };
    expect(rolloutMoveOf(rollback, moved, 'rev-c', { completed })).toEqual({ target: 'rev-b', isMoved: false });
    const unreported = { name: 'rev-b', former: 'rev-a' };
    expect(rolloutMoveOf(rollback, unreported, 'rev-c', { completed })).toEqual({ target: 'rev-b', isMoved: false });
    expect(rolloutMoveOf(rollback, undefined, 'rev-c', { completed })).toEqual({ target: 'rev-a', isMoved: false });
    const returned = { name: 'rev-b', former: 'rev-c' };
    expect(rolloutMoveOf(rollback, returned, 'rev-b', { completed })).toEqual({ target: 'rev-b', isMoved: true });
  });
});
