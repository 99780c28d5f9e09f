import { parseManifest, type PlatformManifest } from '../../lib/api';
import { expandPlatform, resolvePlatform, type PlatformContext } from '../../lib/expand';
import { planPlatformStack, type PlatformStackInput } from '../../stacks/plan';
import { findBinaries } from '../control-plane/binaries';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { type Aws, awsMissing, startAws } from '../pulumi-engine/aws/aws';
import { EmulatedAws } from '../pulumi-engine/aws/emulated-aws';
import { automationApi, commandLineInterface, type EngineInterface } from '../pulumi-engine/engine-interface';
import { Engine } from '../pulumi-engine/engine';
import { type GrpcServer } from '../pulumi-engine/grpc-server';
import { languageHost } from '../pulumi-engine/language-host';
import { providerServer } from '../pulumi-engine/provider-server';
import { RealKubernetes } from '../pulumi-engine/real-kubernetes';
import { smallCluster } from '../stacks/plan/make-cluster';
import { plainPlatformInput } from '../stacks/plan/platform/make-platform-input';
import { createProject } from './cluster-setup';

const binaries = findBinaries(['pulumi']);
const skipReason = 'skipped' in binaries ? binaries.skipped : awsMissing;
const reason = skipReason === undefined ? '' : ` (skipped: ${skipReason})`;
const testEngine = skipReason === undefined ? test : test.skip;
const description = { ...smallCluster, network: { services: '10.96.0.0/16' } };
const { controllerImage, nodeLifecycleImage } = plainPlatformInput;
const platform = { controllerImage, nodeLifecycleImage, platform: plainPlatformInput.platform };

const toShop = ['--stack', 'platform-shop'];
const isReadVerb = (verb: string): boolean => ['get', 'list', 'watch'].includes(verb);

// A run takes 10 to 40 s on an idle machine.
jest.setTimeout(400_000);

/** An object as the server stores it. */
interface StoredObject {
  readonly metadata: { readonly resourceVersion: string };
}

