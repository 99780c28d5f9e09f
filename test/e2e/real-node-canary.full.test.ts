import { type CanaryDeploymentPath, canaryKinds, stepsOf } from '../../lib/operations';
import { canaryProject } from '../../lib/programs';
import { waitFor } from '../control-plane/wait-for';
import { CanaryCli } from '../operations/canary-cli';
import { caseSummaries } from '../operations/canary-testbed';
import { DnsServer } from '../real-node/dns-server';
import { imageNames } from '../real-node/node-images';
import { describePlatformNode } from '../real-node/platform-suite';
import { reasonWithoutZookeeper } from '../zookeeper/zookeeper-server';

const timeoutMs = 120_000;
const uncheckedSteps: readonly string[] = reasonWithoutZookeeper() ? ['registered'] : [];

/** Returns the report of a successful run of all kinds through a deployment path. */
const allPassed = (path: CanaryDeploymentPath): readonly string[] =>
  canaryKinds.map((kind) => {
    const steps = stepsOf(kind, path);
    const unchecked = steps.filter((step) => uncheckedSteps.includes(step)).join(' ');
    const checked = steps.filter((step) => !uncheckedSteps.includes(step)).join(' ');
    return `${kind} ${path} passed: ${checked}${unchecked === '' ? '' : `; not checked: ${unchecked}`}`;
  });

interface LiveJob {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

describePlatformNode('the canary as a pod on a real node', (platform) => {
  let canary: CanaryCli;
  let dns: DnsServer | undefined;

  const install = async (...more: readonly string[]): Promise<void> => {
    await canary.install(['--image', imageNames.canary, '--schedule', '0 0 29 2 *', ...more]);
    await platform().ready('PinterestCronJob', canaryProject, 'canary');
  };
  /** Starts a run; returns its pod once its container runs. */
  const start = async (job: string): Promise<string> => {
    await canary.kubectl(['create', 'job', '--from=cronjob/canary', job, '-n', canaryProject]);
    return waitFor(
      'the pod of the run',
      async () => {
        const [pod] = await platform().pods(canaryProject, '', `job-name=${job}`);
        return pod?.status.containerStatuses?.[0]?.state.running && pod.metadata.name;
      },
      { timeout: timeoutMs, interval: 100 },
    );
  };
  /** Waits for the end of a run; returns its result and its log. */
  const waitForEnd = async (job: string, pod: string, timeout = timeoutMs) => {
    const outcome = await waitFor(
      `the Job ${job} to end`,
      async () => {
        const live = JSON.parse(
          await canary.kubectl(['get', 'job', job, '-n', canaryProject, '-o', 'json']),
        ) as LiveJob;
        return live.status?.conditions?.find(({ type }) => ['Complete', 'Failed'].includes(type))?.type;
      },
      { timeout, interval: 500 },
    );
    return { outcome, log: await platform().node.logs(canaryProject, pod, 'canary') };
  };
  const lastRun = async () => (await canary.report())?.runs.at(-1);

  beforeAll(async () => {
    canary = new CanaryCli(platform().node);
    dns = await DnsServer.start(platform().node);
    await install();
  }, timeoutMs);
  afterAll(() => dns?.stop());

  test(
    'a manual run passes every kind through each available path, as nonroot and without writing files',
    async () => {
      const pod = await start('canary-now');
      const exec = (...command: readonly string[]) => platform().node.exec(canaryProject, pod, 'canary', command);
      expect((await exec('id', '-u')).stdout).toBe('65532\n');
      for (const file of ['/pinion/canary.js', '/tmp/anything'])
        expect((await exec('touch', file)).stderr).toContain('Read-only file system');
      const { outcome, log } = await waitForEnd('canary-now', pod, 4 * timeoutMs);
      const run = await lastRun();
      expect([outcome, caseSummaries(run ?? { cases: [] }), log]).toEqual([
        'Complete',
        [
          ...allPassed('synth'),
          ...allPassed('controller'),
          ...canaryKinds.map((kind) => `${kind} submission skipped: no submission service is configured`),
        ],
        expect.stringContaining('"run finished"'),
      ]);
      expect(await canary.leftovers()).toEqual([]);
      expect(await canary.command(['gate'])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^open\n/) as string,
      });
    },
    6 * timeoutMs,
  );

  test(
    'a run after a killed run removes its leftovers and logs it',
    async () => {
      await install('--env', 'CANARY_KINDS=PinterestService,PinterestDaemon,PinterestJobSet');
      const first = await start('canary-killed');
      await canary.untilRunInProgress();
      for (const id of platform().node.processes(['/pinion/canary.js', 'run'])) process.kill(id, 'SIGKILL');
      expect((await waitForEnd('canary-killed', first)).outcome).toBe('Failed');
      expect((await canary.leftovers()).length).toBeGreaterThan(0);
      const second = await start('canary-next');
      const { outcome, log } = await waitForEnd('canary-next', second, 2 * timeoutMs);
      expect([outcome, log]).toEqual(['Complete', expect.stringContaining('"waiting for another run"')]);
      expect((await lastRun())?.swept).toBeGreaterThan(0);
      expect(await canary.leftovers()).toEqual([]);
    },
    6 * timeoutMs,
  );

  test(
    'a deleted run leaves nothing behind and is not reported',
    async () => {
      const before = await lastRun();
      await start('canary-taken');
      await canary.untilRunInProgress();
      await canary.kubectl(['delete', 'job', 'canary-taken', '-n', canaryProject, '--cascade=foreground', '--wait']);
      expect(await canary.leftovers()).toEqual([]);
      expect(await lastRun()).toEqual(before);
      expect(await canary.holder()).toBe('');
    },
    3 * timeoutMs,
  );

  (reasonWithoutZookeeper() ? test.skip : test)(
    'an unavailable ZooKeeper is reported and closes the gate',
    async () => {
      const { zookeeper } = platform();
      await install('--env', 'CANARY_KINDS=PinterestService,CANARY_DEPLOYMENT_PATHS=controller');
      await zookeeper?.kill();
      try {
        const { outcome, log } = await waitForEnd(
          'canary-unregistered',
          await start('canary-unregistered'),
          3 * timeoutMs,
        );
        expect([outcome, log]).toEqual(['Failed', expect.stringContaining('"part":"zookeeper"')]);
        const { code, stdout } = await canary.command(['gate']);
        expect([code, stdout]).toEqual([
          5,
          expect.stringMatching(/^closed\nPinterestService through controller: \w+ failed: .*(ZooKeeper|registrar)/),
        ]);
        expect(await canary.leftovers()).toEqual([]);
      } finally {
        await zookeeper?.restart();
      }
    },
    6 * timeoutMs,
  );

  test(
    'an unavailable name server is reported and closes the gate',
    async () => {
      await dns?.stop();
      dns = undefined;
      await install('--env', 'CANARY_KINDS=PinterestService,CANARY_DEPLOYMENT_PATHS=controller');
      const { outcome, log } = await waitForEnd('canary-nameless', await start('canary-nameless'), 2 * timeoutMs);
      expect([outcome, log]).toEqual(['Failed', expect.stringContaining('"step":"dns"')]);
      expect(log).toContain('"part":"dns"');
      const { code, stdout } = await canary.command(['gate']);
      expect([code, stdout]).toEqual([
        5,
        expect.stringMatching(/^closed\nPinterestService through controller: dns failed: /),
      ]);
      expect(await canary.leftovers()).toEqual([]);
    },
    3 * timeoutMs,
  );
});
