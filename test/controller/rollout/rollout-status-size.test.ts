import { decideRollout } from '../../../lib/controller/rollout/decide-rollout';
import { type RolloutStatus, type RolloutWorkload } from '../../../lib/controller/rollout/rollout-workload';
import { inputOf, moved, policyOf, specOf, start, waiting } from './rollout-input';

const count = 10_000;
const spec = specOf(policyOf({ budget: { workloads: 100, workloadsPerProject: 100 } }));

/** Returns the workloads of a large cluster, half of which have moved. */
const fleet = (): readonly RolloutWorkload[] =>
  Array.from({ length: count }, (_, index) => {
    const more = { project: `project-${index % 200}`, isReady: index % 50 !== 0 };
    const uid = `6f1c5a52-0000-4000-8000-${String(index).padStart(12, '0')}`;
    return index % 2 === 0 ? waiting(uid, more) : moved(uid, more);
  });

const decide = (workloads: readonly RolloutWorkload[], previous: RolloutStatus | undefined): RolloutStatus =>
  decideRollout({ ...inputOf(workloads, { spec, previous, now: start + 60_000 }) }).status;

test('the status of a rollout of 10,000 workloads is small', () => {
  const first = decide(fleet(), undefined);
  expect(JSON.stringify(first).length).toBeLessThan(256 * 1024);
  expect(first.workloads).toBe(count);
});

test('the largest status fits into an object', () => {
  const long = 'x'.repeat(5000);
  const workloads = fleet().map((one) => ({
    ...{ ...one, isReady: false, failure: long, key: 'k'.repeat(400) },
    blocked: one.isMoved ? undefined : long,
  }));
  expect(JSON.stringify(decide(workloads, undefined)).length).toBeLessThan(512 * 1024);
});
