import { CanaryTestbed } from '../operations/canary-testbed';
import { slowFaults, testFaults } from './canary-faults';
import { describePinion } from './pinion-suite';

describePinion('detection of faults by the canary', (pinion) => {
  // Separate hooks, which finish before the cluster stops.
  describe('on a cluster', () => {
    let testbed: CanaryTestbed;
    beforeAll(async () => {
      testbed = await CanaryTestbed.create(pinion());
    }, 180_000);
    afterAll(() => testbed.close());

    testFaults(slowFaults, () => ({ pinion: pinion(), testbed }));

    test('passes again after the fault is repaired and leaves nothing behind', async () => {
      const { cases } = await testbed.run({ kinds: ['PinterestService'], deploymentPaths: ['synth', 'controller'] });
      expect(cases.map(({ state }) => state)).toEqual(['passed', 'passed']);
      expect(await testbed.leftovers()).toEqual([]);
    }, 300_000);
  });
});
