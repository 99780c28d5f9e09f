import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../control-plane/command';
import { waitFor } from '../control-plane/wait-for';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';

const program = join(__dirname, '..', '..', 'build', 'bin', 'pinion.js');

describePinion(
  'profiles of the pinion controller',
  (pinion) => {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-profile-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const url = (): string => {
      const line = pinion()
        .controller.lines()
        .find(({ message }) => message === 'serving profiles');
      return `http://127.0.0.1:${String(line?.['profilePort'])}`;
    };
    const profile = (...args: readonly string[]) =>
      runCommand(process.execPath, [program, 'profile', 'controller', '--url', url(), ...args], '', {
        PATH: process.env['PATH'],
        KUBECONFIG: pinion().cluster.kubeconfig,
      });

    test('prints, draws and compares the CPU profile of creating workloads', async () => {
      const namespace = await pinion().project('busy');
      const [before, html] = [join(folder, 'before.pb.gz'), join(folder, 'cpu.html')];
      expect(await profile('--heap', '--save', before)).toMatchObject({ code: 0, stderr: '' });
      const cpuProfile = profile('--cpu', '--seconds', '10', '--html', html);
      const names = Array.from({ length: 40 }, (_, index) => `cart-${index}`);
      for (const name of names)
        await pinion().apply(
          workloadOf('PinterestService', namespace, name, { replicas: 1, template: smallTemplate() }),
        );
      const { code, stdout } = await cpuProfile;
      expect(code).toBe(0);
      for (const activity of ['expansion', 'planning', 'API requests'])
        expect(stdout).toMatch(new RegExp(`^${activity} +[\\d.]+ m?s +[\\d.]+ %`, 'm'));
      expect(readFileSync(html, 'utf8')).toContain('lib/expand/');
      const after = await profile('--heap', '--diff', before);
      expect(after).toMatchObject({ code: 0, stdout: expect.stringContaining('SELF CHANGE') });
      expect(after.stdout).toMatch(/^caching observed objects +[\d.]+ [KM]iB/m);
    }, 120_000);

    test('cancels a profile when its caller disconnects and keeps running', async () => {
      const abort = new AbortController();
      const first = fetch(`${url()}/debug/pprof/profile?seconds=600`, { signal: abort.signal });
      first.catch(() => undefined);
      const heap = async (): Promise<number> => (await fetch(`${url()}/debug/pprof/heap`)).status;
      await waitFor('the first profile to begin', async () => (await heap()) === 409);
      abort.abort();
      await waitFor('the first profile to be canceled', async () => (await heap()) === 200);
      expect(await pinion().controller.get('/livez')).toEqual({ status: 200, text: 'ok\n' });
    }, 60_000);
  },
  { controllerFlags: ['--profile-port=0'] },
);
