import { Registry } from 'prom-client';
import { connect, type LiveObject, loadKubeConfig, resourceOf, SharedInformerFactory } from '../../../lib/kube';
import { expectStatus } from '../../control-plane/api-response';
import { type AuditMark } from '../../control-plane/audit';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { realClock } from '../../kube/real-clock';
import { SeededRandom } from '../chaos/seeded-random';
import { AcknowledgedWrites } from './acknowledged-writes';
import { gatewayKubeconfig } from './gateway-kubeconfig';
import { GatewayReplicas } from './gateway-replicas';
import { LoopingReader } from './looping-reader';
import { allowReads, gatewayToken } from './test-gateway';

const isFull = process.env['PINION_E2E'] === 'full';
const [kills, replicaCount, informerCount] = [isFull ? 30 : 5, 2, 10];
const minute = 60_000;
const pods = Array.from({ length: 40 }, (_, index) => `pod-${index}`);
/** Whole lists of one replica after a kill: its first one, and again if its watch breaks while the API server starts. */
const listsOfReplica = 3;

describeControlPlane('kills under load', (controlPlane) => {
  let replicas: GatewayReplicas;
  let token: string;
  let writes: AcknowledgedWrites;
  let reader: LoopingReader;
  const registry = new Registry();
  const informers: { readonly factory: SharedInformerFactory; readonly versions: () => readonly string[] }[] = [];

  const startInformers = (kubeconfig: string): void => {
    for (let index = 0; index < informerCount; index++) {
      const client = connect(loadKubeConfig({ file: kubeconfig, environment: {} }), {
        clock: realClock,
        userAgent: `informer-${index}`,
      });
      const factory = new SharedInformerFactory({
        client,
        clock: realClock,
        ...(index === 0 && { registry }),
        onError: () => undefined,
        streamLists: true,
      });
      const informer = factory.informer({ resource: resourceOf('Pod'), transform: versionOf });
      factory.start();
      informers.push({ factory, versions: () => informer.store.list().sort() });
    }
  };
  const truth = async (): Promise<readonly string[]> => {
    const path = '/api/v1/namespaces/default/pods';
    const { body } = expectStatus(await controlPlane().client.request('GET', `${path}?limit=1000`), [200]);
    return (body as { readonly items: readonly LiveObject[] }).items.map(versionOf).sort();
  };
  /** Lists of all pods that the API server answered since a mark, for the caches of the gateways or for a client. */
  const wholeLists = (mark: AuditMark): readonly string[] =>
    controlPlane()
      .audit.since(mark, { resource: 'pods' })
      .filter(({ requestURI, verb }) => verb === 'list' || requestURI.includes('sendInitialEvents=true'))
      .filter(({ requestURI, userAgent }) => !requestURI.includes('limit=1') && userAgent !== 'looping-reader')
      .map(({ requestURI, userAgent }) => `${userAgent}: ${requestURI}`);
  const killOne = async (random: SeededRandom): Promise<string> => {
    const target = random.of(['gateway', 'kube-apiserver', 'etcd'] as const);
    if (target === 'gateway') await replicas.replace(random.integer(0, replicaCount - 1));
    else {
      await controlPlane().part(target).kill();
      await new Promise((resolve) => setTimeout(resolve, random.integer(0, 3_000)));
      await controlPlane().part(target).restart();
    }
    await controlPlane().ready();
    return target;
  };

  beforeAll(async () => {
    replicas = await GatewayReplicas.start(controlPlane(), replicaCount);
    token = await gatewayToken(controlPlane(), 'client');
    await allowReads(controlPlane(), 'client', ['get', 'list', 'watch']);
    for (const name of pods) {
      const spec = { serviceAccountName: 'client', containers: [{ name: 'app', image: 'example.com/app:1' }] };
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec };
      expectStatus(await controlPlane().client.create(pod as never), [201]);
    }
    const client = { port: replicas.balancer.port, authority: replicas.authority, token, name: 'client' };
    startInformers(gatewayKubeconfig(controlPlane(), client));
    await Promise.all(informers.map(({ factory }) => factory.waitForCacheSync()));
    writes = new AcknowledgedWrites(controlPlane().client, 'default', pods);
    writes.start();
    reader = new LoopingReader(replicas.balancer.port, replicas.authority.certificate, token);
    reader.start();
  }, 3 * minute);
  afterAll(async () => {
    await reader.stop();
    await writes.stop();
    await Promise.all(informers.map(({ factory }) => factory.stop()));
    await replicas.stop();
  }, minute);

  test(
    `of gateway, API server and etcd, ${kills} in all, leave no informer behind and cause no storm of lists`,
    async () => {
      const random = new SeededRandom(71);
      for (let kill = 0; kill < kills; kill++) {
        const mark = controlPlane().audit.mark();
        const target = await killOne(random);
        const answered = reader.answers;
        await waitFor(`reads after a kill of ${target}`, async () => reader.answers > answered + 5, {
          timeout: minute,
        });
        await writes.pauseFor(async () => {
          const expected = await truth();
          await waitFor(
            `all informers after a kill of ${target}`,
            async () => informers.every(({ versions }) => JSON.stringify(versions()) === JSON.stringify(expected)),
            { timeout: minute },
          );
        });
        expect(wholeLists(mark).slice(replicaCount * listsOfReplica)).toEqual([]);
      }
    },
    kills * 2 * minute,
  );

  test('no answer was older than it promises, and no client went back in time', () => {
    expect(writes.count).toBeGreaterThan(100);
    expect(reader.cachedAnswers).toBeGreaterThan(100);
    expect(reader.wentBack).toEqual([]);
    expect(reader.tooOld((time) => writes.versionAt(time))).toEqual([]);
  });

  test('the informers of clients list again at most once for each kill', async () => {
    const [, lists] = /reflector_lists_total\{name="Pod"\} (\d+)/.exec(await registry.metrics()) ?? [];
    expect(Number(lists)).toBeGreaterThanOrEqual(1);
    expect(Number(lists)).toBeLessThanOrEqual(1 + kills);
  });
});

const versionOf = ({ metadata }: LiveObject): string => `${metadata.name} ${metadata.resourceVersion}`;
