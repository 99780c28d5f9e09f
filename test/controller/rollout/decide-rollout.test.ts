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
  it('says which tier holds its releases, with the number of unready workloads and the limit', () => {
    const spec = specOf(policyOf({ waves: [], budget: { unready: { critical: 2, batch: 5 } } }));
    const unreadyOf = (tier: string, count: number) =>
      Array.from({ length: count }, (_, index) => waiting(`${tier}-${index}`, { tier, isReady: false }));
    const conditions = { unready: [...unreadyOf('critical', 4), ...unreadyOf('batch', 1)], isSuperseded: false };
    const names = [0, 1, 2].map((index) => `PinterestService/shop/critical-${index}`).join(', ');
    const message = `no workload is released while too many of its tier are unready: tier critical has 4 (limit 2): ${names}, 1 more`;
    const critical = waiting('a', { tier: 'critical' });
    const held = new Decisions({ spec, conditions }).next(0, [critical]);
    expect(held).toMatchObject({ phase: 'Progressing', reason: 'TierUnready', message });
    expect(held).not.toHaveProperty('transit');
    const others = new Decisions({ spec, conditions }).next(0, [critical, waiting('b')]);
    expect(others).toMatchObject({ phase: 'Progressing', reason: 'Releasing', message, transit: [{ uid: 'b' }] });
    // A workload that is unready itself makes no other one unready.
    const unready = waiting('c', { tier: 'critical', isReady: false });
    const back = specOf(spec.policy, { rollbackOf: 'rollout-2' });
    expect(uidsIn(new Decisions({ spec: back, conditions }).next(0, [critical, unready]))).toEqual(['c']);
    const free = { isSuperseded: false };
    expect(new Decisions({ spec, conditions: free }).next(0, [critical])).not.toHaveProperty('message');
  });

  it('is not held by workloads of a tier that were unready before its start, or are created', () => {
    const spec = specOf(policyOf({ waves: [], budget: { unready: { critical: 1 } } }));
    const critical = waiting('a', { tier: 'critical' });
    const held = (more: Partial<RolloutWorkload>, others: readonly RolloutWorkload[] = []) => {
      const one = waiting('z', { tier: 'critical', isReady: false, ...more });
      const decisions = new Decisions({ spec });
      decisions.next(0, [critical, ...others], { conditions: { isSuperseded: false, freeze: 'weekend' } });
      return decisions.next(60, [critical, ...others], { conditions: { isSuperseded: false, unready: [one] } }).reason;
    };
    expect(held({ unreadySince: '2026-03-01T11:59:59Z' })).toBe('Releasing');
    expect(held({}, [waiting('z', { tier: 'critical', isReady: false })])).toBe('Releasing');
    const created = '2026-03-01T12:00:30Z';
    expect(held({ created, unreadySince: created })).toBe('Releasing');
    expect(held({ unreadySince: '2026-03-01T12:00:30Z' })).toBe('TierUnready');
  });

  it('is not paused by more unready workloads than its status has room for', () => {
    const since = { project: 'tenant', isReady: false, unreadySince: '2026-02-01T00:00:00Z' };
    const unready = Array.from({ length: 2600 }, (_, index) => waiting(`unready-${index}`, since));
    const others = Array.from({ length: 5000 }, (_, index) => waiting(`ready-${index}`, { project: `p${index % 9}` }));
    const decisions = new Decisions();
    expect(decisions.next(0, [...others, ...unready]).phase).toBe('Progressing');
    expect(decisions.next(60, [...others, ...unready])).toMatchObject({ phase: 'Progressing', reason: 'Releasing' });
  });

  it('does not wait for Prometheus in an emergency, but for workloads that metrics say fail', () => {
    const spec = specOf(policyOf(), { emergency: { reason: 'CVE', until: '9999-12-31T23:59:59Z' } });
    const decide = (verdict: 'inconclusive' | 'fail', more = spec) =>
      new Decisions({ spec: more }).next(0, [waiting('a')], {
        conditions: { isSuperseded: false, metrics: { verdict, message: 'metric gates' } },
      });
    expect(decide('inconclusive')).toMatchObject({ phase: 'Progressing', reason: 'Releasing' });
    expect(decide('inconclusive', specOf())).toMatchObject({ phase: 'Paused', reason: 'MetricsInconclusive' });
    expect(decide('fail')).toMatchObject({ phase: 'Paused', reason: 'MetricsFail' });
  });

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

  it('completes although a workload that was not ready before does not move', () => {
    const decisions = new Decisions();
    const stuck = waiting('a', { isReady: false });
    expect(uidsIn(decisions.next(0, [stuck]))).toEqual(['a']);
    expect(decisions.next(1800, [stuck]).phase).toBe('Progressing');
    expect(decisions.next(1801, [stuck])).toMatchObject({
      phase: 'Completed',
      message:
        'all workloads that it could move are ready at the revision; 1 could not move and stay at their revisions',
    });
  });

  it('never records more releases than a status has room for, whatever does not move', () => {
    const stuck = Array.from({ length: 300 }, (_, index) => waiting(`uid-${index}`, { isReady: false }));
    const policy = policyOf({ budget: { workloads: 100, workloadsPerProject: 100 } });
    const decisions = new Decisions({ spec: specOf(policy) });
    const counts = [0, 2000, 4000, 6000].map((seconds) => uidsIn(decisions.next(seconds, stuck)).length);
    expect(counts).toEqual([100, 128, 0, 0]);
    expect(decisions.next(6001, stuck).phase).toBe('Completed');
  });

  it('proceeds without workloads that fail within maxFailures', () => {
    const policy = policyOf({ waves: [], maxFailures: 1, soak: '0s', budget: { workloads: 1 } });
    const decisions = new Decisions({ spec: specOf(policy) });
    const [failing = '', other = ''] = ['a', 'b'].sort((one) =>
      uidsIn(
        decisions.next(
          0,
          names.slice(0, 2).map((uid) => waiting(uid)),
        ),
      ).includes(one)
        ? -1
        : 1,
    );
    const failed = moved(failing, { isSettled: false, isReady: false, failure: 'AppCrashLoop: it crashes' });
    expect(uidsIn(decisions.next(60, [failed, waiting(other)]))).toEqual([failing]);
    expect(uidsIn(decisions.next(1801, [failed, waiting(other)]))).toEqual([other]);
    expect(decisions.next(1900, [failed, moved(other)])).toMatchObject({
      phase: 'Completed',
      failed: [{ message: 'AppCrashLoop: it crashes' }],
    });
  });

  it('completes a rollback although a workload does not become ready at its former revision', () => {
    const decisions = new Decisions({ spec: specOf(policyOf(), { rollbackOf: 'rollout-2-b' }) });
    decisions.next(0, [waiting('a', { target: 'rev-a' })]);
    const unready = moved('a', { target: 'rev-a', isSettled: false, isReady: false });
    expect(decisions.next(1800, [unready]).phase).toBe('Progressing');
    expect(decisions.next(1801, [unready]).phase).toBe('Completed');
  });

  it('counts the time of a release from the present after a step back of the clock', () => {
    const decisions = new Decisions();
    decisions.next(0, [waiting('a')]);
    decisions.next(-7200, [waiting('a')]);
    expect(decisions.next(-5400, [waiting('a')]).phase).toBe('Progressing');
    expect(decisions.next(-5399, [waiting('a')])).toMatchObject({ phase: 'Paused', reason: 'Stalled' });
  });

  it('soaks a wave from the time since which it is healthy', () => {
    const policy = policyOf({ waves: [{ name: 'first', projects: ['shop'], soak: '5m' }] });
    const decisions = new Decisions({ spec: specOf(policy) });
    const late = waiting('z', { project: 'ads' });
    decisions.next(0, [waiting('a'), late]);
    const soaking = decisions.next(60, [moved('a'), late]);
    expect(soaking.waves?.[0]).toMatchObject({ phase: 'Soaking', changed: '2026-03-01T12:01:00Z' });
    const unready = decisions.next(300, [moved('a', { isReady: false, isSettled: false }), late]);
    expect(unready.waves?.[0]).toEqual({
      name: 'first',
      phase: 'Soaking',
      workloads: 1,
      completed: 1,
      started: '2026-03-01T12:00:00Z',
      soakStarted: '2026-03-01T12:01:00Z',
    });
    decisions.next(330, [moved('a'), late]);
    expect(decisions.next(629, [moved('a'), late]).waves?.[0]?.phase).toBe('Soaking');
    const next = decisions.next(630, [moved('a'), late]);
    expect(next.waves?.[0]?.phase).toBe('Completed');
    expect(uidsIn(next)).toEqual(['z']);
  });

  it('soaks no longer than the soak time after a step back of the clock', () => {
    const policy = policyOf({ waves: [{ name: 'first', projects: ['shop'], soak: '5m' }] });
    const decisions = new Decisions({ spec: specOf(policy) });
    const late = waiting('z', { project: 'ads' });
    decisions.next(0, [waiting('a'), late]);
    decisions.next(60, [moved('a'), late]);
    decisions.next(-86_400, [moved('a'), late]);
    expect(decisions.next(-86_101, [moved('a'), late]).waves?.[0]?.phase).toBe('Soaking');
    expect(decisions.next(-86_100, [moved('a'), late]).waves?.[0]?.phase).toBe('Completed');
  });

  it('does not wait for a time at which all of many workloads are ready', () => {
    const policy = policyOf({
      waves: [{ name: 'first', projects: ['shop'], soak: '1m' }],
      budget: { workloads: 100, workloadsPerProject: 100 },
    });
    const decisions = new Decisions({ spec: specOf(policy) });
    const peers = Array.from({ length: 100 }, (_, index) =>
      waiting(`peer-${index}`, { project: 'ads', isReady: index > 1 }),
    );
    const first = Array.from({ length: 50 }, (_, index) => `first-${index}`);
    decisions.next(0, [...first.map((uid) => waiting(uid)), ...peers.map((one) => ({ ...one, isReady: true }))]);
    decisions.next(60, [...first.map((uid) => moved(uid)), ...peers]);
    const unready = (count: number) => first.map((uid, index) => moved(uid, { isReady: index >= count }));
    expect(decisions.next(100, [...unready(3), ...peers]).waves?.[0]).not.toHaveProperty('changed');
    decisions.next(120, [...unready(2), ...peers]);
    expect(decisions.next(180, [...unready(2), ...peers]).waves?.[0]?.phase).toBe('Completed');
  });

  it('releases workloads that are not ready last, and never judges the revision by them', () => {
    const policy = policyOf({ waves: [], soak: '0s', budget: { workloads: 1 } });
    const decisions = new Decisions({ spec: specOf(policy) });
    decisions.next(0, [waiting('a'), waiting('b')]);
    const [first = ''] = uidsIn(decisions.next(1, [waiting('a'), waiting('b')]));
    const second = first === 'a' ? 'b' : 'a';
    // One breaks by itself, and another is created and never becomes ready.
    const broken = [
      waiting(second, { isReady: false }),
      waiting('new', { isReady: false, created: '2026-03-01T12:00:30Z' }),
    ];
    const last = decisions.next(60, [moved(first), ...broken]);
    expect(last).toMatchObject({ wave: 'unready', phase: 'Progressing' });
    const [third = ''] = uidsIn(last);
    expect(last.unready).toEqual([third]);
    const failed = broken.map((one) => ({ ...one, isMoved: true, failure: 'AppCrashLoop: it crashes' }));
    const crashed = (uid: string) => failed.find((one) => one.uid === uid) ?? moved(uid);
    const fourth = decisions.next(70, [moved(first), crashed(third), ...broken.filter(({ uid }) => uid !== third)]);
    expect(fourth.unready).toHaveLength(2);
    expect(decisions.next(80, [moved(first), ...failed]).phase).toBe('Completed');
  });
});
