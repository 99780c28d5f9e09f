import { CrashRecovery, tagsOf, testEachCrash } from './crash-recovery';
import { describePinion } from './pinion-suite';

describePinion('a submission service that is killed during a deployment or a rollback', (pinion) => {
  let deployments: CrashRecovery;
  beforeAll(async () => {
    deployments = await CrashRecovery.create(pinion());
  }, 60_000);

  testEachCrash('before', () => deployments);

  // The next process knows only what was written, so that a kill before a write equals one after the previous write.
  test('restores the version before a bad one completely after a kill at each write', async () => {
    for (let at = 1; ; at++) {
      const project = `bad-${at}`;
      await deployments.createProject(project);
      const { phase, hasCrashed, writes, ids } = await deployments.deployWithCrash(project, '3.0.0', {
        at,
        moment: 'after',
      });
      const crash = `killed after write ${at}: ${writes.at(-1)}`;
      expect({ crash, phase, ids, tags: tagsOf(await deployments.liveWorkloads(project)) }).toEqual({
        crash,
        phase: 'rolledBack',
        ids: 1,
        tags: ['1.0.0', '1.0.0'],
      });
      if (!hasCrashed) {
        expect(at).toBeGreaterThan(10);
        return;
      }
    }
  }, 1_800_000);
});
