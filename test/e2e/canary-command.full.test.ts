import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canaryProject } from '../../lib/programs';
import { CanaryCli } from '../operations/canary-cli';
import { waitFor } from '../control-plane/wait-for';
import { describePinion } from './pinion-suite';

const image = 'registry.example.com/pinion/canary:1.0.0';
const twoKinds = ['--kind', 'PinterestService,PinterestCronJob', '--deployment-path', 'controller,synth'];
const oneKind = ['--kind', 'PinterestCronJob', '--deployment-path', 'controller'];

describePinion('pinion canary commands', (pinion) => {
  let canary: CanaryCli;
  const json = async (args: readonly string[]): Promise<unknown> => {
    const { stdout, stderr } = await canary.command([...args, '--json']);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };

  beforeAll(() => {
    canary = new CanaryCli(pinion().cluster);
  });

  test('reports that the canary is not installed', async () => {
    expect(await canary.command(['run'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`no canary installed in namespace ${canaryProject}`) as string,
    });
    expect(await canary.command(['run', '--image', image])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining(`namespace ${canaryProject} not found`) as string,
    });
    expect(await canary.command(['gate'])).toMatchObject({
      code: 5,
      stdout: 'closed\nno canary run has finished yet\n',
      stderr: '',
    });
  }, 60_000);

  test('prints each kind and deployment path while it runs, then a table, and opens the gate', async () => {
    await canary.install(['--image', image]);
    await pinion().ready('PinterestCronJob', canaryProject, 'canary');
    const { code, stdout, stderr } = await canary.command(['run', ...twoKinds]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(
          [
            '^KIND +DEPLOYMENT PATH +STATE +TIME +STEP',
            'PinterestService +synth +passed +[\\d.]+ s +not checked: dns, registered',
            'PinterestCronJob +synth +passed +[\\d.]+ s',
            'PinterestService +controller +passed +[\\d.]+ s +not checked: dns, registered',
            'PinterestCronJob +controller +passed +[\\d.]+ s\n$',
          ].join(' *\n'),
        ),
      ),
    ]);
    expect(stderr.split('\n').sort()).toEqual([
      '',
      'PinterestCronJob through controller: passed',
      'PinterestCronJob through synth: passed',
      'PinterestService through controller: passed',
      'PinterestService through synth: passed',
    ]);
    expect(await canary.leftovers()).toEqual([]);
    expect(await canary.command(['gate'])).toEqual({ code: 0, stdout: 'open\n', stderr: '' });
    expect(await canary.command(['gate', '--fresh', '1ms'])).toMatchObject({
      code: 5,
      stdout: expect.stringMatching(/^closed\n/) as string,
    });
  }, 240_000);

  test('prints a run as JSON as the report stores it and skips an unconfigured deployment path', async () => {
    const run = await json(['run', '--kind', 'PinterestCronJob']);
    expect(run).toMatchObject({
      swept: 0,
      cases: [
        { deploymentPath: 'synth', state: 'passed' },
        { deploymentPath: 'controller', state: 'passed' },
        { deploymentPath: 'submission', state: 'skipped', reason: 'no submission service is configured' },
      ],
    });
    expect((await canary.report())?.runs.at(-1)).toEqual(run);
    expect(await json(['gate'])).toEqual({
      isOpen: true,
      reasons: ['PinterestCronJob through submission was skipped: no submission service is configured'],
    });
  }, 120_000);

  test('reports a failure with its owner and next step, and keeps the gate closed until a run passes', async () => {
    await canary.kubectl(['delete', 'ingressclass', 'internal']);
    const failed = await canary.command(['run', '--kind', 'PinterestService', '--deployment-path', 'controller']);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/^PinterestService +controller +failed +[\d.]+ s +ingress$/m);
    const message = "IngressClass internal, the Platform's internal ingress class, does not exist";
    expect(failed.stdout).toContain(
      `\nPinterestService through controller: ingress (owner: platform)\n  ${message}\n  reinstall the ingress controller`,
    );
    expect(await canary.command(['gate'])).toMatchObject({
      code: 5,
      stdout: `closed\nPinterestService through controller: ingress failed: ${message}\n`,
    });
    await canary.install(['--image', image]);
    expect(
      await canary.command(['run', '--kind', 'PinterestService', '--deployment-path', 'controller']),
    ).toMatchObject({
      code: 0,
    });
    expect(await canary.command(['gate'])).toMatchObject({ code: 0 });
    expect(await canary.leftovers()).toEqual([]);
  }, 240_000);

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'cleans up and reports nothing when %s stops a run',
    async (signal, code) => {
      const before = await canary.report();
      const run = canary.start(['run', '--deployment-path', 'controller,synth']);
      await canary.untilRunInProgress();
      run.stop(signal);
      expect([await run.ended, run.out]).toEqual([code, '']);
      expect(await canary.leftovers()).toEqual([]);
      expect(run.err).toContain('stopping and cleaning up');
      expect(run.err).not.toContain('failed');
      expect(await canary.holder()).toBe('');
      expect(await canary.report()).toEqual(before);
    },
    240_000,
  );

  test('waits for the lease of a killed run, removes its leftovers and reports both', async () => {
    const killed = canary.start(['run', '--deployment-path', 'controller,synth']);
    await canary.untilRunInProgress();
    killed.stop('SIGKILL');
    await killed.ended;
    const next = canary.start(['run', ...oneKind]);
    await waitFor(
      'the next run to wait',
      () => Promise.resolve(/^waiting for another run: canary-\w+\n/.test(next.err)),
      {
        timeout: 30_000,
      },
    );
    expect([await next.ended, next.out]).toEqual([
      0,
      expect.stringMatching(/\nremoved \d+ objects of a killed run\n$/),
    ]);
    expect(await canary.leftovers()).toEqual([]);
  }, 240_000);

  test('reports a cluster that does not respond', async () => {
    const unreachableKubeconfig = join(pinion().cluster.folder, 'kubeconfig-nowhere');
    const cluster = { name: 'gone', cluster: { server: 'https://127.0.0.1:1' } };
    const contexts = [{ name: 'gone', context: { cluster: 'gone', user: 'gone' } }];
    const users = [{ name: 'gone', user: { token: 'gone' } }];
    writeFileSync(
      unreachableKubeconfig,
      JSON.stringify({ clusters: [cluster], contexts, users, 'current-context': 'gone' }),
    );
    for (const args of [['gate'], ['run', '--image', image]])
      expect(await canary.command(args, unreachableKubeconfig)).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringContaining('the cluster') as string,
      });
  }, 120_000);
});
