import { AwsMachines } from '../../lib/cloud';
import { EmulatedCluster } from '../cloud/emulated-cluster';
import { type Moto, motoMissing, startMoto, useEndpoint } from '../cloud/moto';
import { realClock } from '../kube/real-clock';
import { answer } from '../kube/scripted-server';
import { serve } from '../kube/served-client';
import { given, here, pinion } from './terminal';

test.each([
  [['cluster'], 'cluster needs a word: roll'],
  [['cluster', 'rol', 'prod'], 'cluster needs a word: roll, not rol'],
  [['cluster', 'roll'], 'cluster roll needs the name of one cluster'],
  [['cluster', 'roll', 'prod', '--surge', '0'], '--surge takes a number of machines or a percentage'],
  [['cluster', 'roll', 'prod', '--surge', '101%'], '--surge takes a number of machines or a percentage'],
  [['cluster', 'roll', 'prod', '--evict', 'jobs,all'], '--evict takes jobs, bare, asked, not "all"'],
  [['cluster', 'roll', 'prod', '--job-patience', '6'], '--job-patience takes a duration'],
  [['cluster', 'roll', 'prod'], 'which region? give --region, or set AWS_REGION'],
  [['cluster', 'roll', 'prod', '--region', 'r', '-o', 'json'], '-o goes with --dry-run'],
])('wrong usage says what to write instead: %j', async (argv, message) => {
  const { code, out, err } = await pinion(argv);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

const withMoto = motoMissing === undefined ? describe : describe.skip;
if (motoMissing !== undefined) test.skip(`a roll by its command: ${motoMissing}`, () => undefined);

withMoto('a roll by its command', () => {
  let moto: Moto;
  let cloud: EmulatedCluster;
  let machines: AwsMachines;
  let nodes: readonly object[] = [];

  beforeAll(async () => {
    moto = await startMoto();
    useEndpoint(moto);
    cloud = new EmulatedCluster(moto, { name: 'prod', pools: { general: { size: 2, max: 3 } } });
    await cloud.make('1.35.4');
    machines = new AwsMachines('prod', moto.options);
    const [pool] = await machines.groups();
    nodes = (pool?.machines ?? []).map(({ id, zone }) => ({
      metadata: { name: `node-${id}`, uid: id, resourceVersion: '1' },
      spec: { providerID: `aws:///${zone}/${id}` },
      status: { nodeInfo: { kubeletVersion: 'v1.35.4' }, conditions: [{ type: 'Ready', status: 'True' }] },
    }));
    await cloud.change('1.36.3');
  }, 90_000);
  afterAll(async () => {
    machines.close();
    await moto.stop();
  });

  async function roll(...argv: readonly string[]) {
    const server = await serve(({ url }, response) =>
      answer(
        response,
        200,
        url === '/version'
          ? { gitVersion: 'v1.36.3' }
          : { metadata: {}, items: url.startsWith('/api/v1/nodes') ? nodes : [] },
      ),
    );
    const kubeconfig = {
      clusters: [{ name: 'c', cluster: { server: server.url } }],
      users: [{ name: 'u', user: { token: 'secret' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    given({ 'kubeconfig.yaml': JSON.stringify(kubeconfig) });
    const outside = { environment: { AWS_REGION: 'us-east-1' }, clock: realClock };
    const ended = await pinion(['cluster', 'roll', ...argv, '--kubeconfig', `${here()}/kubeconfig.yaml`], '', {
      outside,
    });
    return { ...ended, writes: server.seen.filter(({ method }) => method !== 'GET') };
  }

  test('--dry-run says which machines would be replaced and why, and touches nothing', async () => {
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

  test('the same for a program', async () => {
    const { out } = await roll('prod', '--dry-run', '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({
      replacements: [{ unit: 'general' }, { unit: 'general' }],
      atOnce: { general: 1 },
      problems: [],
    });
  });

  test('a version that the cluster cannot take is a problem before anything is touched', async () => {
    const { code, err, writes } = await roll('prod', '--yes', '--kubernetes', '1.37.0');
    expect([code, writes]).toEqual([1, []]);
    expect(err).toContain(
      'error contradiction: pools.general: "1.37.0" is newer than the API server of api, which will have 1.36.3',
    );
  });

  test('where nobody can be asked, nothing is done without --yes', async () => {
    const { code, err, writes } = await roll('prod');
    expect([code, writes]).toEqual([2, []]);
    expect(err).toContain('nobody can be asked here; look at --dry-run, then give --yes');
  });

  test('a cluster or a unit that is not there is told, with what is', async () => {
    expect((await roll('prd', '--dry-run')).err).toContain(
      'no Auto Scaling group of this region has the tag pinion/cluster=prd',
    );
    expect((await roll('prod', '--dry-run', '--only', 'memory')).err).toContain('there is no memory; use general');
  });
});
