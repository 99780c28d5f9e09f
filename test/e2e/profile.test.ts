import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProfileSums, readProfile } from '../../lib/operations';
import { type SendableObject } from '../control-plane/client';
import { runCommand } from '../control-plane/command';
import { describeCluster } from '../control-plane/cluster-suite';
import { describeControlPlane } from '../control-plane/suite';

const program = join(__dirname, '..', '..', 'build', 'bin', 'pinion.js');
const goVersion = spawnSync('go', ['version'], { encoding: 'utf8' });
const testWithGo = goVersion.status === 0 ? test : test.skip;
const skipReason = goVersion.status === 0 ? '' : ' (skipped: there is no "go" on PATH)';

/** Returns the flat value of each function by `go tool pprof -top`, in the given unit. */
function goTop(file: string, unit: string): { readonly total: number; readonly own: ReadonlyMap<string, number> } {
  const flags = ['-top', `-unit=${unit}`, '-nodecount=1000000', '-nodefraction=0', '-symbolize=none'];
  const { status, stdout, stderr } = spawnSync('go', ['tool', 'pprof', ...flags, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const total = Number(/of ([\d.]+)\w* total/.exec(stdout)?.[1]);
  const rows = [...stdout.matchAll(/^\s*([\d.]+)\w*\s+\S+%\s+\S+%\s+[\d.]+\w*\s+\S+%\s+(.*)$/gm)];
  const own = rows.map(([, value, name = '']): [string, number] => [
    name.replace(/ \((partial-)?inline\)$/, ''),
    Number(value),
  ]);
  return { total, own: new Map(own) };
}

/** Returns total and flat values by pinion and by Go, for functions with a flat value above zero. */
function compareWithGo({ total, functions }: ProfileSums, file: string, unit: string): readonly [object, object] {
  const byGo = goTop(file, unit);
  const positive = ([, own]: readonly [string, number]): boolean => own > 0;
  const byPinion = functions.map(({ name, own }): [string, number] => [name, own]).filter(positive);
  return [
    { total, own: Object.fromEntries(byPinion) },
    { total: byGo.total, own: Object.fromEntries([...byGo.own].filter(positive)) },
  ];
}

describeControlPlane('profiles of a real API server', (controlPlane) => {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-profile-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const pinion = (...args: readonly string[]) =>
    runCommand(process.execPath, [program, 'profile', ...args], '', {
      PATH: process.env['PATH'],
      KUBECONFIG: controlPlane().kubeconfig,
    });

  const sumsOf = async (file: string): Promise<ProfileSums> =>
    JSON.parse((await pinion('--file', file, '-o', 'json')).stdout) as ProfileSums;

  test('prints memory by activity and by function, with a flame graph', async () => {
    const [file, html] = [join(folder, 'heap.pb.gz'), join(folder, 'heap.html')];
    const { code, stdout, stderr } = await pinion('apiserver', '--heap', '--save', file, '--html', html);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^apiserver, heap: [\d.]+ [KM]iB of inuse_space\n\nACTIVITY +TOTAL\n/);
    expect(stdout).toMatch(/^SELF +TOTAL +FUNCTION$/m);
    expect(readFileSync(html, 'utf8')).toContain('inuse_space in bytes');
    expect(readProfile(readFileSync(file)).samples.length).toBeGreaterThan(50);
  }, 60_000);

  testWithGo(
    `memory equals the result of go tool pprof for the same file, in total and for every function${skipReason}`,
    async () => {
      const file = join(folder, 'heap.pb.gz');
      const [byPinion, byGo] = compareWithGo(await sumsOf(file), file, 'B');
      expect(byPinion).toEqual(byGo);
    },
    60_000,
  );

  test('profiles CPU time while the server works, and names list encoding', async () => {
    const { client } = controlPlane();
    await client.ensureNamespace('busy');
    const data = { text: 'x'.repeat(20_000) };
    for (let index = 0; index < 100; index++)
      await client.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `map-${index}`, namespace: 'busy' },
        data,
      } as SendableObject);
    let isOver = false;
    const work = (async () => {
      while (!isOver) await client.request('GET', '/api/v1/namespaces/busy/configmaps');
    })();
    const file = join(folder, 'cpu.pb.gz');
    const { code, stdout } = await pinion('apiserver', '--cpu', '--seconds', '5', '--save', file);
    isOver = true;
    await work;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^encoding lists +[\d.]+ m?s +\d/m);
  }, 120_000);

  testWithGo(
    `CPU time equals the result of go tool pprof for the same file, in total and for every function${skipReason}`,
    async () => {
      const file = join(folder, 'cpu.pb.gz');
      const [byPinion, byGo] = compareWithGo(await sumsOf(file), file, 'ns');
      expect(byPinion).toEqual(byGo);
    },
    60_000,
  );

  test('compares two profiles', async () => {
    const [before, after] = [join(folder, 'heap.pb.gz'), join(folder, 'later.pb.gz')];
    const svg = join(folder, 'diff.svg');
    const { code, stdout } = await pinion('apiserver', '--heap', '--save', after, '--diff', before, '--svg', svg);
    expect([code, existsSync(svg)]).toEqual([0, true]);
    expect(stdout).toMatch(/of inuse_space, was [\d.]+ [KM]iB\n/);
    expect(stdout).toMatch(/SELF CHANGE/);
    const mismatch = await pinion('--file', after, '--diff', join(folder, 'cpu.pb.gz'));
    expect(mismatch.code).toBe(2);
  }, 60_000);

  test('errors for unavailable profiles name a fix', async () => {
    expect(await pinion('scheduler', '--heap')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no pod of kube-system has the label component=kube-scheduler; pass --url'),
    });
    expect(await pinion('controller', '--heap')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('has no holder'),
    });
    expect(await pinion('apiserver')).toMatchObject({ code: 2, stderr: expect.stringContaining('--heap or --cpu') });
    const url = controlPlane().url;
    expect(await pinion('scheduler', '--heap', '--url', url)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('certificate'),
    });
    expect(await pinion('scheduler', '--heap', '--url', url, '--insecure')).toMatchObject({ code: 0 });
  }, 60_000);
});

