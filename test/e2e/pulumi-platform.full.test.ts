import { parseManifest, type PlatformManifest } from '../../lib/api';
import { expandPlatform, resolvePlatform, type PlatformContext } from '../../lib/expand';
import { planPlatformStack, type PlatformStackInput } from '../../stacks/plan';
import { findBinaries } from '../control-plane/binaries';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { type Aws, awsMissing, startAws } from '../pulumi-engine/aws/aws';
import { EmulatedAws } from '../pulumi-engine/aws/emulated-aws';
import { automationDoor, commandDoor, type Door } from '../pulumi-engine/gateway';
import { Engine } from '../pulumi-engine/engine';
import { type GrpcServer } from '../pulumi-engine/grpc-server';
import { languageHost } from '../pulumi-engine/language-host';
import { providerServer } from '../pulumi-engine/provider-server';
import { RealKubernetes } from '../pulumi-engine/real-kubernetes';
import { smallCluster } from '../stacks/plan/make-cluster';
import { plainFacts } from '../stacks/plan/platform/make-facts';
import { openProject } from './cluster-state';

const found = findBinaries(['pulumi']);
const missing = 'skipped' in found ? found.skipped : awsMissing;
const reason = missing === undefined ? '' : ` (skipped: ${missing})`;
const testEngine = missing === undefined ? test : test.skip;
const description = { ...smallCluster, network: { services: '10.96.0.0/16' } };
const { controllerImage, nodeLifecycleImage } = plainFacts;
const platform = { controllerImage, nodeLifecycleImage, platform: plainFacts.platform };

const toShop = ['--stack', 'platform-shop'];
const isReading = (verb: string): boolean => ['get', 'list', 'watch'].includes(verb);

// A run takes 10 to 40 s on a machine that does nothing else.
jest.setTimeout(400_000);

/** An object as the server stores it. */
interface StoredObject {
  readonly metadata: { readonly resourceVersion: string };
}

