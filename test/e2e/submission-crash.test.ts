import { changesSince, MortalDeployments, tagsOf } from './mortal-deployments';
import { describePinion } from './pinion-suite';

describePinion('a submission service that is killed during a deployment', (pinion) => {
  let deployments: MortalDeployments;
  beforeAll(async () => {
    deployments = await MortalDeployments.make(pinion());
  }, 60_000);

  test.each(['before', 'after'] as const)(
    'applies the version once and completely when it is killed %s each write',
    async (moment) => {
      for (let at = 1; ; at++) {
        const project = `good-${moment}-${at}`;
        const before = await deployments.standing(project);
        const { phase, died, seen, ids } = await deployments.deployedThrough(project, '2.0.0', { at, moment });
        const after = await deployments.lives(project);
        const where = `killed ${moment} write ${at}: ${seen.at(-1)}`;
        expect({ where, phase, ids, tags: tagsOf(after), changes: changesSince(before, after) }).toEqual({
          where,
          phase: 'ready',
          ids: 1,
          tags: ['2.0.0', '2.0.0'],
          changes: [1, 1],
        });
        if (!died) {
          expect(at).toBeGreaterThan(6);
          return;
        }
      }
    },
    300_000,
  );
});
