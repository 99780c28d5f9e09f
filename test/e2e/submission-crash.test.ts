import { changesSince, CrashRecovery, tagsOf } from './crash-recovery';
import { describePinion } from './pinion-suite';

describePinion('a submission service that is killed during a deployment', (pinion) => {
  let deployments: CrashRecovery;
  beforeAll(async () => {
    deployments = await CrashRecovery.create(pinion());
  }, 60_000);

  test.each(['before', 'after'] as const)(
    'applies the version once and completely when it is killed %s each write',
    async (moment) => {
      for (let at = 1; ; at++) {
        const project = `good-${moment}-${at}`;
        const before = await deployments.createProject(project);
        const { phase, hasCrashed, writes, ids } = await deployments.deployWithCrash(project, '2.0.0', { at, moment });
        const after = await deployments.liveWorkloads(project);
        const crash = `killed ${moment} write ${at}: ${writes.at(-1)}`;
        expect({ crash, phase, ids, tags: tagsOf(after), changes: changesSince(before, after) }).toEqual({
          crash,
          phase: 'ready',
          ids: 1,
          tags: ['2.0.0', '2.0.0'],
          changes: [1, 1],
        });
        if (!hasCrashed) {
          expect(at).toBeGreaterThan(6);
          return;
        }
      }
    },
    300_000,
  );
});
