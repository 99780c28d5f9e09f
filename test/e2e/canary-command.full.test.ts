import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canaryProject } from '../../lib/programs';
import { CanaryByHand } from '../operations/canary-by-hand';
import { waitFor } from '../control-plane/wait-for';
import { describePinion } from './pinion-suite';

const image = 'registry.example.com/pinion/canary:1.0.0';
const two = ['--kind', 'PinterestService,PinterestCronJob', '--deployment-path', 'controller,synth'];
const one = ['--kind', 'PinterestCronJob', '--deployment-path', 'controller'];

describePinion('the canary in the hands of a person', (pinion) => {
  let hand: CanaryByHand;
  const json = async (words: readonly string[]): Promise<unknown> => {
    const { stdout, stderr } = await hand.command([...words, '--json']);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };

  beforeAll(() => {
    hand = new CanaryByHand(pinion().cluster);
  });

  test('before it is installed its commands say so', async () => {
    expect(await hand.command(['run'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`no canary installed in namespace ${canaryProject}`) as string,
    });
    expect(await hand.command(['run', '--image', image])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining(`namespace ${canaryProject} not found`) as string,
    });
    expect(await hand.command(['gate'])).toMatchObject({
      code: 5,
      stdout: 'closed\nno canary run has finished yet\n',
      stderr: '',
    });
  }, 60_000);

  test('a run tells of each kind and door as it goes, and of all as a table; then the gate is open', async () => {
    await hand.install(['--image', image]);
    await pinion().ready('PinterestCronJob', canaryProject, 'canary');
    const { code, stdout, stderr } = await hand.command(['run', ...two]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(
          [
            '^KIND +DOOR +STATE +TIME +STEP',
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
    expect(await hand.leftovers()).toEqual([]);
    expect(await hand.command(['gate'])).toEqual({ code: 0, stdout: 'open\n', stderr: '' });
    expect(await hand.command(['gate', '--fresh', '1ms'])).toMatchObject({
      code: 5,
      stdout: expect.stringMatching(/^closed\n/) as string,
    });
  }, 240_000);

  test('as JSON a run is all that the report keeps of it, and a door that is not there is skipped', async () => {
    const run = await json(['run', '--kind', 'PinterestCronJob']);
    expect(run).toMatchObject({
      swept: 0,
      cases: [
        { deploymentPath: 'synth', state: 'passed' },
        { deploymentPath: 'controller', state: 'passed' },
        { deploymentPath: 'submission', state: 'skipped', reason: 'no submission service is configured' },
      ],
    });
    expect((await hand.report())?.runs.at(-1)).toEqual(run);
    expect(await json(['gate'])).toEqual({
      isOpen: true,
      reasons: ['PinterestCronJob through submission was skipped: no submission service is configured'],
    });
  }, 120_000);

  test('what fails is told with who can act and what to do, and holds the gate until a run looked again', async () => {
    await hand.kubectl(['delete', 'ingressclass', 'internal']);
    const failed = await hand.command(['run', '--kind', 'PinterestService', '--deployment-path', 'controller']);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/^PinterestService +controller +failed +[\d.]+ s +ingress$/m);
    const message = "IngressClass internal, the Platform's internal ingress class, does not exist";
    expect(failed.stdout).toContain(
      `\nPinterestService through controller: ingress (owner: platform)\n  ${message}\n  reinstall the ingress controller`,
    );
    expect(await hand.command(['gate'])).toMatchObject({
      code: 5,
      stdout: `closed\nPinterestService through controller: ingress failed: ${message}\n`,
    });
    await hand.install(['--image', image]);
    expect(await hand.command(['run', '--kind', 'PinterestService', '--deployment-path', 'controller'])).toMatchObject({
      code: 0,
    });
    expect(await hand.command(['gate'])).toMatchObject({ code: 0 });
    expect(await hand.leftovers()).toEqual([]);
  }, 240_000);

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'a run that %s stops leaves nothing, and is in no report',
    async (signal, code) => {
      const before = await hand.report();
      const run = hand.begin(['run', '--deployment-path', 'controller,synth']);
      await hand.underWay();
      run.stop(signal);
      expect([await run.ended, run.out]).toEqual([code, '']);
      expect(await hand.leftovers()).toEqual([]);
      expect(run.err).toContain('stopping and cleaning up');
      expect(run.err).not.toContain('failed');
      expect(await hand.holder()).toBe('');
      expect(await hand.report()).toEqual(before);
    },
    240_000,
  );

  test('a run that is killed holds the next one up for its lease, and is swept by it, which says both', async () => {
    const killed = hand.begin(['run', '--deployment-path', 'controller,synth']);
    await hand.underWay();
    killed.stop('SIGKILL');
    await killed.ended;
    const next = hand.begin(['run', ...one]);
    await waitFor(
      'it to wait',
      () => Promise.resolve(/^another run, canary-\w+, is under way; waiting\n/.test(next.err)),
      {
        timeout: 30_000,
      },
    );
    expect([await next.ended, next.out]).toEqual([
      0,
      expect.stringMatching(/\n\d+ objects of a run that was killed were removed\n$/),
    ]);
    expect(await hand.leftovers()).toEqual([]);
  }, 240_000);

  test('a cluster that does not answer is told as such', async () => {
    const nowhere = join(pinion().cluster.folder, 'kubeconfig-nowhere');
    const cluster = { name: 'gone', cluster: { server: 'https://127.0.0.1:1' } };
    const contexts = [{ name: 'gone', context: { cluster: 'gone', user: 'gone' } }];
    const users = [{ name: 'gone', user: { token: 'gone' } }];
    writeFileSync(nowhere, JSON.stringify({ clusters: [cluster], contexts, users, 'current-context': 'gone' }));
    for (const words of [['gate'], ['run', '--image', image]])
      expect(await hand.command(words, nowhere)).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringContaining('the cluster') as string,
      });
  }, 120_000);
});
