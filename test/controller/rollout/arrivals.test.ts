import fc from 'fast-check';
import { rolloutProgressTime } from '../../../lib/expand';
import { nextRevisions } from '../../../lib/controller/revisions/needed-rollouts';
import { decideRollout } from '../../../lib/controller/rollout/decide-rollout';
import { type RolloutStatus, type RolloutWorkload } from '../../../lib/controller/rollout/rollout-workload';
import { inputOf, moved, policyOf, specOf, start, waiting } from './rollout-input';

const minute = 60_000;
const timeOf = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');

/** A rollout of healthy workloads that become ready within a minute, while others are created. */
function roll(
  policy: ReturnType<typeof policyOf>,
  arrivals: (minutes: number) => number,
  tierOf = (index: number): string => (index < 20 ? 'batch' : 'standard'),
) {
  const spec = specOf(policy);
  let workloads: readonly RolloutWorkload[] = Array.from({ length: 60 }, (_, index) =>
    waiting(`old-${index}`, { project: `project-${index % 20}`, tier: tierOf(index) }),
  );
  let status: RolloutStatus | undefined;
  let revisions: Parameters<typeof nextRevisions>[0] = { current: 'rev-b', completed: 'rev-a', rollout: 'rollout-2' };
  let created = 0;
  for (let minutes = 0; minutes < 24 * 60; minutes++) {
    const now = start + minutes * minute;
    // A new workload follows the last revision that was rolled out.
    for (let count = arrivals(minutes); count > 0 && revisions.completed === 'rev-a'; count--)
      workloads = [...workloads, waiting(`new-${created++}`, { created: timeOf(now), project: `new-${created % 20}` })];
    ({ status } = decideRollout({ ...inputOf(workloads), spec, previous: status, now }));
    const uids = new Set((status.transit ?? []).map(({ uid }) => uid));
    workloads = workloads.map((one) =>
      uids.has(one.uid) ? moved(one.uid, { ...one, isMoved: true, isSettled: true }) : one,
    );
    revisions = nextRevisions(revisions, 'rev-b', 2, [{ name: 'rollout-2', uid: 'uid', spec, status }]);
    if (status.phase === 'Completed') return { minutes, status, workloads };
  }
  throw new Error(`does not end: ${JSON.stringify(status)}`);
}

test.each([4, 20, 29])('a rollout of healthy workloads ends although one is created every %d minutes', (every) => {
  const policy = policyOf({ waves: [{ name: 'batch', tiers: ['batch'], soak: '30m' }], soak: '5m' });
  const { workloads, status } = roll(policy, (minutes) => (minutes % every === every - 1 ? 1 : 0));
  // None stays behind.
  expect(workloads.filter(({ isMoved }) => !isMoved)).toEqual([]);
  expect(status.message).toBe('all workloads that it could move are ready at the revision');
});

test('a rollout of healthy workloads ends with the same waves under any arrival rate', () => {
  const policies = fc.record({
    soak: fc.constantFrom('0s', '5m', '30m'),
    share: fc.integer({ min: 1, max: 100 }),
    workloads: fc.integer({ min: 2, max: 20 }),
  });
  const arrivals = fc.array(fc.nat(8), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(policies, arrivals, ({ soak, share, workloads }, counts) => {
      const policy = policyOf({ waves: [{ name: 'first', share, soak }], soak, budget: { workloads } });
      const rolled = roll(policy, (minutes) => (minutes === 0 ? 0 : (counts[minutes % counts.length] ?? 0)));
      expect(rolled.workloads.filter(({ isMoved }) => !isMoved)).toEqual([]);
      const alone = roll(policy, () => 0);
      const wavesOf = ({ waves = [] }: RolloutStatus) => waves.filter(({ name }) => name !== 'created');
      expect(wavesOf(rolled.status)).toEqual(wavesOf(alone.status));
    }),
    { numRuns: 20 },
  );
});

test('a soak that starts again and again is no progress, and names the workload', () => {
  const spec = specOf(policyOf({ waves: [], soak: '5m' }));
  let status: RolloutStatus | undefined;
  const decide = (minutes: number, workload: RolloutWorkload): RolloutStatus =>
    (status = decideRollout({ ...inputOf([workload]), spec, previous: status, now: start + minutes * minute }).status);
  const progress = () =>
    rolloutProgressTime({ metadata: { name: 'rollout-2' }, spec, status: status as RolloutStatus });
  decide(0, waiting('a'));
  decide(1, moved('a'));
  expect(progress()).toBe(start + 6 * minute);
  for (let minutes = 2; minutes < 60; minutes += 4) {
    expect(decide(minutes, moved('a', { isReady: false, isSettled: false }))).toMatchObject({
      reason: 'Soaking',
      message: expect.stringMatching(/starts again once .* healthy: PinterestService\/shop\/a$/),
    });
    expect(decide(minutes + 1, moved('a'))).toMatchObject({
      reason: 'Soaking',
      message: expect.stringContaining('started again at'),
    });
  }
  expect(progress()).toBe(start + 6 * minute);
});
