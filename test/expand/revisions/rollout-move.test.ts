import { rolloutMoveOf, type RolloutDirection } from '../../../lib/expand';

const forward: RolloutDirection = { revision: 'rev-c' };
const rollback: RolloutDirection = { ...forward, rollbackOf: 'rollout-2-c' };
const completed = 'rev-a';

describe('the move of a workload', () => {
  it('leads to the revision of the rollout, and is done once the status names it', () => {
    expect(rolloutMoveOf(forward, { record: { name: 'rev-a' }, recorded: 'rev-a' }, completed)).toEqual({
      target: 'rev-c',
      isMoved: false,
    });
    const moved = { name: 'rev-c', former: 'rev-a' };
    expect(rolloutMoveOf(forward, { record: moved, recorded: 'rev-c' }, completed)).toEqual({
      target: 'rev-c',
      isMoved: true,
    });
  });

  it('is none of a workload that was created at the revision', () => {
    expect(rolloutMoveOf(forward, { record: { name: 'rev-c' }, recorded: 'rev-c' }, completed)).toBeUndefined();
    expect(rolloutMoveOf(rollback, { record: { name: 'rev-a' }, recorded: 'rev-a' }, completed)).toBeUndefined();
  });

  it('is in progress while the objects of a released workload are ahead of its status, or its status is lost', () => {
    const at = { recorded: 'rev-c', released: 'rev-c' };
    for (const record of [{ name: 'rev-a' }, { name: 'rev-a', former: 'rev-c' }, undefined])
      expect(rolloutMoveOf(forward, { ...at, record }, completed)).toEqual({ target: 'rev-c', isMoved: false });
    expect(rolloutMoveOf(forward, { ...at, record: { name: 'rev-c' } }, completed)).toEqual({
      target: 'rev-c',
      isMoved: true,
    });
    expect(
      rolloutMoveOf(rollback, { record: { name: 'rev-a' }, recorded: 'rev-a', released: 'rev-a' }, completed),
    ).toEqual({
      ...{ target: 'rev-a', isMoved: true },
    });
  });

  it('leads back to the former revision, or to the one of the Platform, also if the status does not know of the move yet', () => {
    const moved = { name: 'rev-c', former: 'rev-b' };
    expect(rolloutMoveOf(rollback, { record: moved, recorded: 'rev-c' }, completed)).toEqual({
      target: 'rev-b',
      isMoved: false,
    });
    const toA = { ...rollback, returnTo: 'rev-a' };
    expect(rolloutMoveOf(toA, { record: moved, recorded: 'rev-c' }, completed)).toEqual({
      target: 'rev-a',
      isMoved: false,
    });
    const unreported = { name: 'rev-b', former: 'rev-a' };
    expect(rolloutMoveOf(rollback, { record: unreported, recorded: 'rev-c' }, completed)).toEqual({
      target: 'rev-b',
      isMoved: false,
    });
    expect(rolloutMoveOf(rollback, { record: undefined, recorded: 'rev-c' }, completed)).toEqual({
      target: 'rev-a',
      isMoved: false,
    });
    const returned = { name: 'rev-b', former: 'rev-c' };
    expect(rolloutMoveOf(rollback, { record: returned, recorded: 'rev-b' }, completed)).toEqual({
      target: 'rev-b',
      isMoved: true,
    });
  });
});
