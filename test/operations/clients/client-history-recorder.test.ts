import { type ClientDay, clientHistory, type ClientShare, type HistoryWriter, sumOfShares } from '../../../lib/history';
import {
  ClientHistoryRecorder,
  ClientMonitor,
  GatewayDeltas,
  installedGateway,
  type PracticeFinding,
} from '../../../lib/operations';
import { ManualClock } from '../../kube/manual-clock';
import { auditEvent, shop, type TestRequest } from './audit-events';

const start = Date.parse('2026-03-01T10:00:00Z');
const day = Math.floor(start / 86_400_000);

/** Histories as text, as ConfigMaps hold them. */
class Histories implements HistoryWriter<ClientDay> {
  readonly texts = new Map<string, string>();
  failures = 0;

  of(project: string): readonly ClientDay[] {
    return clientHistory.read(JSON.parse(this.texts.get(project) ?? '{"clients":[]}'), project) ?? [];
  }

  share(project: string, of = day): ClientShare {
    const found = this.of(project).find((one) => one.day === of);
    if (!found) throw new Error(`no day ${of} of ${project}`);
    return sumOfShares(found.shares);
  }

  async update(
    project: string,
    change: (days: readonly ClientDay[]) => readonly ClientDay[],
  ): Promise<readonly ClientDay[]> {
    const days = clientHistory.merge(change(this.of(project)));
    if (this.failures-- > 0) throw new Error('the API server is away');
    this.texts.set(project, JSON.stringify(clientHistory.write(days, project)));
    return days;
  }
}

function startMonitor(histories: Histories, server = 'one', time = start + 3_600_000) {
  let now = time;
  const recorder = new ClientHistoryRecorder({ writer: histories, server, gateway: installedGateway, now: () => now });
  const monitor = new ClientMonitor({ projects: [shop] }, new ManualClock(), recorder);
  return {
    recorder,
    send: (requests: readonly TestRequest[]) => {
      for (const request of requests) monitor.receiver.addEvent(auditEvent(request), 0);
    },
    flush: () => recorder.flush(monitor.receiver.findings()),
    readGateway: (deltas: GatewayDeltas, text: string, at: number) => {
      now = at;
      const delta = deltas.read(text, at);
      if (delta) recorder.addGateway(delta, (account, userAgent) => monitor.receiver.clientOf(account, userAgent));
    },
  };
}

const repeat = (count: number, request: TestRequest = {}): TestRequest[] => Array<TestRequest>(count).fill(request);

test('counts continue after a restart, and those of two API servers are added', async () => {
  const histories = new Histories();
  const [one, two] = [startMonitor(histories, 'one'), startMonitor(histories, 'two')];
  one.send(repeat(5));
  two.send(repeat(7, { verb: 'get' }));
  await one.flush();
  await two.flush();
  const restarted = startMonitor(histories, 'one');
  restarted.send(repeat(2));
  await restarted.flush();
  await restarted.flush();
  const { total, uses } = histories.share('shop');
  expect(total.requests).toBe(14);
  expect(uses.map(({ verb, requests }) => [verb, requests]).sort()).toEqual([
    ['get', 7],
    ['list', 7],
  ]);
});

test('what could not be stored is stored with the next attempt, once', async () => {
  const histories = new Histories();
  const monitor = startMonitor(histories);
  monitor.send(repeat(3));
  histories.failures = 1;
  await expect(monitor.flush()).rejects.toThrow('the API server is away');
  monitor.send(repeat(1));
  await monitor.flush();
  expect(histories.share('shop').total.requests).toBe(4);
});

test('the budget use is what lets the reads pass at their peak, of the project and of each account', async () => {
  const histories = new Histories();
  const monitor = startMonitor(histories);
  const user = (name: string) => `system:serviceaccount:shop:${name}`;
  monitor.send(repeat(60, { at: 0.1, user: user('cart'), seconds: 0.5 }));
  monitor.send(repeat(30, { at: 0.2, user: user('pay') }));
  monitor.send(repeat(100, { at: 0.3, user: user('pay'), verb: 'patch', name: 'x' }));
  monitor.send(repeat(100, { at: 0.3, user: user('pay'), verb: 'get', resource: 'pods', subresource: 'log' }));
  await monitor.flush();
  const { budgets } = histories.share('shop');
  // A budget lets the reads of two further seconds come at once.
  expect(budgets['']?.requestsPerSecond).toBe(30);
  expect(budgets['cart']?.requestsPerSecond).toBe(20);
  expect(budgets['pay']?.requestsPerSecond).toBe(10);
  expect(budgets['cart']?.concurrentRequests).toBe(2);
});

test('the violations of a client are in its history, without what it asked for', async () => {
  const histories = new Histories();
  const monitor = startMonitor(histories);
  const uri = '/api/v1/namespaces/shop/pods/one?token=hunter2';
  monitor.send(Array.from({ length: 40 }, (_, index) => ({ at: 2 * index, verb: 'get', name: 'one', uri })));
  await monitor.flush();
  expect(histories.share('shop').violations).toMatchObject([
    { practice: 'Polling', account: 'system:serviceaccount:shop:cart', requests: 40 },
  ]);
  expect(histories.share('shop').violations[0]?.message).toContain('on call: #shop-oncall');
  expect(histories.texts.get('shop')).not.toContain('hunter2');
});

test('requests of the day before count there, and those of a day that is over do not', async () => {
  const histories = new Histories();
  const monitor = startMonitor(histories, 'one', start + 24 * 3_600_000);
  monitor.send(repeat(2));
  monitor.send(repeat(3, { at: 24 * 3600 }));
  monitor.send(repeat(4, { at: -24 * 3600 }));
  await monitor.flush();
  expect(histories.of('shop').map((one) => [one.day - day, one.shares[0]?.total.requests])).toEqual([
    [0, 2],
    [1, 3],
  ]);
});

