import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { auditPolicy } from '../../../stacks/plan/bootstrap/control-plane/audit-log';
import { type ProjectClientsReport } from '../../../lib/cli/commands/clients/client-history-report';
import { defaultPlatform } from '../../../lib/expand';
import { type ClientDay, clientHistory, type ClientShare, sumOfShares } from '../../../lib/history';
import { type ClientReport } from '../../../lib/operations';
import { expectStatus } from '../../control-plane/api-response';
import { runCommand } from '../../control-plane/command';
import { freePorts } from '../../control-plane/ports';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { TestGateway } from '../gateway/test-gateway';
import { authorityOf, contactOf, prepareProjects, projectManifests, TokenClient, tokenOf } from './client-cluster';

const program = join(__dirname, '..', '..', '..', 'build', 'bin', 'pinion.js');
const namespace = 'pinion-quota';
const gatewayUser = 'gateway';
const monitorUser = 'client-monitor';
/** A Platform whose budgets are far below any use, so that a proposal follows the use. */
const platform = () => {
  const least = { requestsPerSecond: 1, concurrentRequests: 1, bytesPerSecond: '1Ki' };
  const defaultApiBudget = { project: least, serviceAccount: least, user: least };
  return JSON.stringify({ ...defaultPlatform, spec: { ...defaultPlatform.spec, defaultApiBudget } });
};

/** Returns the budget that lets reads at some times pass, by windows of a length in seconds. */
function peakOf(times: readonly number[], seconds: number): number {
  const windows = new Map<number, number>();
  for (const time of times) {
    const window = Math.floor(time / seconds);
    windows.set(window, (windows.get(window) ?? 0) + 1);
  }
  return Math.max(...windows.values()) / (seconds + 2);
}

