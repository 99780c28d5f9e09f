import { request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ClientAccounting, ClientMonitor, startAuditSink } from '../../../lib/operations';
import { metricsCatalog } from '../../../lib/observability';
import { ManualClock } from '../../kube/manual-clock';
import { auditEvent, shop, type TestRequest } from './audit-events';

const call = (port: number, method: string, path: string, body = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve(text));
    });
    outgoing.once('error', reject).end(body);
  });
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
const polls = Array.from({ length: 40 }, (_, index): TestRequest => ({ at: index * 2, verb: 'get', name: 'one' }));

test('receives events, and serves requests, cost and findings as metrics', async () => {
  const sink = await startAuditSink('127.0.0.1', 0, new ClientMonitor({ projects: [shop] }, new ManualClock()));
  try {
    const items = [...polls, { userAgent: 'rare"\\agent/1' }].map(auditEvent);
    await call(sink.port, 'POST', '/audit', JSON.stringify({ kind: 'EventList', items: [...items, {}] }));
    const metrics = await call(sink.port, 'GET', '/metrics');
    const cart =
      'project="shop",account="system:serviceaccount:shop:cart",user_agent="cart",verb="get",resource="pods"';
    // The first requests are counted as other, until there are enough for a row.
    expect(metrics).toContain(`pinion_client_requests_total{${cart}} 21\n`);
    expect(metrics).toMatch(/^pinion_client_requests_total\{project="other",.*\} 20$/m);
    expect(metrics).toMatch(
      /^pinion_client_findings\{practice="Polling",project="shop",.*,on_call="#shop-oncall",verb="get",resource="pods",namespace=""\} 40$/m,
    );
    expect(metrics).toContain('pinion_client_unreadable_total 1\n');
    for (const { name } of metricsCatalog.filter(({ component }) => component === 'pinion-clients'))
      expect(metrics).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
    expect(JSON.parse(await call(sink.port, 'GET', '/top'))).toMatchObject({ requests: 41 });
  } finally {
    await sink.stop();
  }
});

test('a deeply nested object is counted as unreadable, and the other events of its batch count', async () => {
  const sink = await startAuditSink('127.0.0.1', 0, new ClientMonitor({}, new ManualClock()));
  try {
    const depth = 200_000;
    const nested = `${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}`;
    const deep = JSON.stringify(auditEvent({ response: {} })).replace(/\{\}\}$/, `${nested}}`);
    const items = [deep, JSON.stringify(auditEvent({ verb: 'get' }))];
    await call(sink.port, 'POST', '/audit', `{"kind":"EventList","items":[${items.join(',')}]}`);
    const metrics = await call(sink.port, 'GET', '/metrics');
    expect(metrics).toContain('pinion_client_unreadable_total 1\n');
    expect(JSON.parse(await call(sink.port, 'GET', '/top'))).toMatchObject({ requests: 1 });
  } finally {
    await sink.stop();
  }
});

test('a finding ends one to two hours after the last request', async () => {
  const clock = new ManualClock();
  const monitor = new ClientMonitor({ projects: [shop] }, clock);
  const isFound = (): boolean => monitor.metrics().includes('pinion_client_findings{practice="Polling"');
  for (const poll of polls) monitor.receiver.addEvent(auditEvent(poll), 0);
  expect(isFound()).toBe(true);
  for (const expected of [true, false]) {
    await clock.advance(3_600_000);
    monitor.receiver.addEvent(auditEvent({ verb: 'get', name: 'two' }), 0);
    expect(isFound()).toBe(expected);
  }
});

test('an update changes whose requests are direct, and to which Project they belong', () => {
  const agents = { kind: 'Project', metadata: { name: 'agents' }, spec: {} };
  const monitor = new ClientMonitor({ projects: [shop], gateway: 'gateway' }, new ManualClock());
  const { receiver } = monitor;
  const request = (namespace: string) =>
    receiver.addEvent(auditEvent({ user: `system:serviceaccount:${namespace}:agent` }), 0);
  const found = () => receiver.findings().map(({ practice, project, requests }) => [practice, project, requests]);
  request('agents');
  request('shop');
  expect(found()).toEqual([['DirectAccess', 'shop', 1]]);
  receiver.update([shop, agents], new Map(), ['kube-system', 'shop']);
  request('agents');
  request('shop');
  expect(found().sort()).toEqual([
    ['DirectAccess', 'agents', 1],
    ['DirectAccess', 'shop', 1],
  ]);
});

test('the number of series is bounded', () => {
  const monitor = new ClientMonitor({}, new ManualClock());
  for (let index = 0; index < 60_000; index++)
    monitor.receiver.addEvent(auditEvent({ user: `user-${index % 3000}`, verb: 'get', name: `${index}` }), 0);
  expect(monitor.metrics().match(/^pinion_client_requests_total\{/gm)?.length).toBeLessThanOrEqual(2000);
});

describe('paths that a client chose', () => {
  const path = (index: number, length: number): TestRequest => ({
    ...{ verb: 'get', resource: '', uri: `/${'x'.repeat(length)}${index}`, userAgent: 'go-http-client/1.1' },
    ...{ user: 'mallory', namespace: 'n'.repeat(1000), code: 404 },
  });

  test('are kept and shown only to a length', () => {
    const monitor = new ClientMonitor({}, new ManualClock());
    for (let index = 0; index < 40; index++) monitor.receiver.addEvent(auditEvent(path(index, 5000)), 0);
    const longest = Math.max(
      ...monitor
        .metrics()
        .split('\n')
        .map((line) => line.length),
    );
    expect(monitor.receiver.findings()).toMatchObject([
      { practice: 'UnknownClient', resource: `/${'x'.repeat(199)}`, namespace: 'n'.repeat(200) },
    ]);
    expect(longest).toBeLessThan(1000);
  });

  test('with the same start share one series, so that other clients get theirs', () => {
    const monitor = new ClientMonitor({}, new ManualClock());
    for (let index = 0; index < 2600; index++) monitor.receiver.addEvent(auditEvent(path(index, 250)), 0);
    for (const poll of polls) monitor.receiver.addEvent(auditEvent({ ...poll, user: 'victim' }), 0);
    expect(monitor.metrics()).toContain('pinion_client_requests_total{project="",account="victim"');
  });

  test('have no control characters in metrics', () => {
    const monitor = new ClientMonitor({}, new ManualClock());
    const uri = '/a\u0000b\u007f\nc';
    for (let index = 0; index < 40; index++) monitor.receiver.addEvent(auditEvent({ ...path(0, 0), uri }), 0);
    expect(monitor.metrics()).toContain('resource="/a\ufffdb\ufffd\ufffdc"');
  });
});

test('what is kept of a long text does not keep the whole text in memory', () => {
  const accounting = new ClientAccounting();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 60; index++) {
    const uri = `/${String(index).repeat(10)}${'x'.repeat(1_000_000)}`;
    const event = auditEvent({ verb: 'get', resource: '', uri, userAgent: 'curl/8', user: `user-${index}` });
    accounting.addEvent(JSON.parse(JSON.stringify(event)) as typeof event, 0);
  }
  expect(accounting.report().rows).toHaveLength(60);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
});
