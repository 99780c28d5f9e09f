import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { runCommand } from '../control-plane/command';
import { waitFor } from '../control-plane/wait-for';
import { kubeconfigOfClusters } from '../local/kubeconfig-of-clusters';
import { CanaryCli } from '../operations/canary-cli';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';

const program = join(__dirname, '../../build/bin/pinion.js');
const contexts = ['east', 'west', 'north'] as const;
const runOf = (kinds: string) => ['run', '--kind', kinds, '--deployment-path', 'controller'];
const canaryRun = runOf('PinterestCronJob');

const profile = 'default-2';
const change = [
  {
    ...defaultProfile,
    metadata: { name: profile },
    spec: { ...defaultProfile.spec, env: [...(defaultProfile.spec.env ?? []), { name: 'TRAIN', value: '2' }] },
  },
  { ...defaultPlatform, spec: { ...defaultPlatform.spec, runtime: { profile, rollout: 'Immediate' } } },
];

const formerRuntime = { profile: defaultProfile.metadata.name, rollout: 'Immediate' };

describePinion('east', (east) => {
  describePinion('west', (west) => {
    describePinion('a train over three clusters', (north) => {
      const clusters = { east, west, north };
      let folder: string;
      let kubeconfig: string;
      const argumentsOf = (...args: readonly string[]) => ['train', ...args, '--kubeconfig', kubeconfig];
      const pinion = (...args: readonly string[]) =>
        runCommand(process.execPath, [program, ...argumentsOf(...args)], '', {});
      const run = () => pinion('run', join(folder, 'train.json'), '--yes', '--force-conflicts');
      const states = async () => {
        const { stdout } = await pinion('status', join(folder, 'train.json'), '--output', 'json');
        return (JSON.parse(stdout) as { state: string }[]).map(({ state }) => state);
      };
      const canaryOf = (name: keyof typeof clusters) => new CanaryCli(clusters[name]().cluster);
      const profileOf = async (name: keyof typeof clusters) =>
        (await clusters[name]().read('Platform', '', defaultPlatform.metadata.name))?.['spec'];
      /** Starts the train in a process of its own, and returns it with what it has printed. */
      const start = (): { readonly child: ChildProcess; readonly printed: () => string } => {
        const args = argumentsOf('run', join(folder, 'train.json'), '--yes', '--force-conflicts');
        const child = spawn(process.execPath, [program, ...args], { env: {} });
        let text = '';
        child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
        return { child, printed: () => text };
      };

      /** Waits until a train has printed something. */
      const says = (train: ReturnType<typeof start>, pattern: RegExp) =>
        waitFor(`${pattern}`, () => Promise.resolve(pattern.test(train.printed())), { timeout: 90_000 }).catch(() => {
          throw new Error(`the train has not printed ${pattern}:\n${train.printed()}`);
        });

      beforeAll(async () => {
        ({ folder } = east().cluster);
        kubeconfig = kubeconfigOfClusters(
          join(folder, 'all'),
          Object.fromEntries(contexts.map((name) => [name, clusters[name]().cluster.kubeconfig])),
        );
        const former = [defaultProfile, { ...change[1], spec: { ...change[1]?.spec, runtime: formerRuntime } }];
        writeFileSync(join(folder, 'former.json'), former.map((one) => JSON.stringify(one)).join('\n---\n'));
        writeFileSync(join(folder, 'change.json'), change.map((one) => JSON.stringify(one)).join('\n---\n'));
        const stops = (manifest: string) => contexts.map((context) => ({ context, manifests: [manifest], soak: '1s' }));
        writeFileSync(join(folder, 'train.json'), JSON.stringify({ deadline: '3m', clusters: stops('change.json') }));
        writeFileSync(join(folder, 'back.json'), JSON.stringify({ deadline: '3m', clusters: stops('former.json') }));
        await east().project('shop');
        await east().apply(workloadOf('PinterestService', 'shop', 'cart', { template: smallTemplate() }));
        await east().ready('PinterestService', 'shop', 'cart');
      }, 60_000);

      test('does not begin without a canary, nor where another field manager has set a field', async () => {
        const withoutCanary = await run();
        expect([withoutCanary.code, withoutCanary.stderr]).toEqual([
          5,
          expect.stringContaining('east: stops the train: the canary does not pass before the change') as string,
        ]);
        for (const name of contexts) {
          await canaryOf(name).install(['--image', 'registry.example.com/pinion/canary:1.0.0']);
          await clusters[name]().ready('PinterestCronJob', 'pinion-canary', 'canary');
          expect((await canaryOf(name).command(canaryRun)).code).toBe(0);
        }
        const conflicting = await pinion('run', join(folder, 'train.json'), '--yes');
        expect(conflicting.code).toBe(5);
        expect(conflicting.stderr).toMatch(/east: stops the train: .*conflict/i);
        expect((await east().cluster.kubectl(['get', 'runtimeprofile', profile])).code).toBe(1);
        const tried = await pinion('run', join(folder, 'train.json'), '--dry-run');
        expect([tried.code, tried.stdout]).toEqual([
          1,
          expect.stringMatching(/east: .*rejects the change: .*conflict/i),
        ]);
        const accepted = await pinion('run', join(folder, 'train.json'), '--dry-run', '--force-conflicts');
        expect([accepted.code, accepted.stdout]).toEqual([
          0,
          contexts.map((name) => `${name}: the API server accepts 2 manifests\n`).join(''),
        ]);
        expect((await east().cluster.kubectl(['get', 'runtimeprofile', profile])).code).toBe(1);
      }, 240_000);

      test('stops at the second cluster, whose canary fails, and leaves the third untouched', async () => {
        const train = start();
        const ended = new Promise((resolve) => train.child.once('exit', resolve));
        await says(train, /east: waits: no canary run/);
        expect(train.printed()).not.toContain('west: applies');
        expect((await canaryOf('east').command(canaryRun)).code).toBe(0);
        await says(train, /west: waits: no canary run/);
        await west().cluster.part('kube-scheduler').kill();
        expect((await canaryOf('west').command([...runOf('PinterestService'), '--timeout', '15s'])).code).toBe(1);
        expect(await ended).toBe(5);
        expect(train.printed()).toContain('west: stops the train: the canary failed after the change');
        expect(await states()).toEqual(['passed', 'stopped', 'pending']);
        expect(await profileOf('west')).toMatchObject({ runtime: { profile } });
        expect(await profileOf('north')).toMatchObject({ runtime: { profile: defaultProfile.metadata.name } });
      }, 300_000);

      test('continues after it was killed, without a write to a cluster that has the change', async () => {
        await west().cluster.part('kube-scheduler').restart();
        await west().cluster.ready();
        expect((await canaryOf('west').command(runOf('PinterestService,PinterestCronJob'))).code).toBe(0);
        const mark = east().cluster.audit.mark();
        const train = start();
        const ended = new Promise((resolve) => train.child.once('exit', resolve));
        await says(train, /north: waits: no canary run/);
        train.child.kill('SIGKILL');
        await ended;
        expect(await states()).toEqual(['passed', 'passed', 'settling']);
        expect((await canaryOf('north').command(canaryRun)).code).toBe(0);
        const { code, stderr } = await run();
        expect([code, stderr]).toEqual([0, expect.stringContaining('north: has passed') as string]);
        expect(stderr).toMatch(/east: has the change since/);
        const writes = east()
          .cluster.audit.since(mark)
          .filter(({ userAgent = '', verb }) => userAgent.includes('pinion-cli') && !['get', 'list'].includes(verb));
        expect(writes).toEqual([]);
        expect(await states()).toEqual(['passed', 'passed', 'passed']);
      }, 300_000);

      test('a change is taken back with the last cluster first, although the canary of one is closed', async () => {
        await east().cluster.part('kube-scheduler').kill();
        expect((await canaryOf('east').command([...runOf('PinterestService'), '--timeout', '15s'])).code).toBe(1);
        await east().cluster.part('kube-scheduler').restart();
        await east().cluster.ready();
        const back = ['run', join(folder, 'back.json'), '--yes', '--force-conflicts'];
        const refused = await pinion(...back);
        expect(refused.stderr).toContain('east: stops the train: the canary does not pass before the change');
        const { code, stderr } = await pinion(...back, '--back');
        expect([code, stderr]).toEqual([
          0,
          expect.stringMatching(/north: has passed[^]*west: has passed[^]*east: has passed/),
        ]);
        for (const name of contexts) expect(await profileOf(name)).toMatchObject({ runtime: formerRuntime });
      }, 300_000);
    });
  });
});
