import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { defaultPlatform } from '../../lib/expand';
import { type ClientDay, clientHistory, type ClientViolation } from '../../lib/history';
import { type ClientReport } from '../../lib/operations';
import { budgetUse, daysOf, shareOf } from '../history/client-days';
import { auditEvent, shop, type TestRequest } from '../operations/clients/audit-events';
import { pinion, testFolder, writeFiles } from './terminal';

const logOf = (requests: readonly TestRequest[]): string =>
  requests.map((request) => `${JSON.stringify(auditEvent(request))}\n`).join('');
const polls = Array.from({ length: 40 }, (_, index): TestRequest => ({
  at: index * 2,
  verb: 'get',
  name: 'one',
  namespace: 'shop',
}));
const project = JSON.stringify({ apiVersion: 'pinterest.com/v1', ...shop });

test('prints who polls, what it costs and who is on call, before the tables', async () => {
  writeFiles({ 'audit.log': logOf(polls), 'pinion.platform.yaml': project });
  const { code, out, err } = await pinion(['clients', 'audit.log']);
  expect([code, err]).toEqual([0, '']);
  const lines = out.split('\n');
  expect(lines.slice(0, 5)).toEqual([
    '40 requests in 78 s, 0.513 per second; 0 rejected or failed, 0 watches',
    '  cost: 4.00 seat-seconds',
    '',
    'PRACTICES',
    expect.stringMatching(/^Polling: project shop: .* on call: #shop-oncall \(team retail\); watch the object instead/),
  ]);
  expect(out).toMatch(
    /^shop {5}system:serviceaccount:shop:cart {2}cart {5}40 {8}0 {8}0 {7}4\.0 s {6}4\.00 {10}100\.0 % {2}-$/m,
  );
  expect((await pinion(['clients', 'audit.log', '--check'])).code).toBe(1);
});

test('prints names that clients choose without control characters, each on one line', async () => {
  const hostile = { user: 'olga\u001b]0;title\u0007', resource: 'pods\u001b[2J\r\nPROJECT\u009b' };
  writeFiles({
    'audit.log': logOf(polls.map((poll) => ({ ...poll, ...hostile }))),
    'pinion.platform.yaml': project,
  });
  const { out } = await pinion(['clients', 'audit.log']);
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(out).toMatch(
    /^Polling: olga\ufffd\]0;title\ufffd \(cart\) polled pods\ufffd\[2J\ufffd\ufffdPROJECT\ufffd of namespace shop/m,
  );
  expect(out).toMatch(/^get {3,}pods\ufffd\[2J\ufffd\ufffdPROJECT\ufffd +40 /m);
  const { findings } = JSON.parse((await pinion(['clients', 'audit.log', '-o', 'json'])).out) as ClientReport;
  expect(findings[0]).toMatchObject({
    account: 'olga\ufffd]0;title\ufffd',
    resource: 'pods\ufffd[2J\ufffd\ufffdPROJECT\u009b',
  });
});

test('reads rotated, compressed logs of a folder in order, standard names only', async () => {
  const third = polls.length / 2;
  writeFiles({
    'logs/audit-2026-03-01T10-00-00.000.log.gz': gzipSync(logOf(polls.slice(0, third))),
    'logs/audit.log': logOf(polls.slice(third)),
    'logs/notes.txt': 'junk',
  });
  const { out } = await pinion(['clients', 'logs', '-o', 'json']);
  const report = JSON.parse(out) as ClientReport;
  expect(report).toMatchObject({ requests: 40, unreadable: 0 });
  // In the wrong order, one interval would be missing.
  expect(report.findings[0]?.message).toContain('40 times, every 2.0 seconds');
});

const certificateAuthority = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

test('reports direct access of a Project only, unless the Platform allows it', async () => {
  const platform = JSON.stringify({
    ...defaultPlatform,
    spec: {
      ...defaultPlatform.spec,
      gateway: { address: '10.96.0.20', certificateAuthority, directProjects: ['agents'] },
    },
  });
  const agents = JSON.stringify({ apiVersion: 'pinterest.com/v1', ...shop, metadata: { name: 'agents' } });
  const user = (namespace: string) => `system:serviceaccount:${namespace}:agent`;
  writeFiles({
    'audit.log': logOf([{ user: user('agents') }, { user: user('cluster') }, { user: user('shop') }, { user: 'olga' }]),
    'pinion.platform.yaml': [platform, project, agents].join('\n---\n'),
  });
  const { code, out, err } = await pinion(['clients', 'audit.log', '--gateway', 'gateway', '-o', 'json']);
  expect([code, err]).toEqual([0, '']);
  const { findings } = JSON.parse(out) as ClientReport;
  expect(findings.map(({ practice, account }) => [practice, account])).toEqual([['DirectAccess', user('shop')]]);
});

test.each([
  [['--project', 'shop'], 1],
  [['--account', 'ol*'], 1],
  [['--user-agent', 'other,kubectl'], 1],
  [['--resource', 'pods', '--verb', 'list'], 2],
  [['--verb', 'l*', '--account', 'o.*'], 0],
])('counts only what matches %s', async (args, requests) => {
  const log = logOf([{}, { user: 'olga', userAgent: 'kubectl/v1.36.3' }]);
  writeFiles({ 'audit.log': log, 'pinion.platform.yaml': project });
  const { code, out } = await pinion(['clients', 'audit.log', '-o', 'json', ...args]);
  expect([code, (JSON.parse(out) as ClientReport).requests]).toEqual([requests > 0 ? 0 : 1, requests]);
});

test('exits with 1 without requests, 2 without inputs, and 3 for an unreadable log', async () => {
  writeFiles({ 'audit.log': 'junk\n', 'broken.log.gz': gzipSync(logOf(polls)).subarray(0, 200) });
  expect(await pinion(['clients', 'audit.log'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('the inputs contain no requests and 1 other lines; pass the --audit-log-path files'),
  });
  expect((await pinion(['clients'])).code).toBe(2);
  expect((await pinion(['clients', 'absent'])).code).toBe(3);
  expect((await pinion(['clients', 'broken.log.gz'])).code).toBe(3);
});

describe('with metrics', () => {
  let server: Server;
  const authorizations: (string | undefined)[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      authorizations.push(request.headers.authorization);
      response.end(
        [
          'apiserver_resource_objects{group="",resource="pods"} 5000',
          'apiserver_resource_size_estimate_bytes{group="",resource="pods"} 23000000',
          'apiserver_flowcontrol_nominal_limit_seats{priority_level="workload-low"} 245',
          'pinion_gateway_requests_total{project="shop",account="cart",user_agent="cart",resource="pods",verb="list",served_from="cache",code="200"} 40',
        ].join('\n'),
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterAll(() => void server.close());

  test('counts the requests of a gateway, and the seats of lists', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
    writeFiles({ 'audit.log': logOf([{ seconds: 1 }, { at: 10, verb: 'get' }]), token: 'secret\n' });
    const { code, out } = await pinion(['clients', 'audit.log', '--metrics', url, '--token-file', 'token']);
    expect(code).toBe(0);
    expect(out).toContain('cost: 10.1 seat-seconds, 0.41 % of 245 seats');
    expect(out).toContain('40 requests were answered by caches of gateways');
    expect(authorizations.at(-1)).toBe('Bearer secret');
    expect(await pinion(['clients', '--metrics', url, '-o', 'json'])).toMatchObject({ code: 0 });
  });

  test('reports metrics that cannot be read', async () => {
    expect(await pinion(['clients', '--metrics', 'http://127.0.0.1:1/metrics'])).toMatchObject({ code: 3 });
    expect(await pinion(['clients', '--metrics', `${testFolder()}/absent`])).toMatchObject({ code: 3 });
  });
});

describe('with a client history', () => {
  const today = Math.floor(Date.parse('2026-03-01T00:00:00Z') / 86_400_000);
  const rates = Array.from({ length: 60 }, (_, day) => 100 + day);
  const configMapOf = (name: string, days: readonly ClientDay[]) => ({
    metadata: { name: `client-history-${name}` },
    data: { 'clients.json': JSON.stringify(clientHistory.write(days, name)) },
  });
  const violation: ClientViolation = {
    ...{ practice: 'Polling', account: 'system:serviceaccount:shop:cart', userAgent: 'cart', verb: 'get' },
    ...{ resource: 'pods', namespace: 'shop', requests: 40, seatSeconds: 4 },
    message: 'project shop: cart polled pods\u001b[2J; on call: #shop-oncall (team retail); watch the object instead',
  };

  beforeEach(() => {
    const days = daysOf(today - 59, rates);
    const last = {
      day: today,
      shares: [shareOf('server/one', 15_900, { budgets: { '': budgetUse(159) }, violations: [violation] })],
    };
    const items = [
      configMapOf('shop', [...days.slice(0, -1), last]),
      configMapOf('ads', daysOf(today, [1])),
      configMapOf('broken', []),
    ];
    items[2] = { metadata: { name: 'client-history-broken' }, data: { 'clients.json': '{' } };
    writeFiles({ 'history.json': JSON.stringify({ kind: 'List', items }), 'pinion.platform.yaml': project });
  });

  test('shows who sends what, the trend, the violations, and when a budget is reached', async () => {
    const { code, out, err } = await pinion(['clients', '--history-file', 'history.json']);
    expect([code, err]).toEqual([0, 'pinion: the client history of broken cannot be read\n']);
    expect(out).toContain('Clients of 7 days until 2026-03-01, daily averages');
    expect(out).toContain('Polling: project shop: cart polled pods\ufffd[2J; on call: #shop-oncall');
    // 15,600 a day in this week, 14,900 in the last one.
    expect(out).toMatch(/^shop {5}#shop-oncall {2}15,600 {4}\+5 % {2}1560\.00 {7}\+5 % /m);
    expect(out).toMatch(/^shop {5}system:serviceaccount:shop:cart {2}cart {5}list pods {2}15,600 /m);
    expect(out).toMatch(/^ads {6}- +100 +- /m);
    expect(out).toMatch(/^shop {5}requestsPerSecond +ok +159 +200 +80 % +2026-04-11 /m);
  });

  test('proposes an API budget as a quota, with its reason', async () => {
    const args = ['clients', '--history-file', 'history.json', '--project', 'shop'];
    const { out } = await pinion(args);
    // 159 x 1.2 is 190.8, rounded up to a multiple of 5.
    expect(out).toContain(
      'PROPOSED API BUDGET OF PROJECT shop\napiBudget:\n  requestsPerSecond: 195 # peak 159 on 2026-03-01 x 1.2\n',
    );
    const { out: double } = await pinion([...args, '--factor', '2', '-o', 'json']);
    const { projects } = JSON.parse(double) as { projects: { project: string; onCall: string; proposal: object[] }[] };
    expect(projects).toMatchObject([{ project: 'shop', onCall: '#shop-oncall', team: 'retail' }]);
    expect(projects[0]?.proposal).toContainEqual(
      expect.objectContaining({ resource: 'requestsPerSecond', value: '320' }),
    );
  });

  test('fails with --check if a client violates a practice, and without a history', async () => {
    expect((await pinion(['clients', '--history-file', 'history.json', '--check'])).code).toBe(1);
    writeFiles({ 'history.json': '{"items":[]}' });
    expect((await pinion(['clients', '--history-file', 'history.json'])).code).toBe(1);
    expect((await pinion(['clients', 'audit.log', '--history-file', 'history.json'])).code).toBe(2);
    expect((await pinion(['clients', '--history-file', 'absent'])).code).toBe(3);
  });
});