describeControlPlane(`the stack platform, by the real engine on a real API server${reason}`, (controlPlane) => {
  const servers: GrpcServer[] = [];
  const listening = (server: GrpcServer): Promise<number> => {
    servers.push(server);
    return server.start();
  };
  let aws: Aws;
  let engine: Engine;
  let byCommand: Door;
  let byProgram: Door;
  let kubernetes: GrpcServer;
  let stages: ReturnType<typeof planPlatformStack> = [];

  /** What the controller makes of a Project, by the function that it makes it with. */
  async function settle(object: SendableObject): Promise<void> {
    if (object.kind !== 'Project') return;
    const documents = stages
      .flatMap(({ objects }) => objects)
      .filter(({ kind }) => ['Platform', 'RuntimeProfile', 'Project'].includes(kind))
      .map((document) => parseManifest(document as never)) as PlatformManifest[];
    const cluster: PlatformContext = resolvePlatform(documents);
    for (const one of expandPlatform(cluster)) await controlPlane().client.applyForReal(one as never);
    await openProject(controlPlane().client, cluster.project(object.metadata.name ?? '').project, cluster);
  }
  /** Version of every object as it is stored; undefined where there is none. */
  const versions = (): Promise<(string | undefined)[]> =>
    Promise.all(
      stages
        .flatMap(({ objects }) => objects)
        // The server itself writes the status of an APIService whose server is not there.
        .filter(({ kind }) => kind !== 'APIService')
        .map(async (object) => {
          const { client } = controlPlane();
          if (!(await client.discovery.serves(object.apiVersion, object.kind))) return undefined;
          const { status, body } = await client.get(object as unknown as SendableObject);
          return status === 200 ? (body as StoredObject).metadata.resourceVersion : undefined;
        }),
    );

  /** Objects of the stack that are still there. */
  const left = async (): Promise<string[]> => {
    const objects = stages.flatMap((stage) => stage.objects).filter(({ kind }) => kind !== 'APIService');
    const found = await versions();
    return objects
      .filter((_object, index) => found[index] !== undefined)
      .map(({ kind, metadata: { name } }) => `${kind} ${name}`);
  };

  beforeAll(async () => {
    if (missing !== undefined || !('paths' in found)) return;
    aws = await startAws();
    kubernetes = providerServer(new RealKubernetes(controlPlane().client, settle));
    engine = new Engine(found.paths.pulumi, await listening(languageHost()), {
      aws: await listening(providerServer(new EmulatedAws(aws))),
      kubernetes: await listening(kubernetes),
    });
    const cluster = await engine.stack('cluster-shop', { cluster: description });
    const { outputs } = await cluster.up();
    stages = planPlatformStack({ ...(outputs['platformInputs']?.value as PlatformStackInput), ...platform });
    byProgram = automationDoor(engine, await engine.stack('platform-shop', { platform }));
    byCommand = commandDoor(engine, 'platform-shop');
    const secret = ['--secret', 'kubeconfig', 'token: nobody-may-read-this'];
    await engine.command('config', 'set', ...secret, '--stack', 'platform-shop');
  }, 300_000);
  afterAll(async () => {
    for (const server of servers) server.stop();
    if (missing !== undefined) return;
    engine.remove();
    await aws.stop();
  });

  testEngine('a preview on an empty cluster neither fails nor writes', async () => {
    const mark = controlPlane().audit.mark();
    const { create = 0, ...rest } = await byCommand('preview');
    expect([create > 100, rest]).toEqual([true, {}]);
    expect(await byProgram('preview')).toEqual({ create });
    expect(kubernetes.refusals).toEqual([]);
    const asked = controlPlane().audit.since(mark, { user: 'admin' });
    expect(asked.length).toBeGreaterThan(100);
    const written = asked.filter(({ verb, requestURI }) => !isReading(verb) && !requestURI.includes('dryRun=All'));
    expect(written.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
    expect((await versions()).filter((version) => version !== undefined)).toEqual([]);
  });

  testEngine('an update places every object of every stage', async () => {
    expect(Object.keys(await byCommand('up'))).toEqual(['create']);
    expect(kubernetes.refusals).toEqual([]);
    expect(await versions()).not.toContain(undefined);
  });

  testEngine('the same again writes nothing, and a refresh finds everything', async () => {
    const before = await versions();
    for (const door of [byCommand, byProgram]) {
      expect(Object.keys(await door('up'))).toEqual(['same']);
      expect(Object.keys(await door('refresh'))).toEqual(['same']);
    }
    expect(await versions()).toEqual(before);
  });

  testEngine('a newer image of the controller changes the Deployment of the controller alone', async () => {
    const before = await versions();
    const controllerImage = platform.controllerImage.replace(/:[^:]*$/, ':9.9.9');
    await engine.command('config', 'set', '--path', 'platform.controllerImage', controllerImage, ...toShop);
    const { same = 0, ...rest } = await byProgram('up');
    expect([same > 100, rest]).toEqual([true, { update: 1 }]);
    const objects = stages.flatMap((stage) => stage.objects).filter(({ kind }) => kind !== 'APIService');
    const after = await versions();
    const changed = objects.filter((_object, index) => before[index] !== after[index]);
    expect(changed.map(({ kind, metadata: { name } }) => `${kind} ${name}`)).toEqual(['Deployment pinion-controller']);
  });

  testEngine('what was deleted by hand is found by a refresh, and placed again', async () => {
    const { client } = controlPlane();
    const metadata = { namespace: 'kube-system', name: 'kube-proxy' };
    const proxy = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata };
    expect((await client.delete(proxy)).status).toBe(200);
    expect(await byCommand('refresh')).toMatchObject({ delete: 1 });
    expect(await byCommand('up')).toMatchObject({ create: 1 });
    expect((await client.get(proxy)).status).toBe(200);
  });

  testEngine('credentials of the cluster are in no part of the state, and in nothing that was printed', () => {
    expect(engine.state('platform-shop')).toContain('"kubeconfig"');
    for (const text of [engine.state('platform-shop'), engine.printed(), engine.configuration('platform-shop')])
      expect(text).not.toMatch(/nobody-may-read-this|PRIVATE KEY/);
  });

  testEngine('it goes once the definitions of its kinds are given up by name', async () => {
    await expect(byCommand('destroy')).rejects.toThrow(/protected/);
    expect(await versions()).not.toContain(undefined);
    await engine.command('state', 'unprotect', '--all', '--yes', ...toShop);
    expect(Object.keys(await byCommand('destroy'))).toEqual(['delete']);
    expect(kubernetes.refusals).toEqual([]);
    expect((await left()).filter((one) => !/^(Namespace|CustomResourceDefinition) /.test(one))).toEqual([]);
  });
});
