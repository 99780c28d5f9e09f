import { type SendableObject } from '../../control-plane/client';
import { JobSetController } from '../../control-plane/jobset-controller';
import { barePlatform } from '../../local/bare-platform';
import { SeededRandom } from '../chaos/seeded-random';
import { describePinion } from '../pinion-suite';
import { compareSet, type SetComparison } from './compare-set';
import { generateSet } from './generated-set';
import { Readings } from './readings';
import { jobSetManifest, pinionManifest } from './set-manifests';
import { jobSetDialect, pinionDialect } from './set-state';
import { Side } from './side';

/** Number of compared sets, how many run at a time, and the number of random events of each. */
export interface ParitySize {
  readonly sets: number;
  readonly concurrency: number;
  readonly randomEvents: number;
}

/** Defines a suite that runs generated sets under pinion's controller and under the JobSet controller; PINION_SEED repeats one. */
export function describeParity(title: string, { sets, concurrency, randomEvents }: ParitySize): void {
  const given = process.env['PINION_SEED'];
  const first = Math.floor(Math.random() * 1e6) * 1000;
  const seeds = given === undefined ? Array.from({ length: sets }, (_, index) => first + index) : [Number(given)];
  describePinion(
    title,
    (pinion) => {
      let readings: Readings;
      let stop: (() => Promise<void>) | undefined;
      beforeAll(async () => {
        const { cluster } = pinion();
        const { client } = cluster;
        stop = await (await JobSetController.install(cluster)).start();
        readings = new Readings({
          ours: new Side({
            client,
            namespace: await pinion().project('ours'),
            resource: 'pinterest.com/v1/pinterestjobsets',
            dialect: pinionDialect,
            manifestOf: (set, namespace) => pinionManifest(set, namespace) as SendableObject,
          }),
          theirs: new Side({
            client,
            namespace: await cluster.namespace('theirs'),
            resource: 'jobset.x-k8s.io/v1alpha2/jobsets',
            dialect: jobSetDialect,
            manifestOf: jobSetManifest,
          }),
        });
      }, 240_000);
      afterAll(async () => stop?.(), 60_000);

      test(
        `${seeds.length} sets behave like JobSets, from seed ${seeds[0]}`,
        async () => {
          const comparisons = await inTurn(seeds, concurrency, async (seed) => {
            const random = new SeededRandom(seed);
            const comparison = await compareSet({
              set: generateSet(seed, random.fork('set')),
              readings,
              random: random.fork('events'),
              randomEvents,
            });
            // A run of many sets may be interrupted.
            if (comparison.difference) process.stderr.write(`${describeDifference(comparison)}\n`);
            return comparison;
          });
          expect(comparisons.filter(({ difference }) => difference).map(describeDifference)).toEqual([]);
          process.stderr.write(`${summaryOf(comparisons)}\n`);
        },
        (sets / concurrency) * 400_000 + 300_000,
      );
    },
    { documents: [...barePlatform] },
  );
}

const describeDifference = ({ set, events, difference }: SetComparison): string =>
  [
    `PINION_SEED=${set.name.slice('set-'.length)}`,
    ...[set, events, difference].map((each) => JSON.stringify(each, null, 1)),
  ].join('\n');

/** Returns how many sets ended in which way, so that a log shows what was compared. */
function summaryOf(comparisons: readonly SetComparison[]): string {
  const counts = new Map<string, number>();
  const count = (what: string, by = 1): void => void counts.set(what, (counts.get(what) ?? 0) + by);
  for (const { events, last } of comparisons) {
    count('events', events.length);
    count('restarts', last?.restarts);
    count(last?.end?.byRule ? 'failed by rule' : (last?.end?.outcome.toLowerCase() ?? 'not ended'));
  }
  return [...counts].map(([what, number]) => `${number} ${what}`).join(', ');
}

/** Processes seeds, a limited number at a time; keeps the order of the results. */
async function inTurn<R>(seeds: readonly number[], limit: number, work: (seed: number) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array<R>(seeds.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < seeds.length; index = next++) results[index] = await work(seeds[index] as number);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
