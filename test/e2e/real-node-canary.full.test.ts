import { type CanaryDeploymentPath, canaryKinds, stepsOf } from '../../lib/operations';
import { canaryProject } from '../../lib/programs';
import { waitFor } from '../control-plane/wait-for';
import { CanaryByHand } from '../operations/canary-by-hand';
import { ingressClasses } from '../operations/canary-stand';
import { NameServer } from '../real-node/name-server';
import { imageNames } from '../real-node/node-images';
import { describePlatformNode } from '../real-node/platform-suite';
import { reasonWithoutZookeeper } from '../zookeeper/zookeeper-server';

const patience = 120_000;
const unchecked: readonly string[] = reasonWithoutZookeeper() ? ['registered'] : [];

/** What a run says of all kinds through a door where all is well. */
const wellThrough = (door: CanaryDeploymentPath): readonly string[] =>
  canaryKinds.map((kind) => {
    const steps = stepsOf(kind, door);
    const left = steps.filter((step) => unchecked.includes(step)).join(' ');
    const done = steps.filter((step) => !unchecked.includes(step)).join(' ');
    return `${kind} ${door} passed: ${done}${left === '' ? '' : `; not checked: ${left}`}`;
  });

interface LiveJob {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

describePlatformNode('the canary as a pod on a real node', (platform) => {
  let hand: CanaryByHand;
  let names: NameServer | undefined;

  const install = async (...more: readonly string[]): Promise<void> => {
    await hand.install(['--image', imageNames.canary, '--schedule', '0 0 29 2 *', ...more]);
    await platform().ready('PinterestCronJob', canaryProject, 'canary');
  };
  /** Begins a run now; gives its pod once its container runs. */
  const begin = async (job: string): Promise<string> => {
    await hand.kubectl(['create', 'job', '--from=cronjob/canary', job, '-n', canaryProject]);
    return waitFor(
      'the pod of the run',
      async () => {
        const [pod] = await platform().pods(canaryProject, '', `job-name=${job}`);
        return pod?.status.containerStatuses?.[0]?.state.running && pod.metadata.name;
      },
      { timeout: patience, interval: 100 },
    );
  };
  /** How a run ended, and what it said. */
  const end = async (job: string, pod: string, timeout = patience) => {
    const how = await waitFor(
      `the Job ${job} to end`,
      async () => {
        const live = JSON.parse(await hand.kubectl(['get', 'job', job, '-n', canaryProject, '-o', 'json'])) as LiveJob;
        return live.status?.conditions?.find(({ type }) => ['Complete', 'Failed'].includes(type))?.type;
      },
      { timeout, interval: 500 },
    );
    return { how, log: await platform().node.logs(canaryProject, pod, 'canary') };
  };
  const lastRun = async () => (await hand.report())?.runs.at(-1);

  beforeAll(async () => {
    hand = new CanaryByHand(platform().node);
    names = await NameServer.start(platform().node);
    await install();
  }, patience);
  afterAll(() => names?.stop());

  test(
    'a run that a person begins brings every kind through the doors that are there, as nobody, writing no file',
    async () => {
      const pod = await begin('canary-now');
      const inside = (...words: readonly string[]) => platform().node.exec(canaryProject, pod, 'canary', words);
      expect((await inside('id', '-u')).stdout).toBe('65532\n');
      for (const file of ['/pinion/canary.js', '/tmp/anything'])
        expect((await inside('touch', file)).stderr).toContain('Read-only file system');
      const { how, log } = await end('canary-now', pod, 4 * patience);
      const run = await lastRun();
      expect([how, ingressClasses(run ?? { cases: [] }), log]).toEqual([
        'Complete',
        [
          ...wellThrough('synth'),
          ...wellThrough('controller'),
          ...canaryKinds.map((kind) => `${kind} submission skipped: no submission service was named`),
        ],
        expect.stringContaining('"run finished"'),
      ]);
      expect(await hand.leftovers()).toEqual([]);
      expect(await hand.command(['gate'])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^open\n/) as string,
      });
    },
    6 * patience,
  );

  test(
    'of a run whose process is killed the next one removes all, and says so',
    async () => {
      await install('--env', 'CANARY_KINDS=PinterestService,PinterestDaemon,PinterestJobSet');
      const first = await begin('canary-killed');
      await hand.underWay();
      for (const id of platform().node.processes(['/pinion/canary.js', 'run'])) process.kill(id, 'SIGKILL');
      expect((await end('canary-killed', first)).how).toBe('Failed');
      expect((await hand.leftovers()).length).toBeGreaterThan(0);
      const second = await begin('canary-next');
      const { how, log } = await end('canary-next', second, 2 * patience);
      expect([how, log]).toEqual(['Complete', expect.stringContaining('"waiting for another run"')]);
      expect((await lastRun())?.swept).toBeGreaterThan(0);
      expect(await hand.leftovers()).toEqual([]);
    },
    6 * patience,
  );

  test(
    'a run that is taken away leaves nothing, and is in no report',
    async () => {
      const before = await lastRun();
      await begin('canary-taken');
      await hand.underWay();
      await hand.kubectl(['delete', 'job', 'canary-taken', '-n', canaryProject, '--cascade=foreground', '--wait']);
      expect(await hand.leftovers()).toEqual([]);
      expect(await lastRun()).toEqual(before);
      expect(await hand.holder()).toBe('');
    },
    3 * patience,
  );

  (reasonWithoutZookeeper() ? test.skip : test)(
    'a ZooKeeper that is gone is named, and closes the gate',
    async () => {
      const { zookeeper } = platform();
      await install('--env', 'CANARY_KINDS=PinterestService,CANARY_DEPLOYMENT_PATHS=controller');
      await zookeeper?.kill();
      try {
        const { how, log } = await end('canary-unregistered', await begin('canary-unregistered'), 3 * patience);
        expect([how, log]).toEqual(['Failed', expect.stringContaining('"part":"zookeeper"')]);
        const { code, stdout } = await hand.command(['gate']);
        expect([code, stdout]).toEqual([
          5,
          expect.stringMatching(/^closed\nPinterestService through controller: \w+ failed: .*(ZooKeeper|registrar)/),
        ]);
        expect(await hand.leftovers()).toEqual([]);
      } finally {
        await zookeeper?.restart();
      }
    },
    6 * patience,
  );

  test(
    'a name server that is gone is named, and closes the gate',
    async () => {
      await names?.stop();
      names = undefined;
      await install('--env', 'CANARY_KINDS=PinterestService,CANARY_DEPLOYMENT_PATHS=controller');
      const { how, log } = await end('canary-nameless', await begin('canary-nameless'), 2 * patience);
      expect([how, log]).toEqual(['Failed', expect.stringContaining('"step":"dns"')]);
      expect(log).toContain('"part":"dns"');
      const { code, stdout } = await hand.command(['gate']);
      expect([code, stdout]).toEqual([
        5,
        expect.stringMatching(/^closed\nPinterestService through controller: dns failed: /),
      ]);
      expect(await hand.leftovers()).toEqual([]);
    },
    3 * patience,
  );
});
