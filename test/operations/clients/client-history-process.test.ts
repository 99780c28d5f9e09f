import { clientHistory, type ClientShare, sumOfShares } from '../../../lib/history';
import { ApiError } from '../../../lib/kube';
import { ClientHistoryProcess, ClientMonitor, installedGateway } from '../../../lib/operations';
import { ManualClock } from '../../kube/manual-clock';
import { InMemoryCluster } from '../../submission/engine/in-memory-cluster';
import { auditEvent, shop } from './audit-events';

const namespace = 'pinion-quota';

/** Starts a monitor whose API server is in a process of its own, with a client of the same cluster. */
function startMonitor(cluster: InMemoryCluster, server: string, readers: readonly (() => Promise<string>)[] = []) {
  const clock = new ManualClock();
  const failures: string[] = [];
  const history = new ClientHistoryProcess({
    client: cluster.client(),
    ...{ clock, namespace, server, gateway: installedGateway, gatewayReaders: () => readers },
    onFailure: (text) => failures.push(text),
  });
  const monitor = new ClientMonitor({ projects: [shop] }, clock, history.recorder);
  history.start(monitor);
  const send = (requests: number): void => {
    for (let index = 0; index < requests; index++) monitor.receiver.addEvent(auditEvent({}), 0);
  };
  return { clock, failures, history, send };
}

const sharesOf = (cluster: InMemoryCluster, project: string): readonly ClientShare[] => {
  const data = cluster.objects.get(`${namespace}/client-history-${project}`)?.['data'] as
    Readonly<Record<string, string>> | undefined;
  const days = clientHistory.read(JSON.parse(data?.[clientHistory.key] ?? '{"clients":[]}'), project) ?? [];
  return days.flatMap(({ shares }) => shares);
};
const requestsIn = (cluster: InMemoryCluster): number => sumOfShares(sharesOf(cluster, 'shop')).total.requests;

test('monitors of several API servers that stop at once lose none of their requests, and count none twice', async () => {
  const cluster = new InMemoryCluster();
  const monitors = ['one', 'two', 'three'].map((server) => startMonitor(cluster, server));
  monitors.forEach(({ send }, index) => send(10 ** index));
  await Promise.all(monitors.map(({ history }) => history.stop()));
  const restarted = startMonitor(cluster, 'two');
  restarted.send(5);
  await restarted.history.stop();
  expect(requestsIn(cluster)).toBe(116);
  const sources = sharesOf(cluster, 'shop').map(({ source, total }) => [source, total.requests]);
  expect(new Map(sources as [string, number][])).toEqual(
    new Map([
      ['server/one', 1],
      ['server/two', 15],
      ['server/three', 100],
    ]),
  );
});

test('it is stored two minutes after the start at the latest, then every hour, and not after the end', async () => {
  const cluster = new InMemoryCluster();
  const { clock, send, history } = startMonitor(cluster, 'one');
  send(3);
  await clock.advance(120_000);
  expect(requestsIn(cluster)).toBe(3);
  send(4);
  await clock.advance(3_000_000);
  expect(requestsIn(cluster)).toBe(3);
  await clock.advance(600_000);
  expect(requestsIn(cluster)).toBe(7);
  send(1);
  await history.stop();
  expect(requestsIn(cluster)).toBe(8);
  send(1);
  await clock.advance(7_200_000);
  expect(requestsIn(cluster)).toBe(8);
  expect(clock.pending).toBe(0);
});

test('a write that fails is tried again within minutes', async () => {
  const cluster = new InMemoryCluster();
  const { clock, send, failures } = startMonitor(cluster, 'one');
  let isAway = true;
  cluster.beforeWrite = () => {
    if (isAway) throw new ApiError(503, 'ServiceUnavailable', 'the API server is away');
  };
  send(3);
  await clock.advance(120_000);
  expect(new Set(failures)).toEqual(new Set(['the client history was not stored: the API server is away']));
  isAway = false;
  await clock.advance(180_000);
  expect(requestsIn(cluster)).toBe(3);
});

test('a gateway whose metrics cannot be read does not end the history', async () => {
  const cluster = new InMemoryCluster();
  const texts = ['', undefined, ''];
  const { clock, send, failures } = startMonitor(cluster, 'one', [
    async () => {
      await Promise.resolve();
      const text = texts.shift();
      if (text === undefined) throw new Error('gateway:8080 cannot be reached');
      return text;
    },
  ]);
  send(2);
  await clock.advance(120_000);
  expect(failures).toContain('metrics of a gateway were not read: gateway:8080 cannot be reached');
  expect(requestsIn(cluster)).toBe(2);
});
