import { decideRollout, type RolloutInput } from '../../../lib/controller/rollout/decide-rollout';
import { type RolloutStatus, type RolloutWorkload } from '../../../lib/controller/rollout/rollout-workload';
import { inputOf, moved, policyOf, specOf, start, waiting } from './rollout-input';

const uidsIn = (status: RolloutStatus): readonly string[] => (status.transit ?? []).map(({ uid }) => uid);

/** Decisions of one rollout, one after the other. */
class Decisions {
  #previous: RolloutStatus | undefined;
  readonly #more: Partial<RolloutInput>;

  constructor(more: Partial<RolloutInput> = {}) {
    this.#more = more;
  }

  next(seconds: number, workloads: readonly RolloutWorkload[], more: Partial<RolloutInput> = {}): RolloutStatus {
    const time = { previous: this.#previous, now: start + seconds * 1000 };
    const { status } = decideRollout({ ...inputOf(workloads), ...this.#more, ...time, ...more });
    return (this.#previous = status);
  }
}

const names = ['a', 'b', 'c', 'd'];

describe('a rollout', () => {
  it('releases a wave as far as its budget permits, although an earlier wave is empty', () => {
    const policy = policyOf({ waves: [{ name: 'first', projects: ['ads'] }], budget: { workloads: 2 } });
    const decisions = new Decisions({ spec: specOf(policy) });
    const first = decisions.next(
      0,
      names.map((uid) => waiting(uid)),
    );
    expect(first.wave).toBe('rest');
    const [one = '', two = ''] = uidsIn(first);
    const next = decisions.next(
      10,
      names.map((uid) => (uid === one ? moved(uid) : waiting(uid))),
    );
    expect(uidsIn(next)).toEqual([two, expect.any(String)]);
    expect(next).toMatchObject({ wave: 'rest', waves: [{ name: 'rest', phase: 'Progressing', completed: 1 }] });
  });
});
