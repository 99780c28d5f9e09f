import { describePinion } from '../pinion-suite';
import { processFaultOf, runRound, type RoundSize } from './round';

/** Defines a suite of rounds with consecutive random seeds, or of one round with the seed PINION_SEED. */
export function describeChaos(title: string, rounds: number, size: RoundSize): void {
  const given = process.env['PINION_SEED'];
  const first = Math.floor(Math.random() * 1e6) * rounds;
  const seeds = given === undefined ? Array.from({ length: rounds }, (_, index) => first + index) : [Number(given)];
  describePinion(
    title,
    (pinion) => {
      test.each(seeds.map((seed) => [seed, processFaultOf(seed)] as const))(
        'recovers after round %i: %s',
        (seed) => runRound(pinion(), seed, size),
        900_000,
      );
    },
    // Each round starts its own controllers.
    { withoutController: true, apiServerFlags: ['--etcd-compaction-interval=10s'] },
  );
}
