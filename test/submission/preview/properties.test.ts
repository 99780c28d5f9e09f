import fc from 'fast-check';
import { addAmounts, amountsOf, compareQuantities, type ResourceList, type ManifestInput } from '../../../lib/api';
import { makeCronJob, makeJobSet, makeService, makeStatefulSet, makeTrainingJob } from '../../../lib/testing';
import { type TargetSnapshot } from '../../../lib/submission/preview/target-snapshot';
import { previewDeployment, liveWorkload, pods, targetOf } from './preview-fixture';

const runs = { numRuns: 30 };
const cpu = fc.constantFrom('100m', '250m', '1', '1500m', '3');
const surge = fc.oneof(
  fc.integer({ min: 1, max: 4 }),
  fc.integer({ min: 1, max: 100 }).map((share) => `${share}%`),
);

/** Workloads by the field that scales them, with its name in messages. */
const scalable = {
  replicas: (number: number, each: string, maxSurge: number | string): ManifestInput =>
    makeService({ replicas: number, rollout: { maxSurge }, ...pods(each) }),
  'autoscaling.maxReplicas': (number: number, each: string, maxSurge: number | string): ManifestInput =>
    makeService({ autoscaling: { minReplicas: 2, maxReplicas: number }, rollout: { maxSurge }, ...pods(each) }),
  members: (number: number, each: string): ManifestInput => makeStatefulSet({ replicas: number, ...pods(each) }),
  parallelism: (number: number, each: string): ManifestInput =>
    makeJobSet({ shards: 400, parallelism: number, ...pods(each) }),
  differing: (number: number, each: string): ManifestInput =>
    makeJobSet({
      shards: 24,
      parallelism: Math.min(number, 24),
      overrides: [{ shards: [0, 7], resources: { requests: { cpu: '4' } } }],
      ...pods(each),
    }),
  runs: (number: number, each: string): ManifestInput =>
    makeCronJob({ completions: 400, parallelism: number, ...pods(each) }),
  'roles.worker.replicas': (number: number, each: string): ManifestInput =>
    makeTrainingJob({ roles: { master: {}, worker: { replicas: number } }, ...pods(each) }),
};

describe('the suggested size', () => {
  test.each(Object.keys(scalable) as (keyof typeof scalable)[])(
    'fits, and one more would not, for a workload that scales by %s',
    (field) =>
      fc.assert(
        fc.property(
          fc.integer({ min: 3, max: 120 }),
          cpu,
          surge,
          fc.integer({ min: 1, max: 60 }),
          fc.integer({ min: 1, max: 40 }),
          (number, each, maxSurge, cores, maxPods) => {
            const target = targetOf({ project: { quota: { 'requests.cpu': String(cores), pods: String(maxPods) } } });
            const previewWith = (size: number) =>
              previewDeployment({ target, artifact: [scalable[field](size, each, maxSurge)] });
            const { preview } = previewWith(number);
            if (preview.fits) return expect(preview.nearestFit).toBeUndefined();
            const match = /^(\w+ app) fits with ([\w.]+) (\d+) instead of (\d+)/.exec(preview.nearestFit ?? '');
            const min = field === 'autoscaling.maxReplicas' ? 2 : 1;
            const current = field === 'differing' ? Math.min(number, 24) : number;
            if (!match) return expect(current > min && previewWith(min).preview.fits).toBe(false);
            const fit = Number(match[3]);
            expect([previewWith(fit).preview.fits, previewWith(fit + 1).preview.fits, Number(match[4])]).toEqual([
              true,
              false,
              current,
            ]);
          },
        ),
        runs,
      ),
  );

  test('fits as a larger quota', () =>
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 120 }), cpu, fc.integer({ min: 1, max: 60 }), (number, each, cores) => {
        const withQuota = (hard: string) =>
          previewDeployment({
            target: targetOf({ project: { quota: { 'requests.cpu': hard } } }),
            artifact: [makeService({ replicas: number, ...pods(each) })],
            live: [liveWorkload(makeStatefulSet({ name: 'store', ...pods(each) }))],
          }).preview;
        const { nearestFit, fits } = withQuota(String(cores));
        if (fits) return;
        const larger = /it fits with requests\.cpu (\S+) instead/i.exec(nearestFit ?? '')?.[1];
        expect(withQuota(larger ?? '0').fits).toBe(true);
      }),
      runs,
    ));
});

describe('deployments that are accepted one after another', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const workload = fc.record({
    name: fc.constantFrom(...names),
    replicas: fc.integer({ min: 1, max: 12 }),
    each: cpu,
    kind: fc.constantFrom('service', 'set'),
  });
  const inputOf = ({ name, replicas, each, kind }: { name: string; replicas: number; each: string; kind: string }) =>
    kind === 'service'
      ? makeService({ name, replicas, ...pods(each) })
      : makeStatefulSet({
          name,
          replicas,
          volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '1Gi' }],
          ...pods(each),
        });
  const artifact = fc.uniqueArray(workload, {
    minLength: 1,
    maxLength: 3,
    selector: ({ name, kind }) => `${kind}/${name}`,
  });

  /** Returns the peaks of all workloads once all accepted deployments are applied. */
  const total = (target: TargetSnapshot, all: Iterable<ManifestInput>): ResourceList =>
    [...all].map((input) => target.peakOf(liveWorkload(input, { uid: JSON.stringify(input) }))).reduce(addAmounts, {});

  test('never exceed the quota together, regardless of how many are still active', () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ artifact, isApplied: fc.boolean() }), { minLength: 1, maxLength: 12 }),
        fc.record({ cores: fc.integer({ min: 1, max: 40 }), count: fc.integer({ min: 1, max: 30 }) }),
        (deployments, { cores, count }) => {
          const quota = { 'requests.cpu': String(cores), pods: String(count), 'requests.storage': '10Gi' };
          const target = targetOf({ project: { quota } });
          const hard = amountsOf(quota);
          const live = new Map<string, ManifestInput>();
          const submitted = new Map<string, ManifestInput>();
          const reservations = new Map<string, ResourceList>();
          for (const { artifact, isApplied } of deployments) {
            const inputs = artifact.map(inputOf);
            const found = previewDeployment({
              target,
              artifact: inputs,
              live: [...live.values()].map((input) => liveWorkload(input, { uid: JSON.stringify(input) })),
              reservations,
            });
            if (found.decision !== 'accept') continue;
            for (const input of inputs) submitted.set(`${input.kind}/${input.metadata.name}`, input);
            for (const [key, amounts] of found.requested) reservations.set(key, amounts);
            if (isApplied) {
              for (const [key, input] of submitted) live.set(key, input);
              reservations.clear();
            }
            for (const [name, amount] of Object.entries(total(target, submitted.values())))
              if (hard[name]) expect([name, compareQuantities(amount, hard[name])]).not.toEqual([name, 1]);
          }
        },
      ),
      runs,
    ));
});
