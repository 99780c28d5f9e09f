import { join } from 'node:path';
import { sendJson, startServer, type ScriptedServer } from '../kube/scripted-server';
import { writeFiles, testFolder, pinion } from './terminal';

const day = (index: number): string => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
const shop = `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: shop}
spec: {team: commerce, quota: {pods: '100', requests.cpu: '10'}}
`;
const platform = `apiVersion: pinterest.com/v1
kind: Platform
metadata: {name: cluster}
spec:
  cluster: one
  domain: apps.example.com
  tiers: [{name: standard, priority: 1}]
  defaultTier: standard
  resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {memory: 256Mi}}
`;
/** 20 pods each day. */
const history = {
  usage: [
    { project: 'shop', days: Array.from({ length: 60 }, (_, index) => ({ day: day(index), peaks: { pods: 20 } })) },
  ],
};
const rowsOf = (out: string): string[][] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

beforeEach(() =>
  writeFiles({ 'shop.yaml': shop, 'pinion.platform.yaml': platform, 'usage.json': JSON.stringify(history) }),
);

describe('unmeasured usage is not reported as ok', () => {
  test('for a resource that the history lacks', async () => {
    const { code, out, err } = await pinion(['quota', 'status', '--usage', 'usage.json', 'shop.yaml']);
    expect([code, err]).toEqual([0, '']);
    expect(rowsOf(out).slice(1)).toEqual([
      ['shop', 'pods', 'ok', '20', '100', '20 %', '-', '-', '-'],
      ['shop', 'requests.cpu', 'not-measured', '-', '10', '-', '-', '-', '-'],
    ]);
  });

  test('for a project with a history that ended a week before the others', async () => {
    const late = { project: 'ads', days: [{ day: day(67), peaks: { pods: 1 } }] };
    writeFiles({
      'usage.json': JSON.stringify({ usage: [...history.usage, late] }),
      'ads.yaml': shop.replace('shop', 'ads'),
    });
    const { out } = await pinion(['quota', 'status', '--usage', 'usage.json', '-o', 'json', 'shop.yaml', 'ads.yaml']);
    const { rows } = JSON.parse(out) as { rows: readonly { project: string; resource: string }[] };
    expect(rows).toContainEqual({ project: 'shop', resource: 'pods', level: 'not-measured', quota: '100' });
    expect(rows).toContainEqual(expect.objectContaining({ project: 'ads', resource: 'pods', level: 'ok', used: '1' }));
  });

  test('for any project without a history, with a hint on how to provide one', async () => {
    const { code, out, err } = await pinion(['quota', 'status', 'shop.yaml']);
    expect(code).toBe(0);
    expect(err).toBe('pinion: no usage history; add --live, --usage FILE or --prometheus URL\n');
    expect(
      rowsOf(out)
        .slice(1)
        .map(([, , level]) => level),
    ).toEqual(['not-measured', 'not-measured']);
    const json = await pinion(['quota', 'status', '-o', 'json', 'shop.yaml']);
    expect(JSON.parse(json.out)).not.toHaveProperty('day');
  });
});

describe('the age of a history', () => {
  const at = (now: string) => ({
    system: { environment: {}, clock: { now: () => Date.parse(now), after: () => () => undefined, random: () => 0 } },
  });
  const status = (now: string) => pinion(['quota', 'status', '--usage', 'usage.json', 'shop.yaml'], '', at(now));

  test('is reported if the history ended days ago, because it does not describe today', async () => {
    const { code, out, err } = await status('2026-03-09T10:00:00Z');
    expect([code, err]).toEqual([
      0,
      'pinion: the history ended on 2026-03-01, 8 days ago; the output is as of that day\n',
    ]);
    expect(out).toMatch(/shop +pods +ok/);
    expect((await status('2026-03-02T10:00:00Z')).err).toBe('');
  });

  test('ignores days in the future, without making other days unmeasured', async () => {
    const [shopUsage] = history.usage;
    const days = [...(shopUsage?.days ?? []), { day: '2062-03-02', peaks: { pods: 99 } }];
    writeFiles({ 'usage.json': JSON.stringify({ usage: [{ project: 'shop', days }] }) });
    const { code, out, err } = await status('2026-03-02T10:00:00Z');
    expect([code, err]).toEqual([0, 'pinion: the history extends to 2062-03-02; ignoring days after today\n']);
    expect(out).toMatch(/shop +pods +ok +20 /);
  });
});

