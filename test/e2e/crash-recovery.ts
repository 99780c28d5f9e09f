import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type ManifestInput } from '../../lib/api';
import { podBehavior } from '../control-plane/pod-behavior';
import { CrashableProcess, type CrashPoint } from '../submission/crashable-process';
import { Publishing } from '../submission/publishing';
import { type LiveCustomResource, type PinionCluster, smallTemplate, workloadOf } from './pinion-suite';
import { EngineInProcess, home, userOf } from './submission-engine';

const developer = userOf('mia@example.com', 'shop-developers');
const stages = [{ name: 'prod', stop: { timeout: '8s', onFailure: 'Rollback' as const } }];
const workloadNames = ['cart', 'till'] as const;

/** Outcome of a deployment whose process crashed. */
export interface CrashOutcome {
  readonly phase: string;
  /** Whether the first process reached its crash. */
  readonly hasCrashed: boolean;
  /** Writes of the first process, in order. */
  readonly writes: readonly string[];
  /** Stored deployments of the version. */
  readonly ids: number;
}

const service = (project: string, name: string, tag: string, crashes: boolean) => {
  const { spec } = smallTemplate();
  const pod = { ...spec, containers: [{ name: 'app', image: `registry.example.com/app:${tag}` }] };
  const metadata = crashes ? { metadata: { annotations: { [podBehavior.crashLoop]: 'app' } } } : {};
  const template: ManifestInput<'PinterestService'>['spec']['template'] = { ...metadata, spec: pod };
  return workloadOf('PinterestService', project, name, { replicas: 1, template });
};

/** Deployments on a real control plane by an engine that crashes at a write and a second engine that continues. */
export class CrashRecovery {
  private constructor(
    private readonly pinion: PinionCluster,
    private readonly folder: string,
    private readonly publishing: Publishing,
  ) {}

  static async create(pinion: PinionCluster): Promise<CrashRecovery> {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home } };
    await pinion.cluster.client.request('POST', '/api/v1/namespaces', namespace);
    const folder = mkdtempSync(join(pinion.cluster.folder, 'artifacts-'));
    return new CrashRecovery(pinion, folder, new Publishing(folder));
  }

  /** Creates a project in which version 1 of two workloads is Ready, version 2 works and version 3 has a workload that crashes. */
  async createProject(project: string): Promise<readonly LiveCustomResource[]> {
    const members = [{ kind: 'Group' as const, name: 'shop-developers', role: 'edit' as const }];
    await this.pinion.project(project, { members });
    for (const tag of ['1.0.0', '2.0.0', '3.0.0']) {
      const workloads = workloadNames.map((name) => service(project, name, tag, tag === '3.0.0' && name === 'till'));
      await this.publishing.publish(project, tag, workloads, stages);
    }
    const engine = this.engine();
    await engine.start();
    const { deployment } = await engine.deploy(developer, `${project}/web@1.0.0`, 'prod');
    expect(deployment.phase).toBe('ready');
    await engine.stop();
    return this.liveWorkloads(project);
  }

  liveWorkloads(project: string): Promise<readonly LiveCustomResource[]> {
    return Promise.all(
      workloadNames.map(async (name) => {
        const live = await this.pinion.read('PinterestService', project, name);
        if (!live) throw new Error(`${name} is gone`);
        return live;
      }),
    );
  }

  /** Deploys with a process that crashes, then with one that continues; the caller retries with the same idempotency key. */
  async deployWithCrash(project: string, version: string, crashPoint: CrashPoint): Promise<CrashOutcome> {
    const request = { artifact: `${project}/web@${version}`, stage: 'prod' };
    const requestContext = { caller: developer, idempotencyKey: `deploy-${project}-${version}` };
    // A process that starts also releases the holds that earlier projects no longer need.
    const isFromOtherProject = (write: string) =>
      write.startsWith('remove holds/') && !write.includes(`/${project}%2F`);
    const crashable = new CrashableProcess(crashPoint, (write) => !isFromOtherProject(write));
    const first = this.engine(crashable);
    await first.start();
    const outcome = first.engine.deploy(requestContext, request).then(
      ({ id }) => first.whenEnded(developer, id).then(() => 'ended'),
      () => new Promise<string>((resolve) => void crashable.dead.then(() => resolve('died'))),
    );
    const hasCrashed = (await Promise.race([outcome, crashable.dead.then(() => 'died')])) === 'died';
    await first.stop();
    const second = this.engine();
    await second.start();
    const { id } = await second.engine.deploy(requestContext, request);
    const { deployment } = await second.whenEnded(developer, id);
    const all = await second.engine.deployments(developer, { project, limit: 1000 });
    const ids = all.items.filter((one) => one.version === version).length;
    await second.stop();
    expect([...first.errors, ...second.errors]).toEqual([]);
    return { phase: deployment.phase, hasCrashed, writes: crashable.seen, ids };
  }

  private engine(crashable?: CrashableProcess): EngineInProcess {
    return new EngineInProcess(this.pinion, this.folder, crashable, this.publishing);
  }
}

/** Image tags of the workloads. */
export const tagsOf = (documents: readonly LiveCustomResource[]): readonly (string | undefined)[] =>
  documents.map(({ spec }) => /app:([0-9.]+)/.exec(JSON.stringify(spec))?.[1]);

/** Returns how often the specs of the workloads changed since the mark. */
const changesSince = (before: readonly LiveCustomResource[], after: readonly LiveCustomResource[]): readonly number[] =>
  after.map(({ metadata }, index) => metadata.generation - (before[index]?.metadata.generation ?? 0));

/** Tests a deployment of a good version that is killed at each write in turn. */
export function testEachCrash(moment: CrashPoint['moment'], recovery: () => CrashRecovery): void {
  test(`applies the version once and completely when it is killed ${moment} each write`, async () => {
    const deployments = recovery();
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
  }, 300_000);
}
