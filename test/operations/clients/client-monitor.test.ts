import { request } from 'node:http';
import { ClientMonitor, startAuditSink } from '../../../lib/operations';
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
