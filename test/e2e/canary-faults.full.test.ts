import { CanaryStand } from '../operations/canary-stand';
import { slowFaults, testFaults } from './canary-faults';
import { describePinion } from './pinion-suite';

describePinion('faults that the canary finds', (pinion) => {
  // Hooks of its own, which end before the cluster does.
  describe('on a cluster', () => {
    let stand: CanaryStand;
    beforeAll(async () => {
      stand = await CanaryStand.make(pinion());
    }, 180_000);
    afterAll(() => stand.close());

    testFaults(slowFaults, () => ({ pinion: pinion(), stand }));

    test('mended, it goes through again and leaves nothing', async () => {
      const { cases } = await stand.run({ kinds: ['PinterestService'], deploymentPaths: ['synth', 'controller'] });
      expect(cases.map(({ state }) => state)).toEqual(['passed', 'passed']);
      expect(await stand.leftovers()).toEqual([]);
    }, 300_000);
  });
});
