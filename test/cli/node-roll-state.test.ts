import { LiveCluster, listBody, liveMetadata, kubeconfigOption, type Body } from './live-cluster';
import { quickClock } from './run-with-service';
import { pinion, writeFiles } from './terminal';

const cluster = new LiveCluster();
beforeEach(async () => {
  await cluster.start();
  cluster.stored.set('/version', { gitVersion: 'v1.36.3' });
  const conditions = [{ type: 'Ready', status: 'True' }];
  const spec = { cluster: 'main', environment: 'prod', runtime: { profile: 'default-1' } };
  cluster.stored.set(
    '/apis/pinterest.com/v1/platforms',
    listBody([{ metadata: liveMetadata('cluster'), spec, status: { conditions } }]),
  );
});
afterEach(() => cluster.server.close());

const recordPath = '/api/v1/namespaces/kube-system/configmaps/pinion-roll';
const leasePath = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/pinion-roll';
const store = (record: Body, holder = ''): void => {
  const roll = { cluster: 'main', at: '2026-03-01T12:00:00Z', left: { general: 2, gpu: 1 }, changes: [], ...record };
  cluster.stored.set(recordPath, {
    metadata: liveMetadata('pinion-roll'),
    data: { 'roll.json': JSON.stringify(roll) },
  });
  const renewTime = new Date(quickClock.now()).toISOString();
  cluster.stored.set(leasePath, {
    metadata: liveMetadata('pinion-roll'),
    spec: { holderIdentity: holder, leaseDurationSeconds: 120, renewTime },
  });
};
const system = { environment: {}, clock: quickClock };
const fleet = (...argv: string[]) => pinion(['fleet', ...argv, ...kubeconfigOption()], '', { system });
const nodesColumn = (out: string): string => {
  const [head = '', row = ''] = out.split('\n');
  return row.slice(head.indexOf('NODES'), head.indexOf('CANARY')).trim();
};

test('a cluster whose machines were never rolled has no state of nodes', async () => {
  const { code, out } = await fleet();
  expect([code, nodesColumn(out)]).toEqual([0, '-']);
});

test.each([
  [{ state: 'Rolling' }, 'user-1', 0, 'Rolling (3 left)', ''],
  [{ state: 'Rolling' }, '', 1, 'Interrupted (3 left)', 'run pinion cluster roll main again to continue.'],
  [{ state: 'Stopped' }, '', 1, 'Stopped (3 left)', 'run pinion cluster roll main again to continue.'],
  [
    { state: 'Halted', reason: 'general: no room; add it' },
    '',
    1,
    'Halted (3 left)',
    'halted: general: no room; add it.',
  ],
  [{ state: 'Done', left: {} }, '', 0, 'Done', ''],
])('the fleet shows a roll that is %j', async (record, holder, expected, text, finding) => {
  store(record, holder);
  const { code, out } = await fleet();
  expect([code, nodesColumn(out)]).toEqual([expected, text]);
  expect(out).toContain(finding);
  expect(out.includes('The roll of the nodes')).toBe(finding !== '');
  const [found] = JSON.parse((await fleet('-o', 'json')).out) as readonly { readonly summary: unknown }[];
  expect(found?.summary).toMatchObject({ roll: { cluster: 'main', at: '2026-03-01T12:00:00Z' } });
});

test('a record that may not be read is unknown, and one of another version is none', async () => {
  cluster.forbidden.add(recordPath);
  expect(await fleet()).toMatchObject({
    code: 3,
    out: expect.stringContaining('not read: roll of the nodes') as string,
  });
  cluster.forbidden.clear();
  cluster.stored.set(recordPath, { metadata: liveMetadata('pinion-roll'), data: { 'roll.json': '{"format": 2}' } });
  expect(nodesColumn((await fleet()).out)).toBe('-');
});

describe('a train', () => {
  const train = (...argv: string[]) => pinion(['train', ...argv, 'train.json', ...kubeconfigOption()], '', { system });
  beforeEach(() => {
    const project = {
      apiVersion: 'pinterest.com/v1',
      kind: 'Project',
      metadata: { name: 'shop' },
      spec: { team: 'a' },
    };
    writeFiles({
      'train.json': JSON.stringify({ clusters: [{ context: 'c', manifests: ['project.json'], canary: 'Skip' }] }),
      'project.json': JSON.stringify(project),
    });
  });

  test('shows the roll beside its own state', async () => {
    store({ state: 'Rolling' }, 'user-1');
    const { code, out } = await train('status');
    expect([code, out]).toEqual([5, expect.stringMatching(/^c +pending +Rolling \(3 left\)/m)]);
    expect(JSON.parse((await train('status', '-o', 'json')).out)).toEqual([
      { context: 'c', state: 'pending', nodes: 'Rolling (3 left)' },
    ]);
    cluster.forbidden.add(recordPath);
    expect((await train('status')).out).toMatch(/^c +pending +-/m);
  });

  test('does not begin on a cluster whose machines are replaced', async () => {
    store({ state: 'Rolling' }, 'user-1');
    for (const plural of ['services', 'cronjobs', 'daemons', 'statefulsets', 'jobsets', 'trainingjobs'])
      cluster.stored.set(`/apis/pinterest.com/v1/pinterest${plural}`, emptyTable);
    const { code, err } = await train('run', '--yes');
    expect([code, err]).toEqual([
      5,
      expect.stringContaining('the cluster is not well before the change: pinion cluster roll replaces its machines'),
    ]);
    expect(cluster.server.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

const emptyTable: Body = {
  kind: 'Table',
  metadata: {},
  columnDefinitions: ['Ready', 'Reason', 'Profile', 'HeldSince'].map((name) => ({ name })),
  rows: [],
};
