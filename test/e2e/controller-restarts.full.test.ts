import { defaultProfile } from '../../lib/expand';
import { runWithRestarts } from './controller-restarts';
import { ImageWatch } from './image-watch';
import { describePinion } from './pinion-suite';
import { RestartStory } from './restart-story';
import { members, platform, project, stages, users, verifiedProject } from './verified-project';

const seed = Number(process.env['PINION_SEED'] ?? Math.floor(Math.random() * 1e6));

describePinion(
  'the protection of workloads while the controller restarts',
  (pinion) => {
    test('no object follows an unproven spec, whenever the controller is killed', async () => {
      await pinion().project(project, { stages: stages(), members });
      const watch = await ImageWatch.start(pinion().cluster.kubeconfig, project);
      let sequence = 10;
      const scene = { pinion: pinion(), project: verifiedProject(pinion), watch };
      const { all } = new RestartStory({ ...scene, nextSequence: () => (sequence += 1) });
      try {
        await runWithRestarts(all, { ...scene, seed, kills: 2 });
      } finally {
        await watch.stop();
      }
      expect(all.length * 2).toBeGreaterThanOrEqual(20);
    }, 1_800_000);
  },
  { documents: [platform, defaultProfile], users },
);
