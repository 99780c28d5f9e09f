import { type RolloutPhase } from '../../../lib/api';
import {
  isReturn,
  neededRollouts,
  nextRevisions,
  type RolloutFacts,
} from '../../../lib/controller/revisions/reconcile-revisions';
import { rolloutMoveOf } from '../../../lib/controller/rollout/rollout-workloads';
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
    expect(neededRollouts(next, [])).toEqual([{ name: 'rollout-2-rev-b', revision: 'rev-b' }]);
    const progressing = [rollout('rollout-2-rev-b', 'rev-b', 'Progressing')];
    expect(neededRollouts(next, progressing)).toEqual([]);
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
    expect(neededRollouts(failing, [rollout('rollout-2-b', 'rev-b', 'Failed')])).toEqual([rollback]);
    expect(neededRollouts(failing, [rollout('rollout-2-b', 'rev-b', 'Aborted', { rollback: true })])).toEqual([
      rollback,
    ]);
    expect(neededRollouts(failing, [rollout('rollout-2-b', 'rev-b', 'Aborted')])).toEqual([]);
    const halts = specOf().policy;
    const halted = rollout('rollout-2-b', 'rev-b', 'Failed', { policy: { ...halts, onFailure: 'Halt' } });
    expect(neededRollouts(failing, [halted])).toEqual([]);
  });

  it('waits for the end of another one, so that no two move workloads at once', () => {
    const revisions = { current: 'rev-c', completed: 'rev-a', rollout: 'rollout-3-c' };
    const aborted = rollout('rollout-2-b', 'rev-b', 'Aborted', { rollback: true });
    expect(neededRollouts(revisions, [aborted, rollout('rollout-3-c', 'rev-c', 'Progressing')])).toEqual([]);
    expect(neededRollouts(revisions, [aborted, rollout('rollout-3-c', 'rev-c', 'Aborted')])).toEqual([rollback]);
  });

  it('takes back every revision that a Platform had since, and returns workloads to what it is', () => {
    const revisions = { current: 'rev-a', completed: 'rev-a', rollout: 'rollout-4-a' };
    const superseded = [rollout('rollout-2-b', 'rev-b', 'Aborted'), rollout('rollout-3-c', 'rev-c', 'Aborted')];
    const [newest] = neededRollouts(revisions, superseded);
    expect(newest).toEqual({ name: 'rollout-4-a', revision: 'rev-c', rollbackOf: 'rollout-3-c' });
    expect(isReturn('rollout-4-a', { rollbackOf: 'rollout-3-c' })).toBe(true);
    expect(isReturn(rollback.name, rollback)).toBe(false);
    const record = { name: 'rev-c', former: 'rev-b' };
    const spec = specOf(undefined, { revision: 'rev-c', rollbackOf: 'rollout-3-c' });
    expect(rolloutMoveOf(spec, record, 'rev-c', { completed: 'rev-a', isReturn: true })?.target).toBe('rev-a');
    expect(rolloutMoveOf(spec, record, 'rev-c', { completed: 'rev-a' })?.target).toBe('rev-b');
    const returned = rollout('rollout-4-a', 'rev-c', 'Completed', { rollbackOf: 'rollout-3-c' });
    const next = neededRollouts(revisions, [...superseded, returned]);
    expect(next).toEqual([{ name: 'rollout-4-a-uid-roll', revision: 'rev-b', rollbackOf: 'rollout-2-b' }]);
    const both = [
      ...superseded,
      returned,
      rollout('rollout-4-a-uid-roll', 'rev-b', 'Completed', { rollbackOf: 'rollout-2-b' }),
    ];
    expect(neededRollouts(revisions, both)).toEqual([]);
  });

  it('takes nothing back that a completed rollout has moved since', () => {
    const revisions = { current: 'rev-c', completed: 'rev-c', rollout: 'rollout-3-c' };
    const rollouts = [rollout('rollout-2-b', 'rev-b', 'Aborted'), rollout('rollout-3-c', 'rev-c', 'Completed')];
    expect(neededRollouts(revisions, rollouts)).toEqual([]);
  });

  it('is none again if a person has aborted the return', () => {
    const revisions = { current: 'rev-a', completed: 'rev-a', rollout: 'rollout-3-a' };
    const aborted = rollout('rollout-3-a', 'rev-b', 'Aborted', { rollbackOf: 'rollout-2-b' });
    expect(neededRollouts(revisions, [rollout('rollout-2-b', 'rev-b', 'Aborted'), aborted])).toEqual([]);
  });
});
