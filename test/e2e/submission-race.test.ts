import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type ManifestInput } from '../../lib/api';
import { type Deployment } from '../../lib/contract';
import { ProblemResponse } from '../../lib/submission';
import { Publishing } from '../submission/publishing';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';
import { EngineInProcess, home, person } from './submission-engine';

const projects = Array.from({ length: 20 }, (_, index) => `team-${index}`);
const callers = 50;
const quota = 6;
const workflows = ['alpha', 'beta', 'gamma'] as const;
const stages = [{ name: 'prod', stop: { timeout: '120s', onFailure: 'Keep' as const } }];

const service = (project: string, name: string, replicas: number) => {
  const template = smallTemplate() as ManifestInput<'PinterestService'>['spec']['template'];
  // No surge, so that a workload counts for its replicas.
  return workloadOf('PinterestService', project, name, {
    replicas,
    rollout: { maxSurge: 0, maxUnavailable: 1 },
    template,
  });
};

describePinion('fifty deployers on twenty projects, through two processes', (pinion) => {
  // Hooks of its own, which end before the cluster does.
  describe('at once', () => {
    let engines: readonly EngineInProcess[];
    beforeAll(async () => {
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home } };
      await pinion().cluster.client.request('POST', '/api/v1/namespaces', namespace);
      const folder = mkdtempSync(join(pinion().cluster.folder, 'artifacts-'));
      const publishing = new Publishing(folder);
      const members = [{ kind: 'Group' as const, name: 'everybody', role: 'edit' as const }];
      for (const project of projects) {
        await pinion().project(project, { members, quota: { pods: `${quota}` } });
        for (const name of workflows)
          for (const replicas of [1, 2, 3, 4])
            await publishing.publish(project, `1.0.${replicas}`, [service(project, name, replicas)], stages, name);
      }
      engines = [0, 1].map(() => new EngineInProcess(pinion(), folder, undefined, publishing));
      await Promise.all(engines.map((engine, index) => engine.start({ leads: index === 0 })));
    }, 240_000);
    afterAll(async () => {
      for (const engine of engines) await engine.stop();
    });

    test('no quota is exceeded by what was accepted, and the last one accepted is what runs', async () => {
      const accepted: Deployment[] = [];
      let refused = 0;
      const deployer = async (index: number): Promise<void> => {
        const caller = person(`person-${index}@example.com`, 'everybody');
        for (let round = 0; round < 4; round++) {
          const pick = index * 7 + round * 13;
          const [project, name] = [projects[pick % projects.length], workflows[(index + round) % workflows.length]];
          const artifact = `${project}/${name}@1.0.${1 + (pick % 4)}`;
          const engine = engines[(index + round) % engines.length]?.engine;
          try {
            const asked = { caller, idempotencyKey: `race-${index}-${round}` };
            accepted.push((await engine?.deploy(asked, { artifact, stage: 'prod' })) as Deployment);
          } catch (error) {
            if (!(error instanceof ProblemResponse)) throw error;
            expect(error.status).toBe(422);
            refused++;
          }
        }
      };
      const exceeded: string[] = [];
      let isOver = false;
      const watching = (async () => {
        while (!isOver) {
          for (const project of projects) {
            const found = await pinion().cluster.client.request(
              'GET',
              `/api/v1/namespaces/${project}/resourcequotas/project`,
            );
            const used = Number((found.body as { status?: { used?: { pods?: string } } }).status?.used?.pods ?? 0);
            if (used > quota) exceeded.push(`${project}: ${used}`);
          }
        }
      })();
      await Promise.all(Array.from({ length: callers }, (_, index) => deployer(index)));
      const [leader] = engines;
      const seer = person('seer@example.com', 'everybody');
      const ended = new Map<string, Deployment>();
      for (const { id } of accepted) ended.set(id, (await (leader as EngineInProcess).ended(seer, id)).deployment);
      isOver = true;
      await watching;
      expect(exceeded).toEqual([]);
      expect(refused).toBeGreaterThan(0);
      expect([...ended.values()].filter(({ phase }) => phase !== 'ready' && phase !== 'superseded')).toEqual([]);
      for (const project of projects) {
        const mine = [...ended.values()].filter((one) => one.project === project);
        // Numbers are given once, whichever process gave them.
        expect(new Set(mine.map(({ sequence }) => sequence)).size).toBe(mine.length);
        const promised: number[] = [];
        for (const name of workflows) {
          const live = await pinion().read('PinterestService', project, name);
          const [last] = mine.filter(({ workflow }) => workflow === name).sort((a, b) => b.sequence - a.sequence);
          const annotations = (live?.metadata as { annotations?: Record<string, string> } | undefined)?.annotations;
          expect(annotations?.['pinterest.com/artifact-digest']).toBe(last?.digest);
          if (live) promised.push(Number(live.spec['replicas']));
        }
        expect(promised.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(quota);
      }
      for (const engine of engines) expect(engine.errors).toEqual([]);
    }, 300_000);
  });
});
