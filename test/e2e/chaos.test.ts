import { everyKiller, killerOf, playRound } from './chaos/round';
import { type Places } from './chaos/population';
import { describePinion } from './pinion-suite';

const given = process.env['PINION_SEED'];
/** All faults of processes, each in one round; or the one round that is asked for again. */
const first = Math.floor(Math.random() * 1e6) * everyKiller;
const seeds = given === undefined ? Array.from({ length: everyKiller }, (_, index) => first + index) : [Number(given)];

describePinion(
  'chaos',
  (pinion) => {
    let places: Places;
    beforeAll(async () => {
      const project = await pinion().project('chaos');
      const infrastructure = await pinion().project('chaos-machines', { infrastructure: true });
      places = { project, infrastructure };
      await pinion().controller.stop(); // each round has its own
    });

    test.each(seeds.map((seed) => [seed, killerOf(seed)] as const))(
      'all is as it should be after round %i: %s',
      (seed) => playRound(pinion(), places, seed, { each: 1, actions: 14, spells: 2 }),
      600_000,
    );
  },
  { apiServerFlags: ['--etcd-compaction-interval=10s'] },
);
