import { describePinion } from './pinion-suite';
import { defineKilledRollouts } from './rollout/killed-rollouts';
import { historyFlags } from './rollout/object-history';
import { RolloutFleet, rolloutPlatform, rolloutProfile } from './rollout-fleet';

describePinion(
  'a hundred changes of the Platform with kills',
  (pinion) => {
    const fleet = new RolloutFleet(pinion);

    beforeAll(() => fleet.start(), 300_000);

    defineKilledRollouts(
      fleet,
      Array.from({ length: 100 }, (_, index) => 1 + index),
      { server: true },
    );
  },
  { documents: [rolloutPlatform('lean-1'), rolloutProfile('lean-1', '1')], apiServerFlags: historyFlags },
);
