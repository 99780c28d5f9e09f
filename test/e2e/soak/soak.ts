import { checkIdleRequests } from '../chaos/check-audit-log';
import { SeededRandom } from '../chaos/seeded-random';
import { type PinionCluster, describePinion } from '../pinion-suite';
import { gcFlags, type ProcessResources, measureResources } from './process-resources';
import { wave, type WaveSize } from './wave';

/** Size of a soak test. */
export interface SoakSize extends WaveSize {
  /** Waves before the first measurement, in which code is compiled and caches are filled. */
  readonly warmUp: number;
  readonly waves: number;
  /** Maximum growth of the heap, in bytes. */
  readonly growth: number;
}

/** Events of failures expire with their age. */
const expiring = new Set(['Event']);
/** Idle connections are kept for a minute with a timer each, so that their number varies. */
const allowedVariation: Readonly<Record<string, number>> = { TCPSocketWrap: 24, Timeout: 24, TCPWRAP: 24 };

/** Defines a suite that sends waves of workloads to a controller and checks for leaks. */
export function describeSoak(title: string, size: SoakSize): void {
  const seed = Number(process.env['PINION_SEED'] ?? Math.floor(Math.random() * 1e6));
  describePinion(
    `${title} (seed ${seed})`,
    (pinion) => {
      let empty: ProcessResources;
      let early: ProcessResources;
      let late: ProcessResources;
      beforeAll(async () => {
        [empty, early, late] = await soak(pinion(), size, seed);
      }, 5_400_000);

      test('the heap does not grow with the number of past workloads', () => {
        process.stderr.write(`heap: ${empty.heap} empty, ${early.heap} early, ${late.heap} late\n`);
        expect(late.heap).toBeLessThan(early.heap + size.growth);
      });

      test('no timer, socket or other handle is leaked', () => {
        const leaked = Object.entries(late.resources).filter(([type, count]) => {
          const before = Math.max(empty.resources[type] ?? 0, early.resources[type] ?? 0);
          return count > before + (allowedVariation[type] ?? 1);
        });
        expect(Object.keys(late.resources)).toContain('Timeout');
        expect(leaked).toEqual([]);
      });

      test('deleted objects are removed from the cache', () => {
        const counts = ({ cached }: ProcessResources) =>
          Object.fromEntries(Object.entries(cached).filter(([kind]) => !expiring.has(kind)));
        expect(Object.keys(counts(empty))).toContain('Deployment');
        expect(counts(late)).toEqual(counts(empty));
      });
    },
    { withoutController: true },
  );
}

/** Sends the waves; returns the measurements before them, after the warm-up, and after the last one. */
async function soak(
  pinion: PinionCluster,
  { warmUp, waves, ...size }: SoakSize,
  seed: number,
): Promise<[ProcessResources, ProcessResources, ProcessResources]> {
  const { cluster } = pinion;
  const controller = await pinion.startController({ nodeFlags: gcFlags });
  const project = await pinion.project('soak');
  const infrastructure = await pinion.project('soak-machines', { infrastructure: true });
  await pinion.ready('Platform', '', 'cluster');
  const measure = async (): Promise<ProcessResources> => {
    const unexpected = await checkIdleRequests(cluster.audit, 6000, 20);
    if (unexpected.length > 0) throw new Error(unexpected.join('\n'));
    return measureResources(controller);
  };
  const random = new SeededRandom(seed);
  const send = async (from: number, to: number): Promise<void> => {
    for (let index = from; index < to; index++)
      await wave(cluster.client, { project, infrastructure }, random.fork(`wave ${index}`), `w${index}`, size);
  };
  const empty = await measure();
  await send(0, warmUp);
  const early = await measure();
  await send(warmUp, warmUp + waves);
  return [empty, early, await measure()];
}
