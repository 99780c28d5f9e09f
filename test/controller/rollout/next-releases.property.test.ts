import fc from 'fast-check';
import { nextReleases } from '../../../lib/controller/rollout/next-releases';
import { policyOf, waiting } from './rollout-input';

const workload = fc.record({
  project: fc.constantFrom('shop', 'feed', 'ads'),
  tier: fc.constantFrom('batch', 'critical'),
  pods: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(60)),
});
const budget = fc.record({
  workloads: fc.integer({ min: 1, max: 8 }),
  workloadsPerProject: fc.integer({ min: 1, max: 4 }),
  pods: fc.integer({ min: 1, max: 50 }),
  unready: fc.constantFrom({}, { critical: 2 }),
});

test('releases are in order, within every budget, and as many as fit', () => {
  fc.assert(
    fc.property(fc.array(workload), fc.nat(5), budget, fc.nat(3), (drawn, started, limits, unready) => {
      const all = drawn.map((one, index) => waiting(`uid-${index}`, one));
      const [moving, open] = [all.slice(0, started), all.slice(started)];
      const transit = moving.map(({ uid, key }) => ({
        uid,
        workload: key,
        revision: 'rev-b',
        wave: 'rest',
        since: '',
      }));
      const byUid = new Map(all.map((one) => [one.uid, one]));
      const unreadyByTier = new Map([
        ['critical', Array.from({ length: unready }, (_, index) => waiting(`unready-${index}`))],
      ]);
      const chosen = nextReleases({ open, transit, byUid, budget: policyOf({ budget: limits }).budget, unreadyByTier });
      expect(open.filter((one) => chosen.includes(one))).toEqual(chosen);
      const now = [...moving, ...chosen];
      const pods = now.reduce((sum, one) => sum + one.pods, 0);
      const inProject = (project: string) => now.filter((one) => one.project === project).length;
      const isClosed = (tier: string) => tier === 'critical' && 'critical' in limits.unready && unready >= 2;
      if (chosen.length > 0) {
        expect(now.length).toBeLessThanOrEqual(limits.workloads);
        expect(now.length === 1 || pods <= limits.pods).toBe(true);
        for (const { project, tier } of chosen) {
          expect(inProject(project)).toBeLessThanOrEqual(limits.workloadsPerProject);
          expect(isClosed(tier)).toBe(false);
        }
      }
      for (const one of open.filter((each) => !chosen.includes(each))) {
        const isFull = now.length >= limits.workloads || inProject(one.project) >= limits.workloadsPerProject;
        expect(isFull || isClosed(one.tier) || (now.length > 0 && pods + one.pods > limits.pods)).toBe(true);
      }
    }),
  );
});
