import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type ManifestInput } from '../../lib/api';
import { type Deployment } from '../../lib/contract';
import { ProblemResponse } from '../../lib/submission';
import { Publishing } from '../submission/publishing';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';
import { EngineInProcess, home, userOf } from './submission-engine';

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

describePinion('fifty deployers on twenty projects, through two replicas', (pinion) => {
  // A nested suite, whose hooks run before the cluster stops.
  describe('deploying concurrently', () => {
    let engines: readonly EngineInProcess[];
    beforeAll(async () => {
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home } };
      await pinion().cluster.client.request('POST', '/api/v1/namespaces', namespace);
      const folder = mkdtempSync(join(pinion().cluster.folder, 'artifacts-'));
      const publishing = new Publishing(folder);
      const members = [{ kind: 'Group' as const, name: 'developers', role: 'edit' as const }];
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

    test('accepted deployments exceed no quota, and the last accepted version runs', async () => {
      const accepted: Deployment[] = [];
      let rejectedCount = 0;
      const deployer = async (index: number): Promise<void> => {
        const caller = userOf(`user-${index}@example.com`, 'developers');
        for (let round = 0; round < 4; round++) {
          const pick = index * 7 + round * 13;
          const [project, name] = [projects[pick % projects.length], workflows[(index + round) % workflows.length]];
          const artifact = `${project}/${name}@1.0.${1 + (pick % 4)}`;
          const engine = engines[(index + round) % engines.length]?.engine;
          try {
            const context = { caller, idempotencyKey: `race-${index}-${round}` };
            accepted.push((await engine?.deploy(context, { artifact, stage: 'prod' })) as Deployment);
          } catch (error) {
            if (!(error instanceof ProblemResponse)) throw error;
            expect(error.status).toBe(422);
            rejectedCount++;
          }
        }
      };
      const exceeded: string[] = [];
      let isOver = false;
      const monitoring = (async () => {
        while (!isOver) {
          for (const project of projects) {
            const response = await pinion().cluster.client.request(
              'GET',
              `/api/v1/namespaces/${project}/resourcequotas/project`,
            );
            const used = Number((response.body as { status?: { used?: { pods?: string } } }).status?.used?.pods ?? 0);
            if (used > quota) exceeded.push(`${project}: ${used}`);
          }
        }
      })();
      await Promise.all(Array.from({ length: callers }, (_, index) => deployer(index)));
      const [leader] = engines;
      const reader = userOf('reader@example.com', 'developers');
      const ended = new Map<string, Deployment>();
      for (const { id } of accepted)
        ended.set(id, (await (leader as EngineInProcess).whenEnded(reader, id)).deployment);
      isOver = true;
      await monitoring;
      expect(exceeded).toEqual([]);
      expect(rejectedCount).toBeGreaterThan(0);
      expect([...ended.values()].filter(({ phase }) => phase !== 'ready' && phase !== 'superseded')).toEqual([]);
      for (const project of projects) {
        const ofProject = [...ended.values()].filter((one) => one.project === project);
        // Sequence numbers are unique across replicas.
        expect(new Set(ofProject.map(({ sequence }) => sequence)).size).toBe(ofProject.length);
        const requested: number[] = [];
        for (const name of workflows) {
          const live = await pinion().read('PinterestService', project, name);
          const [last] = ofProject.filter(({ workflow }) => workflow === name).sort((a, b) => b.sequence - a.sequence);
          const annotations = (live?.metadata as { annotations?: Record<string, string> } | undefined)?.annotations;
          expect(annotations?.['pinterest.com/artifact-digest']).toBe(last?.digest);
          if (live) requested.push(Number(live.spec['replicas']));
        }
        expect(requested.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(quota);
      }
      for (const engine of engines) expect(engine.errors).toEqual([]);
    }, 300_000);
  });
});
