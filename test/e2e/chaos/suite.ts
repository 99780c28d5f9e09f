import { describePinion } from '../pinion-suite';
import { killerOf, playRound, type RoundSize } from './round';

/** A suite of rounds with seeds in a row, or of the one round whose seed PINION_SEED names. */
export function describeChaos(title: string, rounds: number, size: RoundSize): void {
  const given = process.env['PINION_SEED'];
  const first = Math.floor(Math.random() * 1e6) * rounds;
  const seeds = given === undefined ? Array.from({ length: rounds }, (_, index) => first + index) : [Number(given)];
  describePinion(
    title,
    (pinion) => {
      test.each(seeds.map((seed) => [seed, killerOf(seed)] as const))(
        'all is as it should be after round %i: %s',
        (seed) => playRound(pinion(), seed, size),
        900_000,
      );
    },
    // Each round has controllers of its own.
    { withoutController: true, apiServerFlags: ['--etcd-compaction-interval=10s'] },
  );
}
