import { describePinion } from './pinion-suite';
import { defineGoodChanges } from './rollout/good-changes';
import { historyFlags } from './rollout/object-history';
import { RolloutFleet, rolloutPlatform, rolloutProfile } from './rollout-fleet';

describePinion(
  'many changes of the Platform',
  (pinion) => {
    const fleet = new RolloutFleet(pinion);

    beforeAll(() => fleet.start(), 300_000);

    defineGoodChanges(fleet, 20);
  },
  { documents: [rolloutPlatform('lean-1'), rolloutProfile('lean-1', '1')], apiServerFlags: historyFlags },
);