test('clients are bounded: those beyond the limits are summed', async () => {
  const histories = new Histories();
  const monitor = startMonitor(histories);
  monitor.send(
    Array.from({ length: 1000 }, (_, index) => ({
      userAgent: `agent${'abcdefghij'[index % 10]}${'klmnopqrst'[Math.floor(index / 10) % 10]}${'uvwxyzabcd'[Math.floor(index / 100)]}/1`,
    })),
  );
  monitor.send(Array.from({ length: 3000 }, (_, index) => ({ user: `system:serviceaccount:n${index}:a` })));
  await monitor.flush();
  expect(histories.share('shop').uses).toHaveLength(21);
  expect(histories.share('shop').total.requests).toBe(1000);
  expect(histories.texts.size).toBeLessThanOrEqual(2001);
  expect(histories.share('').total.requests).toBeGreaterThanOrEqual(1000);
});

test('a violation with a long namespace leaves the history readable', async () => {
  const histories = new Histories();
  const monitor = startMonitor(histories);
  monitor.send(repeat(1));
  const finding: PracticeFinding = {
    practice: 'Polling',
    ...{ project: 'shop', account: 'a', userAgent: 'b', team: '', onCall: '', verb: 'get' },
    ...{ resource: 'pods', namespace: 'n'.repeat(1000), requests: 40, seatSeconds: 4, from: 0, to: 0, message: 'm' },
  };
  await monitor.recorder.flush([finding]);
  expect(histories.share('shop').violations).toMatchObject([
    { namespace: expect.stringMatching(/^n{89}-[g-v]{10}$/) as string },
  ]);
});

test('clients with long names stay apart, and leave the history small', async () => {
  const histories = new Histories();
  const monitor = startMonitor(histories);
  const long = (index: number): string => `${'é"'.repeat(60)}-${index}`;
  const namespace = 'n'.repeat(63);
  for (let index = 0; index < 20; index++)
    monitor.send(
      repeat(40, {
        user: `system:serviceaccount:${namespace}:${'a'.repeat(200)}${index}`,
        ...{ userAgent: `${'agent.'.repeat(30)}${index}`, verb: long(index), resource: long(index) },
      }),
    );
  await monitor.flush();
  const { uses, budgets } = histories.share(namespace);
  for (const name of ['account', 'userAgent', 'verb', 'resource'] as const)
    expect([name, new Set(uses.map((use) => use[name])).size]).toEqual([name, 20]);
  expect(uses).toHaveLength(20);
  expect(Object.keys(budgets)).toHaveLength(0);
  expect(Buffer.byteLength(histories.texts.get(namespace) ?? '')).toBeLessThan(20 * 600);
});

test('projects are bounded, not the shares that a project has', async () => {
  const histories = new Histories();
  const monitor = startMonitor(histories, 'one', start + 24 * 3_600_000);
  for (const at of [0, 24 * 3600])
    monitor.send(Array.from({ length: 1500 }, (_, index) => ({ at, user: `system:serviceaccount:n${index}:a` })));
  await monitor.flush();
  expect(histories.texts.size).toBe(1500);
  expect(histories.texts.has('')).toBe(false);
});

describe('gateways', () => {
  const metrics = (started: number, requests: number, seconds: number, bytes: number) =>
    [
      `process_start_time_seconds ${started}`,
      ...['requests_total', 'request_seconds_total', 'response_bytes_total'].map(
        (name, index) =>
          `pinion_gateway_${name}{project="shop",account="cart",user_agent="cart",resource="pods",verb="list",served_from="cache",code="200"} ${[requests, seconds, bytes][index]}`,
      ),
    ].join('\n');

  test('what each gateway counts is added, and the budget is that of the busiest one', async () => {
    const histories = new Histories();
    const monitor = startMonitor(histories);
    const deltas = new GatewayDeltas();
    const at = start + 3_600_000;
    // Behind one address: each answers in turn, and one restarts.
    monitor.readGateway(deltas, metrics(1, 1000, 10, 1000), at);
    monitor.readGateway(deltas, metrics(2, 5000, 10, 1000), at);
    monitor.readGateway(deltas, metrics(1, 1120, 16, 1000 + 12 * 1024), at + 10_000);
    monitor.readGateway(deltas, metrics(2, 5060, 13, 1000), at + 10_000);
    monitor.readGateway(deltas, metrics(3, 40, 1, 0), at + 20_000);
    await monitor.flush();
    const { total, budgets } = histories.share('shop');
    expect([total.requests, total.cached, total.bytes]).toEqual([180, 180, 12 * 1024]);
    expect(budgets['']).toEqual({ requestsPerSecond: 10, concurrentRequests: 0.6, bytesPerSecond: 1024 });
    expect(budgets['cart']).toEqual(budgets['']);
  });

  test('two monitors that read the same gateway count its requests once', async () => {
    const histories = new Histories();
    const at = start + 3_600_000;
    for (const server of ['one', 'two']) {
      const monitor = startMonitor(histories, server);
      const deltas = new GatewayDeltas();
      monitor.readGateway(deltas, metrics(1, 0, 0, 0), at);
      monitor.readGateway(deltas, metrics(1, 50, 1, 0), at + 10_000);
      await monitor.flush();
    }
    expect(histories.share('shop').total.requests).toBe(50);
  });

  test('a read that came through a gateway is measured there, and counted in the log', async () => {
    const histories = new Histories();
    const monitor = startMonitor(histories);
    monitor.send(repeat(90, { sender: installedGateway }));
    await monitor.flush();
    expect(histories.share('shop')).toMatchObject({ total: { requests: 90 }, budgets: {} });
  });
});
