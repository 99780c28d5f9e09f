import { AwsMachines } from '../../lib/cloud';
import { EmulatedCluster } from '../cloud/emulated-cluster';
import { type Moto, motoMissing, openMoto, useEndpoint } from '../cloud/moto';
import { realClock } from '../kube/real-clock';
import { serve } from '../kube/client-fixture';
import { FakeRollApi } from './fake-roll-api';
import { writeFiles, testFolder, pinion } from './terminal';

test.each([
  [['cluster'], 'cluster requires a subcommand: roll'],
  [['cluster', 'rol', 'prod'], 'unknown subcommand "rol" of cluster; did you mean roll?'],
  [['cluster', 'roll'], 'cluster roll requires CLUSTER: value of the tag pinion/cluster'],
  [
    ['cluster', 'roll', 'prod', '--surge', '0', '--region', 'r'],
    '--surge must be a number of machines or a percentage up to 100%, not "0"',
  ],
  [
    ['cluster', 'roll', 'prod', '--surge', '101%', '--region', 'r'],
    '--surge must be a number of machines or a percentage',
  ],
  [['cluster', 'roll', 'prod', '--evict', 'jobs,all'], '--evict must be jobs, bare or annotated, not "all"'],
  [
    ['cluster', 'roll', 'prod', '--job-timeout', '6'],
    '--job-timeout must be a duration such as 90s, 15m or 6h, not "6"',
  ],
  [['cluster', 'roll', 'prod'], 'cluster roll requires --region REGION; pass it or set AWS_REGION'],
  [['cluster', 'roll', 'prod', '--region', 'r', '-o', 'json'], '--output requires --dry-run'],
])('a usage error suggests a correction: %j', async (argv, message) => {
  const { code, out, err } = await pinion(argv);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

jest.setTimeout(60_000);

const withMoto = motoMissing === undefined ? describe : describe.skip;
if (motoMissing !== undefined) test.skip(`a roll by its command: ${motoMissing}`, () => undefined);

withMoto('a roll by its command', () => {
  let moto: Moto;
  let cloud: EmulatedCluster;
  let machines: AwsMachines;
  let api: FakeRollApi;

  beforeAll(async () => {
    moto = await openMoto();
    useEndpoint(moto);
    cloud = new EmulatedCluster(moto, { name: 'prod', pools: { general: { size: 2, max: 3 } } });
    await cloud.create('1.35.4');
    machines = new AwsMachines('prod', moto.options);
    await cloud.change('1.36.3');
  }, 90_000);
  afterAll(async () => {
    machines.close();
    await moto.stop();
  });
  beforeEach(() => {
    api = new FakeRollApi(machines);
  });

  async function roll(...argv: readonly string[]) {
    const server = await serve((request, response) => void api.handle(request, response));
    const kubeconfig = {
      clusters: [{ name: 'c', cluster: { server: server.url } }],
      users: [{ name: 'u', user: { token: 'secret' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    writeFiles({ 'kubeconfig.yaml': JSON.stringify(kubeconfig) });
    const system = { environment: { AWS_REGION: 'us-east-1' }, clock: realClock };
    const result = await pinion(['cluster', 'roll', ...argv, '--kubeconfig', `${testFolder()}/kubeconfig.yaml`], '', {
      system,
    });
    return { ...result, writes: server.seen.filter(({ method }) => method !== 'GET') };
  }

  /** Returns the record of the roll in the cluster. */
  const recorded = (): unknown => JSON.parse(api.record?.data['roll.json'] ?? 'null');
  /** Returns writes beside the lease and the record of the roll. */
  const changesIn = (writes: Awaited<ReturnType<typeof roll>>['writes']) =>
    writes.filter(({ url }) => !url.includes('/leases') && !url.includes('/pinion-roll'));

  test('--dry-run lists which machines would be replaced and why, and changes nothing', async () => {
    const { code, out, err, writes } = await roll('prod', '--dry-run');
    expect([code, err, writes]).toEqual([0, '', []]);
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^UNIT +MACHINE +NODE +ZONE +MOVES +AWAITS +WHY$/);
    expect(lines.filter((line) => /^general .*image ami-\w+ → ami-\w+/.test(line))).toHaveLength(2);
    expect(out).toContain('pool general: 1 at once, new machines first');
    const [pool] = await machines.groups();
    expect(pool).toMatchObject({ size: 2 });
    expect(pool).not.toHaveProperty('base');
  });

  test('prints the same as JSON', async () => {
    const { out } = await roll('prod', '--dry-run', '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({
      replacements: [{ unit: 'general' }, { unit: 'general' }],
      atOnce: { general: 1 },
      problems: [],
    });
  });

  test('rejects a version that the cluster cannot run before any change', async () => {
    const { code, err, writes } = await roll('prod', '--yes', '--kubernetes', '1.37.0');
    expect([code, writes]).toEqual([1, []]);
    expect(err).toContain(
      'error invalid-combination: pools.general: "1.37.0" is newer than the API server of api, which will have 1.36.3',
    );
  });

  test('without a terminal, changes nothing unless --yes is set', async () => {
    const { code, err, writes } = await roll('prod');
    expect([code, writes]).toEqual([2, []]);
    expect(err).toContain('cannot ask for confirmation without a terminal; review --dry-run, then pass --yes');
  });

  test('reports an unknown cluster or unit with the known ones', async () => {
    expect((await roll('prd', '--dry-run')).err).toContain(
      'no Auto Scaling group in this region has the tag pinion/cluster=prd',
    );
    expect((await roll('prod', '--dry-run', '--only', 'memory')).err).toContain('--only: no unit memory; use general');
  });

  test('halts before the first machine while the canary fails, with the failures', async () => {
    api.report = failedReport();
    const { code, err, writes } = await roll('prod', '--yes');
    expect([code, err]).toEqual([
      5,
      expect.stringContaining('PinterestService through controller: ready failed: the scheduler does not run'),
    ]);
    expect(err).toContain('--ignore-canary');
    expect(changesIn(writes)).toEqual([]);
    expect(recorded()).toMatchObject({ cluster: 'prod', state: 'Halted', left: { general: 2 }, replaced: 0 });
    expect(recorded()).toMatchObject({ reason: expect.stringContaining('the scheduler does not run') as string });
  });

  test('checks the canary of --canary, and starts nothing if it does not exist', async () => {
    api.report = failedReport();
    api.canary = 'canary-of-prod';
    const { code, err, writes } = await roll('prod', '--yes', '--canary', 'canary-of-prod');
    expect([code, err]).toEqual([5, expect.stringContaining('the scheduler does not run')]);
    const absent = await roll('prod', '--yes', '--canary', 'canary-of-prd');
    expect([absent.code, absent.err]).toEqual([
      5,
      expect.stringContaining('no canary report in namespace canary-of-prd'),
    ]);
    expect(changesIn([...writes, ...absent.writes])).toEqual([]);
  });

  test('with --yes, replaces the machines under its lease and completes', async () => {
    const { code, err, writes } = await roll('prod', '--yes');
    expect([code, err]).toEqual([0, expect.stringContaining('done: 2 machines replaced')]);
    expect(err).toContain('canary: no canary report in namespace pinion-canary');
    const [pool] = await machines.groups();
    expect([pool?.size, pool?.desiredCapacity, pool?.machines.map(({ template }) => template?.version)]).toEqual([
      2,
      undefined,
      ['2', '2'],
    ]);
    const cordons = writes.filter(({ method, url }) => method === 'PATCH' && url.startsWith('/api/v1/nodes/'));
    expect(cordons).toHaveLength(2);
    expect(writes[0]).toMatchObject({ method: 'POST', url: expect.stringContaining('/leases') as unknown });
    expect(api.lease).toMatchObject({ spec: { holderIdentity: '' } });
    expect(recorded()).toMatchObject({ state: 'Done', left: {}, replaced: 2 });
    expect(recorded()).toMatchObject({
      changes: [
        expect.stringMatching(/^image ami-\w+ → ami-\w+$/),
        'tag pinion/kubernetes of instance 1.35.4 → 1.36.3',
      ],
    });
    expect((await roll('prod')).out).toContain('Nothing to replace');
  });
});

/** Returns a report whose only run has just failed. */
function failedReport(): string {
  const failed = { step: 'ready', state: 'failed', seconds: 20, cause: { message: 'the scheduler does not run' } };
  const now = new Date(realClock.now()).toISOString();
  const cases = [{ kind: 'PinterestService', deploymentPath: 'controller', state: 'failed', steps: [failed] }];
  const runs = [{ id: 'a', began: now, ended: now, swept: 0, cases }];
  return JSON.stringify({ runs, successes: {}, failures: {} });
}
