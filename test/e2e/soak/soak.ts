import { restVerdict } from '../chaos/audit-verdict';
import { Chance } from '../chaos/chance';
import { type PinionCluster, describePinion } from '../pinion-suite';
import { collecting, type Plateau, plateauOf } from './plateau';
import { wave, type WaveSize } from './wave';

/** How long a soak is. */
export interface SoakSize extends WaveSize {
  /** Waves before the first look: code is compiled and caches are filled. */
  readonly warmUp: number;
  readonly waves: number;
  /** How much the heap may have grown in the end, in bytes. */
  readonly growth: number;
}

/** Failures are told by events, which go by their age. */
const fleeting = new Set(['Event']);
/** Connections that idle are kept for a minute, with a timer each: at one look there are some more than at another. */
const idle: Readonly<Record<string, number>> = { TCPSocketWrap: 24, Timeout: 24, TCPWRAP: 24 };

/** A suite that sends waves of workloads over a controller and looks at what stays behind. */
export function describeSoak(title: string, size: SoakSize): void {
  const seed = Number(process.env['PINION_SEED'] ?? Math.floor(Math.random() * 1e6));
  describePinion(
    `${title} (seed ${seed})`,
    (pinion) => {
      let empty: Plateau;
      let early: Plateau;
      let late: Plateau;
      beforeAll(async () => {
        [empty, early, late] = await soak(pinion(), size, seed);
      }, 5_400_000);

      test('the heap is as large as it was many workloads before', () => {
        process.stderr.write(`heap: ${empty.heap} empty, ${early.heap} early, ${late.heap} late\n`);
        expect(late.heap).toBeLessThan(early.heap + size.growth);
      });

      test('no timer, socket or other handle is left of them', () => {
        const left = Object.entries(late.resources).filter(([type, count]) => {
          const before = Math.max(empty.resources[type] ?? 0, early.resources[type] ?? 0);
          return count > before + (idle[type] ?? 1);
        });
        expect(Object.keys(late.resources)).toContain('Timeout');
        expect(left).toEqual([]);
      });

      test('nothing is mirrored any more that is gone', () => {
        const kept = ({ mirrored }: Plateau) =>
          Object.fromEntries(Object.entries(mirrored).filter(([kind]) => !fleeting.has(kind)));
        expect(Object.keys(kept(empty))).toContain('Deployment');
        expect(kept(late)).toEqual(kept(empty));
      });
    },
    { withoutController: true },
  );
}

/** Sends the waves; gives what there was before them, after the first ones, and after the last one. */
async function soak(
  pinion: PinionCluster,
  { warmUp, waves, ...size }: SoakSize,
  seed: number,
): Promise<[Plateau, Plateau, Plateau]> {
  const { cluster } = pinion;
  const controller = await pinion.startController({ nodeFlags: collecting });
  const project = await pinion.project('soak');
  const infrastructure = await pinion.project('soak-machines', { infrastructure: true });
  await pinion.ready('Platform', '', 'cluster');
  const look = async (): Promise<Plateau> => {
    const loud = await restVerdict(cluster.audit, 6000, 20);
    if (loud.length > 0) throw new Error(loud.join('\n'));
    return plateauOf(controller);
  };
  const chance = new Chance(seed);
  const send = async (from: number, to: number): Promise<void> => {
    for (let index = from; index < to; index++)
      await wave(cluster.client, { project, infrastructure }, chance.apart(`wave ${index}`), `w${index}`, size);
  };
  const empty = await look();
  await send(0, warmUp);
  const early = await look();
  await send(warmUp, warmUp + waves);
  return [empty, early, await look()];
}
