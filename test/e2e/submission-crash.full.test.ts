import { MortalDeployments, tagsOf } from './mortal-deployments';
import { describePinion } from './pinion-suite';

describePinion('a submission service that is killed during the rollback of a bad version', (pinion) => {
  let deployments: MortalDeployments;
  beforeAll(async () => {
    deployments = await MortalDeployments.make(pinion());
  }, 60_000);

  // The next process knows only what was written, so that a kill before a write equals one after the previous write.
  test('restores the previous version completely after a kill at each write', async () => {
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