describeCluster(
  'profiles of a real controller manager and a real scheduler',
  (cluster) => {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-profile-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    /** Returns the URL of a component, from the port in its command line. */
    const urlOf = (part: 'kube-controller-manager' | 'kube-scheduler'): string => {
      const commandLine = readFileSync(`/proc/${cluster().part(part).pid}/cmdline`, 'utf8');
      return `https://127.0.0.1:${/--secure-port=(\d+)/.exec(commandLine)?.[1]}`;
    };
    const pinion = (...args: readonly string[]) =>
      runCommand(process.execPath, [program, 'profile', ...args], '', {
        PATH: process.env['PATH'],
        KUBECONFIG: cluster().kubeconfig,
      });

    /** Creates Deployments of ten pods each until it is stopped. */
    function work(namespace: string): () => Promise<void> {
      let isOver = false;
      const labels = { app: 'busy' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example.com/busy' }] } };
      const working = (async () => {
        for (let index = 0; !isOver && index < 200; index++)
          await cluster().client.create({
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { name: `busy-${index}`, namespace },
            spec: { replicas: 10, selector: { matchLabels: labels }, template },
          } as SendableObject);
      })();
      return () => {
        isOver = true;
        return working;
      };
    }

    test.each([
      ['controller-manager', 'kube-controller-manager', 'controllers'],
      ['scheduler', 'kube-scheduler', 'scheduling pods'],
    ] as const)(
      'CPU time and memory of the %s are printed, drawn and compared, and equal the results of Go',
      async (name, part, activity) => {
        const file = (kind: string): string => join(folder, `${name}-${kind}`);
        const target = ['--url', urlOf(part), '--insecure'];
        const namespace = await cluster().namespace('busy');
        const before = await pinion(name, '--heap', ...target, '--save', file('heap.pb.gz'));
        expect(before).toMatchObject({ code: 0, stderr: '' });
        const stop = work(namespace);
        const cpu = await pinion(
          name,
          '--cpu',
          '--seconds',
          '5',
          ...target,
          '--save',
          file('cpu.pb.gz'),
          '--html',
          file('cpu.html'),
        );
        await stop();
        expect(cpu).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`^${name}, cpu for 5 s: `)) });
        expect(cpu.stdout).toMatch(new RegExp(`^${activity} +[\\d.]+ m?s +[\\d.]+ %`, 'm'));
        expect(readFileSync(file('cpu.html'), 'utf8')).toContain(
          activity === 'controllers' ? 'pkg/controller' : 'pkg/scheduler',
        );
        const after = await pinion(name, '--heap', ...target, '--diff', file('heap.pb.gz'));
        expect(after).toMatchObject({ code: 0, stdout: expect.stringContaining('SELF CHANGE') });
        if (goVersion.status !== 0) return;
        for (const [kind, unit] of [
          ['heap.pb.gz', 'B'],
          ['cpu.pb.gz', 'ns'],
        ] as const) {
          const { stdout } = await pinion('--file', file(kind), '-o', 'json');
          const [byPinion, byGo] = compareWithGo(JSON.parse(stdout) as ProfileSums, file(kind), unit);
          expect(byPinion).toEqual(byGo);
        }
      },
      180_000,
    );
  },
  {
    controllerManagerFlags: ['--authorization-always-allow-paths=/healthz,/readyz,/livez,/debug/pprof/*'],
    schedulerFlags: ['--authorization-always-allow-paths=/healthz,/readyz,/livez,/debug/pprof/*'],
  },
);
