import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { recommended } from '../../lib/api';
import { ruleFile, type Component } from '../../lib/observability';
import { quotaMonitorManifests } from '../../lib/programs';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { PrometheusServer, whyNoPrometheus, type ScrapeJob } from '../quota/prometheus-server';
import { Pushgateway, whyNoPushgateway } from '../quota/pushgateway';
import { runMonitor } from '../quota/run-monitor';
import { SubmissionTestbed } from '../submission/submission-testbed';
import { App, RegistrarProcess } from '../zookeeper/registrar-process';
import { reasonWithoutZookeeper, ZookeeperServer } from '../zookeeper/zookeeper-server';
import { missingMetrics } from './metrics-catalog';
import { waitUntilAlertFires, accelerateRules } from './accelerated-rules';
import { describePinion, smallTemplate, workloadOf, type PinionCluster } from './pinion-suite';

const skipReason = whyNoPrometheus();
const testWith = (
  skipReason: string | undefined,
): ((title: string, body: () => Promise<void>, timeout: number) => void) =>
  skipReason === undefined
    ? test
    : (title, body, timeout) => test.skip(`${title} (skipped: ${skipReason})`, body, timeout);

const allMetricsTitle = 'every metric of a rule or panel is scraped with the labels used';
const day = 86_400_000;

/** Prometheus servers that evaluate the rules of the platform for one program each, until the suite ends. */
const running: PrometheusServer[] = [];
async function startScraping(job: ScrapeJob): Promise<PrometheusServer> {
  const server = await PrometheusServer.scraping([job], accelerateRules(ruleFile(), {}));
  running.push(server);
  return server;
}

/** Waits until every metric of a component is scraped; fails with the missing ones. */
async function expectAllMetrics(server: PrometheusServer, component: Component): Promise<void> {
  let missing: string[] = [];
  await waitFor(
    `the metrics of ${component}`,
    async () => (missing = await missingMetrics(server, component, component, '1.36')).length === 0,
    { timeout: 60_000, interval: 1000 },
  ).catch(() => undefined);
  expect(missing).toEqual([]);
}

const firing = async (server: PrometheusServer): Promise<readonly string[]> =>
  (await server.alerts()).filter(({ state }) => state === 'firing').map(({ labels }) => labels['alertname'] ?? '');

afterAll(() => Promise.all(running.map((server) => server.stop())));

describe('the metrics catalog and the traffic registrar with a real ZooKeeper', () => registrar());

describePinion('the metrics catalog and the programs besides the controller', (pinion) => {
  // A nested suite, whose hooks run before the cluster stops.
  describe('with packaged programs', () => {
    describe('the submission service', () => submission(pinion));
    describe('the quota monitor', () => quotas(pinion));
    describe('the memory agent on the API server of the suite', () => memory());
  });
});

function submission(pinion: () => PinionCluster): void {
  let testbed: SubmissionTestbed | undefined;
  afterAll(() => testbed?.stop());

  testWith(skipReason)(
    allMetricsTitle,
    async () => {
      testbed = await SubmissionTestbed.make(pinion());
      await testbed.project('bakery');
      const service = await testbed.start('submission');
      const server = await startScraping({ job: 'pinion-submission', url: await service.statusUrl() });
      const client = testbed.client(await service.url());
      const names: string[] = [];
      for await (const { name } of client.list('projects', {})) names.push(name);
      expect(names).toEqual(['bakery']);
      const anonymous = await fetch(`${await service.url()}/v1/projects`);
      expect(anonymous.status).toBe(401);
      await expectAllMetrics(server, 'pinion-submission');
      const requests = await server.query('sum by (operation, status) (pinion_submission_requests_total)');
      expect(requests.map(({ labels }) => labels)).toContainEqual({ operation: 'projects', status: '200' });
      await waitFor(
        'the recording rule',
        async () => (await server.query('operation_status:pinion_submission_requests_total:rate5m')).length > 0,
        { timeout: 60_000 },
      );
      expect(await firing(server)).not.toContain('PinionSubmissionDown');
      expect(await service.stop()).toBe(0);
      await waitUntilAlertFires(server, 'PinionSubmissionDown');
    },
    300_000,
  );
}