describeControlPlane(
  `the platform stack, deployed by the real Pulumi engine to a real API server${reason}`,
  (controlPlane) => {
    const servers: GrpcServer[] = [];
    const listening = (server: GrpcServer): Promise<number> => {
      servers.push(server);
      return server.start();
    };
    let aws: Aws;
    let engine: Engine;
    let viaCommand: EngineInterface;
    let viaProgram: EngineInterface;
    let kubernetes: GrpcServer;
    let stages: ReturnType<typeof planPlatformStack> = [];

    /** Creates the objects of a Project with the function that the controller uses. */
    async function createProjectObjects(object: SendableObject): Promise<void> {
      if (object.kind !== 'Project') return;
      const documents = stages
        .flatMap(({ objects }) => objects)
        .filter(({ kind }) => ['Platform', 'RuntimeProfile', 'Project'].includes(kind))
        .map((document) => parseManifest(document as never)) as PlatformManifest[];
      const cluster: PlatformContext = resolvePlatform(documents);
      for (const one of expandPlatform(cluster)) await controlPlane().client.apply(one as never);
      await createProject(controlPlane().client, cluster.project(object.metadata.name ?? '').project, cluster);
    }
    /** Returns the resource version of every object; undefined if it is missing. */
    const versions = (): Promise<(string | undefined)[]> =>
      Promise.all(
        stages
          .flatMap(({ objects }) => objects)
          // The API server writes the status of an APIService whose backend is missing.
          .filter(({ kind }) => kind !== 'APIService')
          .map(async (object) => {
            const { client } = controlPlane();
            if (!(await client.discovery.serves(object.apiVersion, object.kind))) return undefined;
            const { status, body } = await client.get(object as unknown as SendableObject);
            return status === 200 ? (body as StoredObject).metadata.resourceVersion : undefined;
          }),
      );

    /** Lists objects of the stack that still exist. */
    const remainingObjects = async (): Promise<string[]> => {
      const objects = stages.flatMap((stage) => stage.objects).filter(({ kind }) => kind !== 'APIService');
      const binaries = await versions();
      return objects
        .filter((_object, index) => binaries[index] !== undefined)
        .map(({ kind, metadata: { name } }) => `${kind} ${name}`);
    };

    beforeAll(async () => {
      if (skipReason !== undefined || !('paths' in binaries)) return;
      aws = await startAws();
      kubernetes = providerServer(new RealKubernetes(controlPlane().client, createProjectObjects));
      engine = new Engine(binaries.paths.pulumi, await listening(languageHost()), {
        aws: await listening(providerServer(new EmulatedAws(aws))),
        kubernetes: await listening(kubernetes),
      });
      const cluster = await engine.stack('cluster-shop', { cluster: description });
      const { outputs } = await cluster.up();
      stages = planPlatformStack({ ...(outputs['platformInputs']?.value as PlatformStackInput), ...platform });
      viaProgram = automationApi(engine, await engine.stack('platform-shop', { platform }));
      viaCommand = commandLineInterface(engine, 'platform-shop');
      const secret = ['--secret', 'kubeconfig', 'token: secret-marker'];
      await engine.command('config', 'set', ...secret, '--stack', 'platform-shop');
    }, 300_000);
    afterAll(async () => {
      for (const server of servers) server.stop();
      if (skipReason !== undefined) return;
      engine.remove();
      await aws.stop();
    });

    testEngine('a preview on an empty cluster succeeds and writes nothing', async () => {
      const mark = controlPlane().audit.mark();
      const { create = 0, ...rest } = await viaCommand('preview');
      expect([create > 100, rest]).toEqual([true, {}]);
      expect(await viaProgram('preview')).toEqual({ create });
      expect(kubernetes.errors).toEqual([]);
      const requests = controlPlane().audit.since(mark, { user: 'admin' });
      expect(requests.length).toBeGreaterThan(100);
      const written = requests.filter(
        ({ verb, requestURI }) => !isReadVerb(verb) && !requestURI.includes('dryRun=All'),
      );
      expect(written.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
      expect((await versions()).filter((version) => version !== undefined)).toEqual([]);
    });

    testEngine('an update creates every object of every stage', async () => {
      expect(Object.keys(await viaCommand('up'))).toEqual(['create']);
      expect(kubernetes.errors).toEqual([]);
      expect(await versions()).not.toContain(undefined);
    });

    testEngine('a repeated update writes nothing, and a refresh finds every object', async () => {
      const before = await versions();
      for (const runEngine of [viaCommand, viaProgram]) {
        expect(Object.keys(await runEngine('up'))).toEqual(['same']);
        expect(Object.keys(await runEngine('refresh'))).toEqual(['same']);
      }
      expect(await versions()).toEqual(before);
    });

    testEngine('a newer controller image changes only the Deployment of the controller', async () => {
      const before = await versions();
      const controllerImage = platform.controllerImage.replace(/:[^:]*$/, ':9.9.9');
      await engine.command('config', 'set', '--path', 'platform.controllerImage', controllerImage, ...toShop);
      const { same = 0, ...rest } = await viaProgram('up');
      expect([same > 100, rest]).toEqual([true, { update: 1 }]);
      const objects = stages.flatMap((stage) => stage.objects).filter(({ kind }) => kind !== 'APIService');
      const after = await versions();
      const changed = objects.filter((_object, index) => before[index] !== after[index]);
      expect(changed.map(({ kind, metadata: { name } }) => `${kind} ${name}`)).toEqual([
        'Deployment pinion-controller',
      ]);
    });

    testEngine('a refresh finds a manually deleted object, and an update recreates it', async () => {
      const { client } = controlPlane();
      const metadata = { namespace: 'kube-system', name: 'kube-proxy' };
      const proxy = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata };
      expect((await client.delete(proxy)).status).toBe(200);
      expect(await viaCommand('refresh')).toMatchObject({ delete: 1 });
      expect(await viaCommand('up')).toMatchObject({ create: 1 });
      expect((await client.get(proxy)).status).toBe(200);
    });

    testEngine('neither the state nor the output contains cluster credentials', () => {
      expect(engine.state('platform-shop')).toContain('"kubeconfig"');
      for (const text of [engine.state('platform-shop'), engine.printed(), engine.configuration('platform-shop')])
        expect(text).not.toMatch(/secret-marker|PRIVATE KEY/);
    });

    testEngine('a destroy succeeds after its protected resources are unprotected', async () => {
      await expect(viaCommand('destroy')).rejects.toThrow(/protected/);
      expect(await versions()).not.toContain(undefined);
      await engine.command('state', 'unprotect', '--all', '--yes', ...toShop);
      expect(Object.keys(await viaCommand('destroy'))).toEqual(['delete']);
      expect(kubernetes.errors).toEqual([]);
      expect((await remainingObjects()).filter((one) => !/^(Namespace|CustomResourceDefinition) /.test(one))).toEqual(
        [],
      );
    });
  },
);