describe('live usage', () => {
  let server: ScriptedServer;
  /** Starts a cluster with a ResourceQuota in use, and the monitor's history if passed. */
  async function startCluster(history?: object): Promise<void> {
    const metadata = { name: 'project', namespace: 'shop', uid: 'u', resourceVersion: '1' };
    const quotas = [
      {
        metadata,
        spec: { hard: { pods: '100', 'requests.cpu': '10' } },
        status: { used: { pods: '95', 'requests.cpu': '2' } },
      },
    ];
    const maps = history
      ? [{ metadata: { ...metadata, name: 'quota-usage-shop' }, data: { 'usage.json': JSON.stringify(history) } }]
      : [];
    server = await startServer(({ url }, response) =>
      sendJson(response, 200, { metadata: {}, items: url.includes('resourcequotas') ? quotas : maps }),
    );
    const config = { apiVersion: 'v1', kind: 'Config', clusters: [{ name: 'c', cluster: { server: server.url } }] };
    const contexts = [{ name: 'c', context: { cluster: 'c', user: 'u' } }];
    const users = [{ name: 'u', user: {} }];
    writeFiles({ kubeconfig: JSON.stringify({ ...config, contexts, users, 'current-context': 'c' }) });
  }
  afterEach(() => server.close());
  const status = (at: string, ...more: string[]) => {
    const clock = {
      now: () => Date.parse(at),
      after: (milliseconds: number, callback: () => void) => {
        const timer = setTimeout(callback, milliseconds);
        return () => clearTimeout(timer);
      },
      random: () => 0,
    };
    const argv = ['quota', 'status', '--live', '--kubeconfig', join(testFolder(), 'kubeconfig'), ...more, 'shop.yaml'];
    return pinion(argv, '', { system: { environment: {}, clock } });
  };

  test('is shown and counted if the monitor stored nothing', async () => {
    await startCluster();
    const { code, out, err } = await status('2026-03-02T10:00:00Z');
    expect([code, err]).toEqual([0, '']);
    expect(rowsOf(out)).toEqual([
      ['PROJECT', 'RESOURCE', 'LEVEL', 'NOW', 'USED', 'QUOTA', 'SHARE', 'FULL ON', 'EARLIEST', 'LATEST'],
      ['shop', 'pods', 'nearly-full', '95', '95', '100', '95 %', '-', '-', '-'],
      ['shop', 'requests.cpu', 'ok', '2', '2', '10', '20 %', '-', '-', '-'],
    ]);
  });

  test('is shown along with a monitor that has stopped', async () => {
    await startCluster({ usage: [{ project: 'shop', days: [{ day: '2026-02-10', peaks: { pods: 99 } }] }] });
    const { err, out } = await status('2026-03-02T10:00:00Z');
    expect(err).toBe('pinion: the history ended on 2026-02-10, 20 days ago; only current usage is from today\n');
    expect(rowsOf(out)[1]?.slice(0, 5)).toEqual(['shop', 'pods', 'nearly-full', '95', '95']);
  });

  test('is shown next to a history with a higher peak', async () => {
    const days = [{ day: '2026-03-01', peaks: { pods: 99 } }];
    await startCluster({ usage: [{ project: 'shop', days }] });
    const { out } = await status('2026-03-02T10:00:00Z', '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({
      day: '2026-03-02',
      rows: [
        { resource: 'pods', level: 'full', now: '95', used: '99' },
        { resource: 'requests.cpu', now: '2' },
      ],
    });
  });
});
