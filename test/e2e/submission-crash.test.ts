import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Input } from '../../lib/api';
import { behaviour } from '../control-plane/pod-behaviour';
import { Mortal, type Death } from '../submission/mortal';
import { Publishing } from '../submission/publishing';
import { describePinion, type LiveDocument, smallTemplate, workloadOf } from './pinion-suite';
import { EngineInProcess, home, person } from './submission-engine';

const dev = person('mia@example.com', 'shop-developers');
const stages = [{ name: 'prod', stop: { after: '8s', action: 'rollBack' as const } }];

const service = (project: string, name: string, tag: string, crashes = false) => {
  const { spec } = smallTemplate();
  const pod = { ...spec, containers: [{ name: 'app', image: `registry.example.com/app:${tag}` }] };
  const metadata = crashes ? { metadata: { annotations: { [behaviour.crashLoop]: 'app' } } } : {};
  const template: Input<'PinterestService'>['spec']['template'] = { ...metadata, spec: pod };
  return workloadOf('PinterestService', project, name, { replicas: 1, template });
};

describePinion('a service that is killed in the middle of a deployment', (pinion) => {
  let folder: string;
  let publishing: Publishing;
  beforeAll(async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home } };
    await pinion().cluster.client.request('POST', '/api/v1/namespaces', namespace);
    folder = mkdtempSync(join(pinion().cluster.folder, 'artifacts-'));
    publishing = new Publishing(folder);
  }, 60_000);

  /** A project in which version 1 of two workloads is Ready. */
  async function standing(project: string): Promise<readonly LiveDocument[]> {
    const members = [{ kind: 'Group' as const, name: 'shop-developers', role: 'edit' as const }];
    await pinion().project(project, { members });
    const first = ['cart', 'till'].map((name) => service(project, name, '1.0.0'));
    await publishing.publish(project, '1.0.0', first, stages);
    const good = ['cart', 'till'].map((name) => service(project, name, '2.0.0'));
    await publishing.publish(project, '2.0.0', good, stages);
    const bad = ['cart', 'till'].map((name) => service(project, name, '3.0.0', name === 'till'));
    await publishing.publish(project, '3.0.0', bad, stages);
    const engine = new EngineInProcess(pinion(), folder, undefined, publishing);
    await engine.start();
    const { deployment } = await engine.deploy(dev, `${project}/web@1.0.0`, 'prod');
    expect(deployment.phase).toBe('ready');
    await engine.stop();
    return lives(project);
  }

  const lives = async (project: string): Promise<readonly LiveDocument[]> =>
    Promise.all(
      ['cart', 'till'].map(async (name) => {
        const live = await pinion().read('PinterestService', project, name);
        if (!live) throw new Error(`${name} is gone`);
        return live;
      }),
    );

  const tagsOf = (documents: readonly LiveDocument[]): readonly (string | undefined)[] =>
    documents.map(({ spec }) => /app:([0-9.]+)/.exec(JSON.stringify(spec))?.[1]);

  /** Deploys by a process that dies, then by one that lives; the caller asks again under the same key. Gives the writes that were seen. */
  async function deployedThrough(
    project: string,
    version: string,
    death: Death,
  ): Promise<{
    readonly phase: string;
    readonly died: boolean;
    readonly seen: readonly string[];
    readonly ids: number;
  }> {
    const request = { artifact: `${project}/web@${version}`, stage: 'prod' };
    const asked = { caller: dev, idempotencyKey: `deploy-${project}-${version}` };
    const mortal = new Mortal(death);
    const first = new EngineInProcess(pinion(), folder, mortal, publishing);
    await first.start();
    const outcome = first.engine.deploy(asked, request).then(
      ({ id }) => first.ended(dev, id).then(() => 'ended'),
      () => new Promise<string>((resolve) => void mortal.dead.then(() => resolve('died'))),
    );
    const died = (await Promise.race([outcome, mortal.dead.then(() => 'died')])) === 'died';
    await first.stop();
    const second = new EngineInProcess(pinion(), folder, undefined, publishing);
    await second.start();
    const { id } = await second.engine.deploy(asked, request);
    const { deployment } = await second.ended(dev, id);
    const all = await second.engine.deployments(dev, { project, limit: 1000 });
    const ids = all.items.filter((one) => one.version === version).length;
    await second.stop();
    expect([...first.errors, ...second.errors]).toEqual([]);
    return { phase: deployment.phase, died, seen: mortal.seen, ids };
  }

  test.each(['before', 'after'] as const)(
    'whichever write it dies %s, the version is applied once and whole',
    async (moment) => {
      for (let at = 1; ; at++) {
        const project = `good-${moment}-${at}`;
        const before = await standing(project);
        const { phase, died, seen, ids } = await deployedThrough(project, '2.0.0', { at, moment });
        const after = await lives(project);
        const where = `killed ${moment} write ${at}: ${seen.at(-1)}`;
        expect({ where, phase, ids, tags: tagsOf(after) }).toEqual({
          where,
          phase: 'ready',
          ids: 1,
          tags: ['2.0.0', '2.0.0'],
        });
        const generations = after.map(
          ({ metadata }, index) => metadata.generation - (before[index]?.metadata.generation ?? 0),
        );
        expect({ where, generations }).toEqual({ where, generations: [1, 1] });
        if (!died) {
          expect(at).toBeGreaterThan(6);
          return;
        }
      }
    },
    300_000,
  );
});
