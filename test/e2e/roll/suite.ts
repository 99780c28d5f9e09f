import { AwsMachines } from '../../../lib/cloud';
import { listAllPages, connect, type KubeClient, loadKubeConfig, type LiveObject, resourceOf } from '../../../lib/kube';
import {
  controlPlaneProbe,
  type RollEnd,
  type RollPolicy,
  type RollDeps,
  runRoll,
  defaultMetricsPorts,
  defaultRollPolicy,
} from '../../../lib/operations';
import { EmulatedCluster } from '../../cloud/emulated-cluster';
import { type Moto, motoMissing, startMoto } from '../../cloud/moto';
import { podBehavior } from '../../control-plane/pod-behavior';
import { type SendableObject } from '../../control-plane/client';
import { describeCluster } from '../../control-plane/cluster-suite';
import { waitFor } from '../../control-plane/wait-for';
import { realClock } from '../../kube/real-clock';
import { SimulatedMachines } from '../simulated-machines';
import { create } from '../pod-status';
import { deployment, statefulSet } from '../simulated-workloads';

const replicas = 8;
const statefulSets = 2;
const podsPerJob = 4;

/** Number of nodes, and of the services and Jobs that run on them. */
export interface RolledCluster {
  readonly nodes: number;
  readonly services: number;
  readonly jobs: number;
}

const budget = (namespace: string, name: string): SendableObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { namespace, name },
  ...{ spec: { maxUnavailable: 1, selector: { matchLabels: { app: name } } } },
});

/** Returns a Job without retries: an evicted pod is lost. */
const jobWithoutRetries = (namespace: string, name: string): SendableObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { namespace, name },
  ...{
    spec: {
      completions: podsPerJob,
      parallelism: podsPerJob,
      completionMode: 'Indexed',
      backoffLimit: 0,
      template: {
        metadata: { labels: { app: name }, annotations: { [podBehavior.exitAfter]: '45s' } },
        spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'app:1' }] },
      },
    },
  },
});

/** Defines a suite that replaces all nodes of a cluster, with a stop after a quarter of them. */
export function describeRoll({ nodes: size, services, jobs }: RolledCluster): void {
  if (motoMissing !== undefined) {
    test.skip(`a roll over ${size} nodes: ${motoMissing}`, () => undefined);
    return;
  }
  describeCluster(
    `a roll over ${size} nodes`,
    (cluster) => {
      let moto: Moto;
      let cloud: EmulatedCluster;
      let machines: AwsMachines;
      let simulated: SimulatedMachines;
      let client: KubeClient;
      const policy: RollPolicy = { ...defaultRollPolicy, surge: { percent: 10 } };

      beforeAll(async () => {
        moto = await startMoto();
        cloud = new EmulatedCluster(moto, {
          name: 'prod',
          pools: { general: { size, max: size + 10 } },
        });
        await cloud.create('1.36.3');
        machines = new AwsMachines('prod', moto.options);
        simulated = new SimulatedMachines(cluster(), machines);
        await simulated.start();
        const settings = loadKubeConfig({ environment: {}, file: cluster().kubeconfig });
        client = connect(settings, { clock: realClock, userAgent: 'roll-test' });
      }, 180_000);
      afterAll(async () => {
        await simulated.stop();
        machines.close();
        client.close();
        await moto.stop();
      });

      const rollDeps = (): RollDeps => ({
        client,
        machines,
        clock: realClock,
        probe: controlPlaneProbe({ apiServer: () => client, metricsPorts: defaultMetricsPorts }),
      });
      const runOnce = (signal: AbortSignal, onTerminate?: () => void): Promise<RollEnd> =>
        runRoll(rollDeps(), {
          policy,
          signal,
          interval: 300,
          onStep: (step) => (step.do === 'terminate' ? onTerminate?.() : undefined),
        });

      test('replaces every node across a stop and restart, without a violated budget or a lost Job', async () => {
        const namespace = await cluster().namespace('roll');
        const annotations = { [podBehavior.readyAfter]: '1s' };
        const names = [
          ...Array.from({ length: services }, (_, index) => `service-${index}`),
          ...Array.from({ length: statefulSets }, (_, index) => `set-${index}`),
        ];
        for (const name of names) {
          await create(cluster(), budget(namespace, name));
          const isSet = name.startsWith('set-');
          const pods = { namespace, name, annotations };
          await create(cluster(), isSet ? statefulSet(pods, 3) : deployment(pods, replicas));
        }
        const budgets = () => listAllPages(client, 'PodDisruptionBudget', { namespace });
        await waitFor(
          'all pods to be ready',
          async () =>
            (await budgets()).every((one) => statusOf(one, 'currentHealthy') >= (statusOf(one, 'expectedPods') || 1)),
          { timeout: 120_000 },
        );
        for (let index = 0; index < jobs; index++)
          await create(cluster(), jobWithoutRetries(namespace, `job-${index}`));
        await cloud.change('1.36.4');

        const abort = new AbortController();
        const violations: string[] = [];
        const watch = client
          .watch(
            resourceOf('PodDisruptionBudget'),
            { namespace },
            ({ object }) => {
              if (statusOf(object, 'currentHealthy') < statusOf(object, 'desiredHealthy'))
                violations.push(`${object.metadata.name} ${JSON.stringify(object['status'])}`);
            },
            { signal: abort.signal },
          )
          .catch(() => undefined);

        const startedAt = realClock.now();
        const first = new AbortController();
        let ended = 0;
        const stopped = await runOnce(first.signal, () =>
          (ended += 1) === Math.floor(size / 4) ? first.abort() : undefined,
        );
        expect(stopped.end).toBe('stopped');
        expect(await runOnce(new AbortController().signal, () => (ended += 1))).toMatchObject({ end: 'done' });
        const seconds = Math.round((realClock.now() - startedAt) / 1000);
        abort.abort();
        await watch;

        const [pool] = await machines.groups();
        expect([pool?.size, pool?.desiredCapacity, pool?.machines.length]).toEqual([size, undefined, size]);
        expect(new Set(pool?.machines.map(({ template }) => template?.version))).toEqual(new Set(['2']));
        expect(ended).toBe(size);
        expect(simulated.lostPods).toEqual([]);
        expect(violations).toEqual([]);
        const nodes = await listAllPages(client, 'Node');
        expect(nodes.filter((node) => (node['spec'] as { unschedulable?: true }).unschedulable)).toEqual([]);
        await waitFor(
          'all Jobs to end',
          async () =>
            (await listAllPages(client, 'Job', { namespace })).every(
              (one) => statusOf(one, 'succeeded') === podsPerJob,
            ),
          { timeout: 120_000 },
        );
        const failed = (await listAllPages(client, 'Job', { namespace })).map((one) => statusOf(one, 'failed'));
        expect(failed).toEqual(Array.from({ length: jobs }, () => 0));
        const events = (await budgets()).length;
        process.stdout.write(
          `roll: ${size} machines in ${seconds} s, ${size / 10} at a time; ${services * replicas + statefulSets * 3} pods under ${events} budgets, 0 violated; ${jobs * podsPerJob} pods of Jobs, 0 lost\n`,
        );
      }, 600_000);
    },
    { nodes: 0 },
  );
}

function statusOf(object: LiveObject, field: string): number {
  const value = (object['status'] as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof value === 'number' ? value : 0;
}