describe('the client history', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-client-history-'));
  const [policy, webhook, platformFile] = ['policy.json', 'webhook.json', 'pinion.platform.yaml'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  let port = 0;

  beforeAll(async () => {
    [port = 0] = await freePorts(1);
    writeFileSync(policy, JSON.stringify(auditPolicy));
    writeFileSync(platformFile, [platform(), projectManifests()].join('\n---\n'));
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'monitor', cluster: { server: `http://127.0.0.1:${port}/audit` } }],
      users: [{ name: 'apiserver', user: {} }],
      contexts: [{ name: 'monitor', context: { cluster: 'monitor', user: 'apiserver' } }],
      'current-context': 'monitor',
    };
    writeFileSync(webhook, JSON.stringify(config));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describeControlPlane(
    'of a real API server and gateway',
    (controlPlane) => {
      const registry = new Registry();
      let gateway: TestGateway;
      let metrics: Server;
      let scrapes = 0;
      let monitor: ChildProcess | undefined;
      let kubeconfig = '';

      beforeAll(async () => {
        const plane = controlPlane();
        await prepareProjects(plane);
        await plane.client.ensureNamespace(namespace);
        await allowHistory();
        kubeconfig = plane.kubeconfigFor({ user: monitorUser });
        collectDefaultMetrics({ register: registry });
        const through = { ...plane, kubeconfig: plane.kubeconfigFor({ user: gatewayUser }) };
        gateway = await TestGateway.start(through, [{ group: '', version: 'v1', plural: 'pods' }], { registry });
        metrics = createServer((_, response) => {
          void registry.metrics().then((text) => response.end(text, () => scrapes++));
        });
        await new Promise<void>((done) => metrics.listen(0, '127.0.0.1', done));
      }, 120_000);
      afterAll(async () => {
        monitor?.kill('SIGKILL');
        metrics.close();
        await gateway.stop();
      });

      /** Allows a monitor what it needs, and nothing else. */
      async function allowHistory(): Promise<void> {
        const group = 'rbac.authorization.k8s.io';
        const subjects = [{ kind: 'User', name: monitorUser, apiGroup: group }];
        const roleRef = { kind: 'Role', name: monitorUser, apiGroup: group };
        const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'create', 'update'] }];
        const metadata = { name: monitorUser, namespace };
        for (const object of [
          { apiVersion: `${group}/v1`, kind: 'Role', metadata, rules },
          { apiVersion: `${group}/v1`, kind: 'RoleBinding', metadata, subjects, roleRef },
        ])
          expectStatus(await controlPlane().client.apply(object), [200, 201]);
      }

      const fetchText = (path: string): Promise<string> =>
        new Promise((resolve, reject) => {
          get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
            response.on('end', () => resolve(text));
          }).on('error', reject);
        });

      async function startMonitor(): Promise<void> {
        const url = `http://127.0.0.1:${(metrics.address() as AddressInfo).port}/metrics`;
        const args = ['--live', '--kubeconfig', kubeconfig, '--platform', platformFile, '--history', namespace];
        monitor = spawn(
          process.execPath,
          [
            ...[program, 'clients', '--listen', `127.0.0.1:${port}`, ...args],
            ...['--server', 'one', '--gateway', gatewayUser, '--metrics', url],
          ],
          { stdio: 'ignore' },
        );
        await waitFor('the monitor to listen', () => fetchText('/healthz').catch(() => undefined));
      }

      /** Ends the monitor as systemd does; it stores its history before. */
      async function stopMonitor(): Promise<void> {
        const ended = new Promise((done) => monitor?.once('exit', done));
        monitor?.kill('SIGTERM');
        await ended;
      }

      async function historyOf(project: string): Promise<readonly ClientDay[]> {
        const metadata = { name: `${clientHistory.component}-${project}`, namespace };
        const response = await controlPlane().client.get({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
        const { data } = expectStatus(response, [200]).body as { readonly data: Readonly<Record<string, string>> };
        return clientHistory.read(JSON.parse(data[clientHistory.key] ?? ''), project) ?? [];
      }
      const today = async (project: string): Promise<ClientShare> =>
        sumOfShares((await historyOf(project)).flatMap(({ shares }) => shares));

      const logged = (account: string) => controlPlane().audit.since({ offset: 0 }, { user: account });
      /** Waits until the monitor has received what the audit log has. */
      async function received(account: string, requests: number): Promise<void> {
        await waitFor(`${requests} requests of ${account} in the monitor`, async () => {
          const { rows } = JSON.parse(await fetchText('/top')) as ClientReport;
          const found = rows.filter((row) => row.account === account).reduce((sum, row) => sum + row.requests, 0);
          return found >= requests ? found : undefined;
        });
      }

      const poller = 'system:serviceaccount:poller:violator';
      async function poll(times: number): Promise<void> {
        const plane = controlPlane();
        const token = await tokenOf(plane, 'poller', 'violator');
        const client = new TokenClient(plane.url, authorityOf(plane), token, 'poller/1.0');
        for (let index = 0; index < times; index++) {
          await client.get('/api/v1/namespaces/shop/configmaps/absent');
          // At regular intervals, as pollers do.
          await sleep(100);
        }
      }
      const report = async (...args: readonly string[]): Promise<readonly ProjectClientsReport[]> => {
        const common = ['--live', '--kubeconfig', kubeconfig, '--history', namespace, '--platform', platformFile];
        const { code, stdout, stderr } = await runCommand(
          process.execPath,
          [program, 'clients', ...common, '-o', 'json', ...args],
          '',
          {},
        );
        expect([code, stderr]).toEqual([0, expect.stringContaining('')]);
        return (JSON.parse(stdout) as { readonly projects: readonly ProjectClientsReport[] }).projects;
      };

      test('continues after a restart, with exactly the requests of the audit log', async () => {
        await startMonitor();
        await poll(45);
        await received(poller, 45);
        await stopMonitor();
        expect((await today('poller')).total.requests).toBe(45);
        await startMonitor();
        await poll(15);
        await received(poller, 15);
        await stopMonitor();
        expect((await today('poller')).total.requests).toBe(60);
        expect(logged(poller)).toHaveLength(60);
      });

      test('names the planted violator with its project, its contact and the remedy', async () => {
        const [project] = await report('--project', 'poller');
        expect(project).toMatchObject({ project: 'poller', team: 'team-poller', onCall: contactOf('poller') });
        expect(project?.violations.map(({ practice, account }) => [practice, account])).toContainEqual([
          'Polling',
          poller,
        ]);
        const message = project?.violations.find(({ practice }) => practice === 'Polling')?.message;
        expect(message).toMatch(/on call: #poller-oncall \(team team-poller\); watch the object instead/);
        expect(project?.clients).toMatchObject([{ account: poller, userAgent: 'poller', mostly: 'get configmaps' }]);
      });

      test('proposes the budget that lets the reads pass', async () => {
        const times = logged(poller).map((event) => Date.parse(event.requestReceivedTimestamp) / 1000);
        // Each process measures what it received.
        const peaks = [times.slice(0, 45), times.slice(45)].flatMap((some) => [peakOf(some, 1), peakOf(some, 15)]);
        const used = Math.ceil(Math.max(...peaks));
        const [project] = await report('--project', 'poller');
        expect(project?.budgets.find(({ resource }) => resource === 'requestsPerSecond')?.used).toBe(`${used}`);
        const proposed = project?.proposal.find(({ resource }) => resource === 'requestsPerSecond');
        expect(proposed).toMatchObject({ basis: 'peak', value: `${Math.ceil(used * 1.2)}` });
      });

      test('counts the reads that a gateway answered from its cache, and measures them there', async () => {
        await startMonitor();
        const first = scrapes;
        await waitFor('the first metrics', async () => (scrapes > first ? scrapes : undefined));
        const token = await tokenOf(controlPlane(), 'shop', 'reader', { forGateway: true });
        for (let index = 0; index < 120; index++) {
          const { status } = await gateway.get('/api/v1/namespaces/shop/pods?resourceVersion=0', token, {
            'user-agent': 'reader/1.0',
          });
          expect(status).toBe(200);
        }
        const last = scrapes;
        await waitFor('the next metrics', async () => (scrapes > last ? scrapes : undefined));
        await stopMonitor();
        const { total, uses, budgets } = await today('shop');
        expect(total.cached).toBeGreaterThanOrEqual(120);
        expect(uses).toContainEqual(
          expect.objectContaining({ userAgent: 'reader', verb: 'list', resource: 'pods', cached: 120 }),
        );
        expect(total.bytes).toBeGreaterThan(0);
        expect(budgets['reader']?.requestsPerSecond).toBeGreaterThan(0);
        expect(budgets['reader']?.requestsPerSecond).toBeLessThanOrEqual(120 / 2);
        const [project] = await report('--project', 'shop');
        expect(project?.budgets.map(({ resource, level }) => [resource, level])).toContainEqual([
          'serviceAccount.requestsPerSecond',
          expect.not.stringContaining('not-measured'),
        ]);
      });
    },
    {
      apiServerFlags: [
        `--audit-policy-file=${policy}`,
        `--audit-webhook-config-file=${webhook}`,
        '--audit-webhook-batch-max-wait=1s',
        '--audit-webhook-initial-backoff=1s',
      ],
      users: [{ name: gatewayUser, groups: ['system:masters'] }, { name: monitorUser }],
    },
  );
});
