import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type ManifestInput, type WorkloadKind } from '../../lib/api';
import { runCommand } from '../control-plane/command';
import { waitFor } from '../control-plane/wait-for';
import { isTrue } from '../local/custom-resources';
import { imageNames } from '../real-node/node-images';
import { appTemplate, webApp } from '../real-node/app-template';
import { type LivePod } from '../real-node/platform-node';
import { describePlatformNode } from '../real-node/platform-suite';
import { sidecarExit } from '../real-node/test-profile';
import { TrafficWatch } from '../real-node/traffic-watch';
import { reasonWithoutZookeeper } from '../zookeeper/zookeeper-server';
import { controllerUser, workloadOf } from './pinion-suite';

const pinion = join(__dirname, '..', '..', 'build', 'bin', 'pinion.js');
const namespace = 'shop';
const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
const indexOf = ({ metadata }: LivePod): string => metadata.annotations?.[indexAnnotation] ?? '';
const runUntilTerminated = "trap 'exit 0' TERM; while :; do sleep 1 & wait $!; done";
/** Prints what exists when the app starts: settings, certificate, variables. */
const inventory = 'cat $PINION_CONFIGURATION/flags.json $PINION_CERTIFICATE; env';
const timeoutMs = 150_000;

describePlatformNode('pinion on a real node', (platform) => {
  const apply = <K extends WorkloadKind>(kind: K, name: string, spec: ManifestInput<K>['spec']) =>
    platform().apply(workloadOf(kind, namespace, name, spec));
  const complete = (kind: WorkloadKind, name: string) =>
    platform().until(kind, namespace, name, (live) => isTrue(live, 'Complete'), timeoutMs);
  const pods = (name: string) => platform().pods(namespace, name);
  const variables = (pod: LivePod) => platform().variables(namespace, pod.metadata.name);

  beforeAll(async () => {
    await platform().project(namespace, { team: 'checkout' });
    await platform().node.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'pinion-configuration', namespace },
      data: { 'flags.json': '{"fast":true}\n' },
    });
    // Its schedule starts it while the others run.
    await apply('PinterestCronJob', 'tick', { schedule: '* * * * *', template: appTemplate({ shell: 'echo tock' }) });
    await apply('PinterestJobSet', 'batch', { shards: 2, template: appTemplate({ shell: inventory }) });
    await apply('PinterestTrainingJob', 'torch', {
      framework: 'pytorch',
      roles: { master: {}, worker: { replicas: 2 } },
      // Otherwise the end of the master would end a worker that is still starting.
      successPolicy: 'AllWorkers',
      template: appTemplate({ shell: 'env' }),
    });
    await apply('PinterestTrainingJob', 'encoder', {
      framework: 'jax',
      roles: { worker: { replicas: 2 } },
      successPolicy: 'AllWorkers',
      template: appTemplate({ shell: 'env' }),
    });
  }, 120_000);

  test('the controller runs in a pod as nonroot with a read-only root file system', async () => {
    const { name } = (await platform().controllerPod()).metadata;
    const exec = (...command: readonly string[]) =>
      platform().node.exec('pinion-controller', name, 'controller', command);
    expect((await exec('id', '-u')).stdout.trim()).toBe('65532');
    expect((await exec('touch', '/pinion/controller.js')).stderr).toContain('Read-only file system');
    expect((await exec('touch', '/tmp/anything')).stderr).toContain('Read-only file system');
  });

  test('profiles of the controller are served through the API server and need only the profile role', async () => {
    const { node } = platform();
    const kubectl = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await node.kubectl(args);
      expect([code, stderr]).toEqual([0, '']);
      return stdout;
    };
    await kubectl('create', 'serviceaccount', 'observer', '-n', namespace);
    const token = (await kubectl('create', 'token', 'observer', '-n', namespace)).trim();
    const config = JSON.parse(readFileSync(node.kubeconfig, 'utf8')) as { readonly users: readonly { name: string }[] };
    const observer = join(node.folder, 'kubeconfig-observer');
    const users = config.users.map(({ name }) => ({ name, user: { token } }));
    writeFileSync(observer, JSON.stringify({ ...config, users }), { mode: 0o600 });
    const profile = (...args: readonly string[]) =>
      runCommand(process.execPath, [pinion, 'profile', 'controller', '--kubeconfig', observer, ...args], '', {
        PATH: process.env['PATH'],
      });
    expect(await profile('--heap')).toMatchObject({ code: 3, stderr: expect.stringContaining('forbidden') });
    const role = 'pinion-controller-profiles';
    const subject = `--serviceaccount=${namespace}:observer`;
    await kubectl('create', 'rolebinding', 'observers', '-n', 'pinion-controller', `--role=${role}`, subject);
    const heap = await waitFor('the role to be known', async () => {
      const response = await profile('--heap');
      return response.code === 0 && response;
    });
    expect(heap.stdout).toMatch(/^controller, heap: [\d.]+ [KM]iB of inuse_space\n/);
    // Samples of a small heap may miss any single activity.
    expect(heap.stdout).toMatch(/^ACTIVITY +TOTAL\n[a-z].* [\d.]+ [KM]iB +[\d.]+ %\n/m);
    expect(heap.stdout).toMatch(/ lib\/\S+\.ts:/);
    const cpu = await profile('--cpu', '--seconds', '3');
    expect(cpu).toMatchObject({ code: 0, stderr: '' });
    expect(cpu.stdout).toMatch(/^controller, cpu for 3 s: [\d.]+ .*s of cpu\n[^]* lib\/\S+\.ts:/);
  }, 120_000);

  test(
    'a job set and its sidecars end when its work ends',
    async () => {
      const live = await complete('PinterestJobSet', 'batch');
      expect(live.status).toMatchObject({ phase: 'Succeeded' });
      const batchPods = await pods('batch');
      expect(batchPods.map(indexOf)).toEqual(['0', '1']);
      for (const { spec, status } of batchPods) {
        expect(status.phase).toBe('Succeeded');
        const sidecars = spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? [];
        expect(sidecars.map((each) => each.name)).toEqual([
          'pinion-certificates',
          'pinion-configuration',
          'pinion-logs',
        ]);
      }
    },
    timeoutMs,
  );

  test('init containers of the runtime profile finish before the app starts', async () => {
    for (const { metadata, status } of await pods('batch')) {
      expect(await platform().node.logs(namespace, metadata.name, 'app')).toMatch(
        new RegExp(`^{"fast":true}\nof ${metadata.name.replace(/-[^-]*$/, '')}\n`),
      );
      const init = status.initContainerStatuses?.find(({ name }) => name === 'pinion-configuration-init');
      expect(init?.state.terminated).toMatchObject({ exitCode: 0 });
      const started = status.containerStatuses?.[0]?.state.terminated?.startedAt ?? '';
      expect(Date.parse(started)).toBeGreaterThanOrEqual(Date.parse(init?.state.terminated?.finishedAt ?? ''));
    }
  });

  test('the environment of the app has its identity, resources and expiry', async () => {
    for (const pod of await pods('batch')) {
      expect(await variables(pod)).toMatchObject({
        PINION_PROJECT: namespace,
        PINION_WORKLOAD: 'batch',
        PINION_KIND: 'PinterestJobSet',
        PINION_VERSION: '1',
        PINION_TEAM: 'checkout',
        PINION_TIER: 'standard',
        PINION_IMAGE: imageNames.busybox,
        PINION_CLUSTER: 'local',
        PINION_ENVIRONMENT: 'dev',
        PINION_RUNTIME_PROFILE: 'test-1',
        PINION_NODE: 'node1',
        PINION_NODE_ADDRESS: platform().node.address,
        PINION_POD: pod.metadata.name,
        PINION_POD_ADDRESS: expect.stringMatching(/^10\.85\.0\.\d+$/) as unknown,
        PINION_POD_UID: pod.metadata.uid,
        PINION_CPU_REQUEST: '20',
        PINION_CPU_LIMIT: String(cpus().length * 1000),
        PINION_MEMORY_REQUEST: String(48 * 1024 ** 2),
        PINION_MEMORY_LIMIT: String(96 * 1024 ** 2),
        PINION_OWNER: 'checkout',
        PINION_CREATOR: `pinion/PinterestJobSet/${namespace}/batch`,
        PINION_EXPIRY: '1d after its end',
        PINION_SHARD_INDEX: indexOf(pod),
        PINION_SHARD_COUNT: '2',
      });
    }
  });

  test(
    'a PyTorch job ends with its work; members have their rank and the same world size',
    async () => {
      await complete('PinterestTrainingJob', 'torch');
      const batchPods = await pods('torch');
      expect(batchPods.map(indexOf)).toEqual(['0', '1', '2']);
      for (const pod of batchPods) {
        expect(await variables(pod)).toMatchObject({
          RANK: indexOf(pod),
          WORLD_SIZE: '3',
          PET_NODE_RANK: indexOf(pod),
          PET_NNODES: '3',
          MASTER_ADDR: expect.stringMatching(/^torch-0\.torch\b/) as unknown,
          MASTER_PORT: '23456',
        });
      }
    },
    timeoutMs,
  );

  test(
    'a JAX job ends with its work; members have their process ID and the same coordinator',
    async () => {
      await complete('PinterestTrainingJob', 'encoder');
      const members = await pods('encoder');
      expect(members.map(indexOf)).toEqual(['0', '1']);
      for (const pod of members)
        expect(await variables(pod)).toMatchObject({
          PROCESS_ID: indexOf(pod),
          NUM_PROCESSES: '2',
          JAX_PROCESS_ID: indexOf(pod),
          JAX_NUM_PROCESSES: '2',
          JAX_COORDINATOR_ADDRESS: expect.stringMatching(/^encoder-0\.encoder\b.*:23456$/) as unknown,
        });
    },
    timeoutMs,
  );

  test(
    'a TensorFlow job ends with its chief; TF_CONFIG lists every member',
    async () => {
      await apply('PinterestTrainingJob', 'flow', {
        framework: 'tensorflow',
        roles: {
          chief: { template: appTemplate({ shell: 'env; while [ ! -e /tmp/trained ]; do sleep 0.2; done' }) },
          worker: { replicas: 2 },
          ps: {},
        },
        template: appTemplate({ shell: `env; ${runUntilTerminated}` }),
      });
      await platform().ready('PinterestTrainingJob', namespace, 'flow', timeoutMs);
      const cluster = {
        chief: [expect.stringMatching(/^flow-chief-0\.flow\b.*:23456$/)],
        worker: [expect.stringMatching(/^flow-worker-0\.flow\b/), expect.stringMatching(/^flow-worker-1\.flow\b/)],
        ps: [expect.stringMatching(/^flow-ps-0\.flow\b/)],
      };
      const tasks: string[] = [];
      for (const pod of await pods('flow')) {
        const { TF_CONFIG = '{}', RANK } = await variables(pod);
        const config = JSON.parse(TF_CONFIG) as { cluster: unknown; task: { type: string; index: number } };
        expect(config.cluster).toEqual(cluster);
        expect(RANK).toBeUndefined();
        expect(pod.metadata.name).toMatch(new RegExp(`^flow-${config.task.type}-${config.task.index}-`));
        tasks.push(`${config.task.type} ${config.task.index}`);
      }
      expect(tasks).toEqual(['chief 0', 'ps 0', 'worker 0', 'worker 1']);
      const chief = (await pods('flow')).find(({ metadata }) => metadata.name.startsWith('flow-chief-'));
      await platform().node.exec(namespace, chief?.metadata.name ?? '', 'app', ['touch', '/tmp/trained']);
      await complete('PinterestTrainingJob', 'flow');
      await waitFor('the others to end', async () =>
        (await pods('flow')).every(({ status }) => status.phase === 'Succeeded' || status.phase === 'Failed'),
      );
    },
    2 * timeoutMs,
  );

  const reason = reasonWithoutZookeeper();
  const withZookeeper = reason ? test.skip : test;
  withZookeeper(
    `a pod is registered for traffic from readiness until before it stops, without a gap in a rollout${reason ? ` (skipped: ${reason})` : ''}`,
    async () => {
      const service = (version: string, isReady: string) =>
        apply('PinterestService', 'cart', {
          version,
          health: { port: 8080, path: '/healthz', interval: '1s' },
          loadBalancer: { port: 80, targetPort: 8080 },
          template: appTemplate({ node: webApp(isReady) }),
        });
      const traffic = new TrafficWatch(platform(), namespace, 'cart');
      try {
        await service('1', `require('node:fs').existsSync('/tmp/ready')`);
        const first = await traffic.waitForRunningPod();
        const unready = await traffic.tree.during(() => traffic.tree.waitForReads(200));
        expect(unready.every(({ names }) => names === undefined || names.length === 0)).toBe(true);
        await platform().node.exec(namespace, first.metadata.name, 'app', ['touch', '/tmp/ready']);
        await platform().ready('PinterestService', namespace, 'cart', timeoutMs);
        const [entry] = await traffic.tree.members(1);
        expect(entry).toMatchObject({
          name: `member_${first.metadata.uid}`,
          data: {
            serviceEndpoint: { host: first.status.podIP, port: 8080 },
            metadata: { workload: 'cart', version: '1', pod: first.metadata.name, region: 'test-region' },
          },
        });
        const rollout = await traffic.during(async () => {
          await service('2', 'true');
          await traffic.waitUntilDeleted(first);
          await platform().ready('PinterestService', namespace, 'cart', timeoutMs);
        });
        const second = await traffic.waitForRunningPod();
        expect(rollout.successfulReads).toBeGreaterThan(0);
        expect(rollout.emptyReads).toBe(0);
        expect(rollout.unresponsive).toEqual([]);
        expect(rollout.removedEarly).toEqual([`member_${first.metadata.uid}`]);
        expect((await traffic.tree.members(1))[0]?.name).toBe(`member_${second.metadata.uid}`);
        await platform().node.kubectl(['delete', 'pinterestservice', 'cart', '-n', namespace, '--wait=false']);
        await traffic.tree.members(0);
      } finally {
        await traffic.stop();
      }
    },
    2 * timeoutMs,
  );

  test(
    'a crashing app and a crashing sidecar have different owners and messages',
    async () => {
      await apply('PinterestService', 'broken-app', { template: appTemplate({ shell: 'exit 3' }) });
      await apply('PinterestService', 'broken-sidecar', {
        template: appTemplate({ shell: runUntilTerminated }),
        sidecars: { metrics: { enabled: true } },
      });
      const cause = async (name: string, reason: string) =>
        (
          await platform().until(
            'PinterestService',
            namespace,
            name,
            ({ status }) => status?.cause?.reason === reason,
            timeoutMs,
          )
        ).status?.cause;
      const ofApp = await cause('broken-app', 'AppCrashLoop');
      expect(ofApp).toMatchObject({ owner: 'application' });
      expect(ofApp?.message).toMatch(
        /^Container app of Pod broken-app-\S+ exited with code 3\. Check its output: `kubectl logs broken-app-\S+ -n shop -c app --previous`\.$/,
      );
      const ofSidecar = await cause('broken-sidecar', 'SidecarCrashLoop');
      expect(ofSidecar).toMatchObject({ owner: 'platform' });
      expect(ofSidecar?.message).toMatch(
        new RegExp(
          `^Sidecar pinion-metrics \\(of the platform\\) of Pod broken-sidecar-\\S+ exited with code ${sidecarExit}\\. The container comes with the runtime profile: contact the platform team`,
        ),
      );
      const [, pod = ''] = /kubectl logs (\S+)/.exec(ofSidecar?.message ?? '') ?? [];
      expect(await platform().node.logs(namespace, pod, 'pinion-metrics')).toContain('the port is taken');
      for (const name of ['broken-app', 'broken-sidecar'])
        await platform().node.kubectl(['delete', 'pinterestservice', name, '-n', namespace, '--wait=false']);
    },
    2 * timeoutMs,
  );

  test(
    'a cron job starts a run on schedule, which ends with its work',
    async () => {
      await platform().ready('PinterestCronJob', namespace, 'tick', timeoutMs);
      const first = await waitFor(
        'a run to end',
        async () => (await pods('tick')).find(({ status }) => status.phase === 'Succeeded'),
        { timeout: timeoutMs },
      );
      expect(await platform().node.logs(namespace, first.metadata.name, 'app')).toBe('tock\n');
    },
    2 * timeoutMs,
  );

  test('the controller had no forbidden request and no restart', async () => {
    const pod = await platform().controllerPod();
    expect(pod.status.containerStatuses?.map(({ restartCount }) => restartCount)).toEqual([0]);
    const events = readFileSync(platform().node.auditLog, 'utf8').split('\n').filter(Boolean);
    const own = events
      .map(
        (line) =>
          JSON.parse(line) as { user: { username: string }; requestURI: string; responseStatus?: { code: number } },
      )
      .filter(({ user }) => user.username === controllerUser);
    expect(own.length).toBeGreaterThan(0);
    expect(
      own.filter(({ responseStatus }) => responseStatus?.code === 403).map(({ requestURI }) => requestURI),
    ).toEqual([]);
  });
});