function quotas(pinion: () => PinionCluster): void {
  const [namespace, project] = ['pinion-quota', 'cafe'];
  let gateway: Pushgateway | undefined;
  afterAll(() => gateway?.stop());

  /** Usage history of the quota monitor for weeks in which a project grew from three pods to nine. */
  const history = (): SendableObject => {
    const days = Array.from({ length: 60 }, (_, index) => ({
      day: new Date(Date.now() - (60 - index) * day).toISOString().slice(0, 10),
      peaks: { pods: String(3 + Math.floor(index / 10)) },
    }));
    const created = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `quota-usage-${project}`, namespace, labels: { [recommended.component]: 'quota-usage' } },
      data: { 'usage.json': JSON.stringify({ usage: [{ project, days }] }) },
    };
    return created;
  };

  /** Runs pods of the project, and waits until the API server counts them. */
  async function runPods(replicas: number): Promise<void> {
    await pinion().apply(
      workloadOf('PinterestService', project, 'oven', { replicas, template: smallTemplate() as never }),
    );
    await waitFor(
      'the pods to be counted',
      async () => {
        const { body } = await pinion().cluster.client.get({
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: 'project', namespace: project },
        });
        return (body as { status?: { used?: { pods?: string } } }).status?.used?.pods === String(replicas);
      },
      { timeout: 90_000, interval: 200 },
    );
  }

  testWith(skipReason ?? whyNoPushgateway())(
    `${allMetricsTitle}; an exhausted quota and an absent monitor fire alerts`,
    async () => {
      const { client } = pinion().cluster;
      for (const manifest of quotaMonitorManifests({ image: 'registry.example.com/pinion/quota:1.0.0' })) {
        expectStatus(await client.apply(manifest as SendableObject), [200, 201]);
        if (manifest.kind === 'Project') await pinion().ready('Project', '', namespace);
      }
      await pinion().project(project, { quota: { pods: '10' } });
      expectStatus(await client.apply(history()), [200, 201]);
      await runPods(9);
      gateway = await Pushgateway.start();
      const server = await startScraping({ job: 'pinion-quota', url: gateway.url, params: { honor_labels: true } });
      await waitUntilAlertFires(server, 'PinionQuotaMonitorAbsent', 180_000);
      const token = await pinion().cluster.serviceAccountToken(namespace, 'quota-monitor');
      const variables = {
        KUBECONFIG: pinion().cluster.kubeconfigFor({ token }),
        PINION_PROJECT: namespace,
        QUOTA_PUSHGATEWAY_URL: gateway.url,
      };
      expect(await runMonitor(variables)).toMatchObject({ code: 0 });
      await expectAllMetrics(server, 'pinion-quota');
      const used = `pinion_quota_used_ratio{project="${project}",resource="pods"}`;
      expect((await server.query(used)).map(({ value }) => value)).toEqual([0.9]);
      await waitFor('the alert to resolve', async () => !(await firing(server)).includes('PinionQuotaMonitorAbsent'));
      expect(await firing(server)).not.toContain('PinionQuotaExhausted');

      await runPods(10);
      expect(await runMonitor(variables)).toMatchObject({ code: 0 });
      const { labels, annotations } = await waitUntilAlertFires(server, 'PinionQuotaExhausted');
      expect(labels).toMatchObject({ severity: 'warning', owner: 'quota', project, resource: 'pods' });
      expect(annotations['description']).toBe(`Project ${project} uses 100% of its quota of pods.`);
    },
    600_000,
  );
}

function memory(): void {
  const program = join(__dirname, '..', '..', 'build', 'bin', 'apiserver-memory.js');
  let agent: ChildProcess | undefined;
  afterAll(async () => {
    if (!agent || agent.exitCode !== null) return;
    const ended = new Promise((done) => agent?.once('close', done));
    agent.kill('SIGTERM');
    await ended;
  });

  /** Starts the agent; returns the port that it logs. */
  const start = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const env = { PATH: process.env['PATH'], MODE: 'observe', INTERVAL: '500ms', PORT: '0' };
      agent = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      agent.once('close', (code) => reject(new Error(`the agent ended with ${code}`)));
      createInterface({ input: agent.stdout as NonNullable<ChildProcess['stdout']> }).on('line', (line) => {
        const { message, port } = JSON.parse(line) as { readonly message: string; readonly port?: number };
        if (message === 'listening' && port !== undefined) resolve(port);
      });
    });

  testWith(skipReason ?? (process.platform === 'linux' ? undefined : 'control groups exist only on Linux'))(
    allMetricsTitle,
    async () => {
      const server = await startScraping({ job: 'pinion-apiserver-memory', url: `http://127.0.0.1:${await start()}` });
      await expectAllMetrics(server, 'pinion-apiserver-memory');
      const types = await server.query('count by (type) (pinion_apiserver_memory_bytes > 0)');
      expect(types.map(({ labels }) => labels['type'])).toEqual(expect.arrayContaining(['anon', 'file', 'limit']));
      expect(await firing(server)).not.toContain('PinionControlPlaneMemoryAgentDown');
      agent?.kill('SIGTERM');
      await waitUntilAlertFires(server, 'PinionControlPlaneMemoryAgentDown');
    },
    120_000,
  );
}

function registrar(): void {
  let zookeeper: ZookeeperServer | undefined;
  let testApp: App | undefined;
  let registrarProcess: RegistrarProcess | undefined;
  afterAll(async () => {
    await registrarProcess?.kill();
    testApp?.stop();
    await zookeeper?.stop();
  });

  testWith(skipReason ?? reasonWithoutZookeeper())(
    `${allMetricsTitle}; a ready app that is not registered fires alerts`,
    async () => {
      zookeeper = await ZookeeperServer.start();
      testApp = await App.start();
      registrarProcess = await RegistrarProcess.start({
        ZOOKEEPER: zookeeper.ensemble,
        SERVICE_PORT: String(testApp.port),
        READINESS_PATH: '/healthz',
        READINESS_PERIOD_SECONDS: '0.1',
        SESSION_TIMEOUT_SECONDS: '2',
        PINION_PROJECT: 'shop',
        PINION_WORKLOAD: 'ads',
        PINION_KIND: 'PinterestService',
        PINION_VERSION: '1.0.0',
        PINION_CLUSTER: 'use1-prod',
        PINION_NODE: 'node-7',
        PINION_POD: 'ads-3',
        PINION_POD_ADDRESS: '127.0.0.1',
        PINION_POD_UID: '0b9e8a0c-6d0f-4c5e-9f65-2b1a3c4d5e6f',
      });
      const server = await startScraping({ job: 'pinion-registrar', url: registrarProcess.statusUrl });
      await expectAllMetrics(server, 'pinion-registrar');
      await waitFor(
        'the app to be registered',
        async () => (await server.query('pinion_registrar_registered == 1 and pinion_registrar_connected == 1')).length,
      );
      await zookeeper.stop();
      await waitUntilAlertFires(server, 'PinionPodNotRegistered');
      await waitUntilAlertFires(server, 'PinionRegistrarsDisconnected');
    },
    180_000,
  );
}
