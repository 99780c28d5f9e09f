import { type Stack } from '@pulumi/pulumi/automation';
import { complete, type PlatformDocument } from '../../lib/api';
import { expandPlatform, resolve, type Cluster } from '../../lib/expand';
import { planPlatformStack, type PlatformFactsInput } from '../../stacks/plan';
import { findBinaries } from '../control-plane/binaries';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { Engine } from '../pulumi-engine/engine';
import { type GrpcServer } from '../pulumi-engine/grpc-server';
import { languageHost } from '../pulumi-engine/language-host';
import { providerServer } from '../pulumi-engine/provider-server';
import { RealKubernetes } from '../pulumi-engine/real-kubernetes';
import { RememberedAws } from '../pulumi-engine/remembered-aws';
import { plainCluster } from '../stacks/plan/make-cluster';
import { plainFacts } from '../stacks/plan/platform/make-facts';
import { openProject } from './cluster-state';

const found = findBinaries(['pulumi']);
const reason = 'skipped' in found ? ` (skipped: ${found.skipped})` : '';
const testEngine = 'paths' in found ? test : test.skip;
const description = { ...plainCluster, network: { services: '10.96.0.0/16' } };
const { controllerImage, machinesImage } = plainFacts;
const platform = { controllerImage, machinesImage, platform: plainFacts.platform };

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
  let engine: Engine;
  let stack: Stack;
  let kubernetes: GrpcServer;
  let stages: ReturnType<typeof planPlatformStack> = [];

  /** What the controller makes of a Project, by the function that it makes it with. */
  async function settle(object: SendableObject): Promise<void> {
    if (object.kind !== 'Project') return;
    const documents = stages
      .flatMap(({ objects }) => objects)
      .filter(({ kind }) => ['Platform', 'RuntimeProfile', 'Project'].includes(kind))
      .map((document) => complete(document as never)) as PlatformDocument[];
    const cluster: Cluster = resolve(documents);
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

  beforeAll(async () => {
    if (!('paths' in found)) return;
    kubernetes = providerServer(new RealKubernetes(controlPlane().client, settle));
    engine = new Engine(found.paths.pulumi, await listening(languageHost()), {
      aws: await listening(providerServer(new RememberedAws())),
      kubernetes: await listening(kubernetes),
    });
    const cluster = await engine.stack('cluster-shop', { cluster: description });
    const { outputs } = await cluster.up();
    stages = planPlatformStack({ ...(outputs['platformFacts']?.value as PlatformFactsInput), ...platform });
    stack = await engine.stack('platform-shop', { platform });
    await engine.command(
      'config',
      'set',
      '--secret',
      'kubeconfig',
      'token: nobody-may-read-this',
      '--stack',
      'platform-shop',
    );
  }, 180_000);
  afterAll(() => {
    for (const server of servers) server.stop();
    if ('paths' in found) engine.remove();
  });

  testEngine(
    'a preview on an empty cluster neither fails nor writes',
    async () => {
      const { changeSummary } = await stack.preview();
      expect(changeSummary.create).toBeGreaterThan(100);
      expect(kubernetes.refusals).toEqual([]);
      expect((await versions()).filter((version) => version !== undefined)).toEqual([]);
    },
    120_000,
  );

  testEngine(
    'an update places every object of every stage',
    async () => {
      const { summary } = await stack.up();
      expect(summary.result).toBe('succeeded');
      expect(kubernetes.refusals).toEqual([]);
      expect(await versions()).not.toContain(undefined);
    },
    240_000,
  );

  testEngine(
    'the same again writes nothing',
    async () => {
      const before = await versions();
      const { summary } = await stack.up();
      expect(Object.keys(summary.resourceChanges ?? {})).toEqual(['same']);
      expect(await versions()).toEqual(before);
    },
    120_000,
  );

  testEngine('credentials of the cluster are in no part of the state', () => {
    expect(engine.state('platform-shop')).toContain('"kubeconfig"');
    expect(engine.state('platform-shop')).not.toContain('nobody-may-read-this');
  });

  testEngine(
    'what was deleted by hand is found by a refresh, and placed again',
    async () => {
      const { client } = controlPlane();
      const proxy = {
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: { namespace: 'kube-system', name: 'kube-proxy' },
      };
      expect((await client.delete(proxy)).status).toBe(200);
      expect((await stack.refresh()).summary.resourceChanges?.delete).toBe(1);
      expect((await stack.up()).summary.resourceChanges?.create).toBe(1);
      expect((await client.get(proxy)).status).toBe(200);
    },
    240_000,
  );
});
