import { MortalDeployments, tagsOf } from './mortal-deployments';
import { describePinion } from './pinion-suite';

describePinion('a service that is killed while a bad version is taken back', (pinion) => {
  let deployments: MortalDeployments;
  beforeAll(async () => {
    deployments = await MortalDeployments.make(pinion());
  }, 60_000);

  // What is written is all that the next process knows: to die before a write is to die after the one before it.
  test('whichever write it dies after, the previous version is back, whole', async () => {
    for (let at = 1; ; at++) {
      const project = `bad-${at}`;
      await deployments.standing(project);
      const { phase, died, seen, ids } = await deployments.deployedThrough(project, '3.0.0', { at, moment: 'after' });
      const where = `killed after write ${at}: ${seen.at(-1)}`;
      expect({ where, phase, ids, tags: tagsOf(await deployments.lives(project)) }).toEqual({
        where,
        phase: 'rolledBack',
        ids: 1,
        tags: ['1.0.0', '1.0.0'],
      });
      if (!died) {
        expect(at).toBeGreaterThan(10);
        return;
      }
    }
  }, 1_800_000);
});
