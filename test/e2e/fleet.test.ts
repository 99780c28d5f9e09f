import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { controlPlanePrograms, findBinaries } from '../control-plane/binaries';
import { runCommand } from '../control-plane/command';
import { type ControlPlane } from '../control-plane/control-plane';
import { startControlPlane } from '../control-plane/start-control-plane';
import { waitFor } from '../control-plane/wait-for';
import { kubeconfigOfClusters } from '../local/kubeconfig-of-clusters';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';

const program = join(__dirname, '../../build/bin/pinion.js');

describePinion('a fleet of clusters', (pinion) => {
  let empty: ControlPlane;
  let silent: Server;
  let kubeconfig: string;
  const fleet = (...args: readonly string[]) =>
    runCommand(process.execPath, [program, 'fleet', '--kubeconfig', kubeconfig, ...args], '', {});

  beforeAll(async () => {
    const binaries = findBinaries(controlPlanePrograms);
    if ('skipped' in binaries) throw new Error(binaries.skipped);
    empty = await startControlPlane({ paths: binaries.paths });
    silent = createServer(() => undefined).listen(0, '127.0.0.1');
    const { cluster } = pinion();
    await pinion().project('shop');
    await pinion().apply(workloadOf('PinterestService', 'shop', 'cart', { replicas: 1, template: smallTemplate() }));
    await pinion().ready('PinterestService', 'shop', 'cart');
    const closed = 'https://127.0.0.1:1';
    const guest = cluster.kubeconfigFor({ token: await cluster.serviceAccountToken('default', 'default') });
    kubeconfig = kubeconfigOfClusters(join(cluster.folder, 'fleet'), {
      ...{ east: cluster.kubeconfig, west: empty.kubeconfig, guest, closed },
      silent: `https://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    });
  }, 180_000);
  afterAll(async () => {
    silent.close();
    await empty.stop();
  });

  test('a cluster that is well, with the daemon of the platform', async () => {
    const { code, stdout, stderr } = await fleet('--context', 'east');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^CONTEXT .* STATE\neast +local +dev +v1\.3\d\.\d+ +- +default-\S+ +2 +- +- +absent +ok\n$/);
    expect(code).toBe(0);
  });

  test('workloads that are not Ready, and those on another profile, are counted', async () => {
    const broken = smallTemplate({ 'test.example.com/unused': '' });
    await pinion().apply(
      workloadOf('PinterestService', 'shop', 'broken', {
        template: { ...broken, spec: { ...broken.spec, nodeSelector: { disk: 'none' } } },
      }),
    );
    await pinion().apply(
      workloadOf('PinterestJobSet', 'shop', 'index', { shards: 1, suspend: true, template: smallTemplate() }),
    );
    const { code, stdout } = await waitFor('the controller to report on both', async () => {
      const view = await fleet('--context', 'east', '--output', 'json');
      return view.stdout.includes('"notReady": 1,') && view;
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        context: 'east',
        state: 'attention',
        summary: { workloads: { total: 4, notReady: 1 }, findings: ['1 of 4 workloads are not Ready.'], unknown: [] },
      },
    ]);
  });

  test('each cluster is a row: without pinion, without permission, closed and silent ones', async () => {
    const { code, stdout } = await fleet('--timeout', '2s');
    expect(code).toBe(3);
    const rows = stdout.split('\n');
    const states = ['east', 'west', 'guest', 'closed', 'silent'].map((name) =>
      rows
        .find((row) => row.startsWith(`${name} `))
        ?.split(/ +/)
        .at(-1),
    );
    expect(states).toEqual(['attention', 'attention', 'unknown', 'unreachable', 'unreachable']);
    expect(stdout).toContain('west\n  There is no Platform: pinion is not installed.\n');
    expect(stdout).toMatch(/guest\n {2}not read: Platform: .*forbidden/);
    expect(stdout).toMatch(/closed\n {2}unreachable: .*ECONNREFUSED/);
    expect(stdout).toContain('silent\n  unreachable: no response within 2 s\n');
  });

  test('a context that does not exist is named', async () => {
    const { code, stdout } = await fleet('--context', 'east,north');
    expect(code).toBe(3);
    expect(stdout).toMatch(/north\n {2}unreachable: .*north.* context not found.*use east or west/);
  });
});
