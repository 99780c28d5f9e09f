import { type RolloutPhase } from '../../../lib/api';
import {
  isOrphan,
  neededRollout,
  nextRevisions,
  type RolloutFacts,
} from '../../../lib/controller/revisions/needed-rollouts';
import { specOf } from '../rollout/rollout-input';

const rollout = (
  name: string,
  revision: string,
  phase?: RolloutPhase,
  more: Partial<RolloutFacts['spec']> = {},
): RolloutFacts => ({
  ...{ name, uid: `uid-${name}`, spec: specOf(undefined, { revision, ...more }) },
  status: phase && { phase },
});

describe('the revisions of the Platform', () => {
  const first = { current: 'rev-a', completed: 'rev-a' };

  it('name a rollout once the Platform has another revision', () => {
    expect(nextRevisions(first, 'rev-a', 2, [])).toEqual(first);
    const next = nextRevisions(first, 'rev-b', 2, []);
    expect(next).toEqual({ current: 'rev-b', completed: 'rev-a', rollout: 'rollout-2-rev-b' });
    expect(neededRollout(next, [])).toEqual({ name: 'rollout-2-rev-b', revision: 'rev-b' });
    const progressing = [rollout('rollout-2-rev-b', 'rev-b', 'Progressing')];
    expect(neededRollout(next, progressing)).toBeUndefined();
    expect(nextRevisions(next, 'rev-b', 2, progressing)).toEqual(next);
  });

  it('record the completed one, also if the Platform has another one by then', () => {
    const previous = { current: 'rev-b', completed: 'rev-a', rollout: 'rollout-2-rev-b' };
    const rollouts = [rollout('rollout-2-rev-b', 'rev-b', 'Completed')];
    expect(nextRevisions(previous, 'rev-b', 2, rollouts)).toEqual({ ...previous, completed: 'rev-b' });
    expect(nextRevisions(previous, 'rev-c', 3, rollouts)).toEqual({
      ...{ current: 'rev-c', completed: 'rev-b', rollout: 'rollout-3-rev-c' },
    });
  });
});

describe('the rollout that the Platform needs', () => {
  const failing = { current: 'rev-b', completed: 'rev-a', rollout: 'rollout-2-b' };
  const rollback = { name: 'rollout-2-b-rollback-uid-roll', revision: 'rev-b', rollbackOf: 'rollout-2-b' };

  it('is a rollback of one that failed, if the policy wants it, or of one that was aborted with it', () => {
    expect(neededRollout(failing, [rollout('rollout-2-b', 'rev-b', 'Failed')])).toEqual(rollback);
    expect(neededRollout(failing, [rollout('rollout-2-b', 'rev-b', 'Aborted', { rollback: true })])).toEqual(rollback);
    expect(neededRollout(failing, [rollout('rollout-2-b', 'rev-b', 'Aborted')])).toBeUndefined();
    const halts = specOf().policy;
    const halted = rollout('rollout-2-b', 'rev-b', 'Failed', { policy: { ...halts, onFailure: 'Halt' } });
    expect(neededRollout(failing, [halted])).toBeUndefined();
  });

  it('waits for the end of another one, so that no two move workloads at once', () => {
    const revisions = { current: 'rev-c', completed: 'rev-a', rollout: 'rollout-3-c' };
    const aborted = rollout('rollout-2-b', 'rev-b', 'Aborted', { rollback: true });
    expect(neededRollout(revisions, [aborted, rollout('rollout-3-c', 'rev-c', 'Progressing')])).toBeUndefined();
    expect(neededRollout(revisions, [aborted, rollout('rollout-3-c', 'rev-c', 'Aborted')])).toEqual(rollback);
  });

  it('takes back every revision that a Platform had since, and returns workloads to what it is', () => {
    const revisions = { current: 'rev-a', completed: 'rev-a', rollout: 'rollout-4-a' };
    const superseded = [rollout('rollout-2-b', 'rev-b', 'Aborted'), rollout('rollout-3-c', 'rev-c', 'Aborted')];
    const first = { name: 'rollout-4-a', revision: 'rev-c', rollbackOf: 'rollout-3-c', returnTo: 'rev-a' };
    expect(neededRollout(revisions, superseded)).toEqual(first);
    const returned = rollout('rollout-4-a', 'rev-c', 'Completed', { rollbackOf: 'rollout-3-c', returnTo: 'rev-a' });
    expect(neededRollout(revisions, [...superseded, returned])).toEqual({
      ...{ name: 'rollout-4-a-uid-roll', revision: 'rev-b', rollbackOf: 'rollout-2-b', returnTo: 'rev-a' },
    });
    const both = [
      ...superseded,
      returned,
      rollout('rollout-4-a-uid-roll', 'rev-b', 'Completed', { rollbackOf: 'rollout-2-b' }),
    ];
    expect(neededRollout(revisions, both)).toBeUndefined();
  });

  it('takes nothing back that a completed rollout has moved since', () => {
    const revisions = { current: 'rev-c', completed: 'rev-c', rollout: 'rollout-3-c' };
    const rollouts = [rollout('rollout-2-b', 'rev-b', 'Aborted'), rollout('rollout-3-c', 'rev-c', 'Completed')];
    expect(neededRollout(revisions, rollouts)).toBeUndefined();
  });

  it('is no rollback of a revision that has completed since, whatever an earlier rollout to it says', () => {
    const revisions = { current: 'rev-b', completed: 'rev-b', rollout: 'rollout-4-b' };
    const aborted = rollout('rollout-2-b', 'rev-b', 'Aborted', { rollback: true });
    const failed = rollout('rollout-2-b', 'rev-b', 'Failed');
    const later = [rollout('rollout-3-c', 'rev-c', 'Completed'), rollout('rollout-4-b', 'rev-b', 'Completed')];
    expect(neededRollout(revisions, [aborted, ...later])).toBeUndefined();
    // Nor after the deletion of its rollback.
    expect(neededRollout(revisions, [failed, ...later])).toBeUndefined();
    // The completed one was deleted.
    expect(neededRollout(revisions, [aborted])).toBeUndefined();
  });

  it('is none again if a person has aborted the return', () => {
    const revisions = { current: 'rev-a', completed: 'rev-a', rollout: 'rollout-3-a' };
    const aborted = rollout('rollout-3-a', 'rev-b', 'Aborted', { rollbackOf: 'rollout-2-b' });
    expect(neededRollout(revisions, [rollout('rollout-2-b', 'rev-b', 'Aborted'), aborted])).toBeUndefined();
  });

  it('replaces one in progress that does not record where workloads return to', () => {
    const revisions = { current: 'rev-a', completed: 'rev-a', rollout: 'rollout-3-a' };
    const unrecorded = rollout('rollout-3-a', 'rev-b', 'Progressing', { rollbackOf: 'rollout-2-b' });
    expect(isOrphan(revisions, unrecorded)).toBe(true);
    expect(isOrphan(revisions, { ...unrecorded, spec: { ...unrecorded.spec, returnTo: 'rev-a' } })).toBe(false);
    expect(isOrphan(revisions, { ...unrecorded, status: { phase: 'Aborted' } })).toBe(false);
    const rolledBack = rollout('rollout-2-b-rollback-uid-roll', 'rev-b', 'Progressing', { rollbackOf: 'rollout-2-b' });
    expect(isOrphan(revisions, rolledBack)).toBe(false);
    expect(isOrphan({ ...revisions, current: 'rev-c', rollout: 'rollout-4-c' }, unrecorded)).toBe(false);
  });
});
