import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Input } from '../../lib/api';
import { type Deployment } from '../../lib/contract';
import { behaviour } from '../control-plane/pod-behaviour';
import { Mortal, type Death } from '../submission/mortal';
import { Publishing } from '../submission/publishing';
import { describePinion, type LiveDocument, smallTemplate, workloadOf } from './pinion-suite';
import { EngineInProcess, person } from './submission-engine';

const dev = person('mia@example.com', 'shop-developers');
const stages = (after: string) => [{ name: 'prod', stop: { after, action: 'rollBack' as const } }];
/** Steps that are walked at the same time, each in a namespace of its own: a process that leads drives all that it finds. */
const atOnce = 4;

const service = (project: string, name: string, tag: string, crashes = false) => {
  const { spec } = smallTemplate();
  const pod = { ...spec, containers: [{ name: 'app', image: `registry.example.com/app:${tag}` }] };
  const metadata = crashes ? { metadata: { annotations: { [behaviour.crashLoop]: 'app' } } } : {};
  const template: Input<'PinterestService'>['spec']['template'] = { ...metadata, spec: pod };
  return workloadOf('PinterestService', project, name, { replicas: 1, template });
};

/** What must have come of a deployment, wherever its process died. */
export interface CrashOutcome {
  /** 2.0.0, which is good, or 3.0.0, of which one workload crashes. */
  readonly version: string;
  readonly phase: Deployment['phase'];
  /** Version that runs in the end. */
  readonly runs: string;
  /** How often each workload was changed. */
  readonly changes: number;
}

/** A suite that walks all writes of a deployment, and kills the process before, or after, each of them. */
export function describeCrash(title: string, { version, phase, runs, changes }: CrashOutcome): void {
  describePinion(title, (pinion) => {
    let folder: string;
    let publishing: Publishing;
    beforeAll(async () => {
      folder = mkdtempSync(join(pinion().cluster.folder, 'artifacts-'));
      publishing = new Publishing(folder);
    }, 60_000);

    /** A project in which version 1 of two workloads is Ready. */
    async function standing(project: string, home: string): Promise<readonly LiveDocument[]> {
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home } };
      await pinion().cluster.client.request('POST', '/api/v1/namespaces', namespace);
      const members = [{ kind: 'Group' as const, name: 'shop-developers', role: 'edit' as const }];
      await pinion().project(project, { members });
      const first = ['cart', 'till'].map((name) => service(project, name, '1.0.0'));
      await publishing.publish(project, '1.0.0', first, stages('90s'));
      const good = ['cart', 'till'].map((name) => service(project, name, '2.0.0'));
      await publishing.publish(project, '2.0.0', good, stages('90s'));
      const bad = ['cart', 'till'].map((name) => service(project, name, '3.0.0', name === 'till'));
      await publishing.publish(project, '3.0.0', bad, stages('10s'));
      const engine = new EngineInProcess(pinion(), folder, undefined, publishing, home);
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
      home: string,
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
      const first = new EngineInProcess(pinion(), folder, mortal, publishing, home);
      await first.start();
      const outcome = first.engine.deploy(asked, request).then(
        ({ id }) => first.ended(dev, id).then(() => 'ended'),
        () => new Promise<string>((resolve) => void mortal.dead.then(() => resolve('died'))),
      );
      const died = (await Promise.race([outcome, mortal.dead.then(() => 'died')])) === 'died';
      await first.stop();
      const second = new EngineInProcess(pinion(), folder, undefined, publishing, home);
      await second.start();
      const { id } = await second.engine.deploy(asked, request);
      const { deployment } = await second.ended(dev, id);
      const all = await second.engine.deployments(dev, { project, limit: 1000 });
      const ids = all.items.filter((one) => one.version === version).length;
      await second.stop();
      expect([...first.errors, ...second.errors]).toEqual([]);
      return { phase: deployment.phase, died, seen: mortal.seen, ids };
    }

    /** Walks one step; false where the deployment was over before it. */
    async function step(at: number, moment: Death['moment']): Promise<boolean> {
      const project = `walk-${moment}-${at}`;
      const home = `${project}-home`;
      const before = await standing(project, home);
      const through = await deployedThrough(project, home, version, { at, moment });
      const after = await lives(project);
      const where = `killed ${moment} write ${at}: ${through.seen.at(-1)}`;
      const generations = after.map(
        ({ metadata }, index) => metadata.generation - (before[index]?.metadata.generation ?? 0),
      );
      const found = { where, phase: through.phase, ids: through.ids, tags: tagsOf(after), generations };
      expect(found).toEqual({ where, phase, ids: 1, tags: [runs, runs], generations: [changes, changes] });
      return through.died;
    }

    test.each(['before', 'after'] as const)(
      'whichever write it dies %s, it is one deployment, and its end is whole',
      async (moment) => {
        for (let first = 1; ; first += atOnce) {
          const walked = await Promise.all(Array.from({ length: atOnce }, (_, index) => step(first + index, moment)));
          if (walked.every((died) => died)) continue;
          expect(first + walked.indexOf(false)).toBeGreaterThan(6);
          return;
        }
      },
      600_000,
    );
  });
}
