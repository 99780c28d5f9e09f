import { CanaryStand } from '../operations/canary-stand';
import { slowFaults, testFaults } from './canary-faults';
import { describePinion } from './pinion-suite';

describePinion('detection of faults by the canary', (pinion) => {
  // Separate hooks, which finish before the cluster stops.
  describe('on a cluster', () => {
    let stand: CanaryStand;
    beforeAll(async () => {
      stand = await CanaryStand.make(pinion());
    }, 180_000);
    afterAll(() => stand.close());

    testFaults(slowFaults, () => ({ pinion: pinion(), stand }));

    test('passes again after the fault is repaired and leaves nothing behind', async () => {
      const { cases } = await stand.run({ kinds: ['PinterestService'], deploymentPaths: ['synth', 'controller'] });
      expect(cases.map(({ state }) => state)).toEqual(['passed', 'passed']);
      expect(await stand.leftovers()).toEqual([]);
    }, 300_000);
  });
});
