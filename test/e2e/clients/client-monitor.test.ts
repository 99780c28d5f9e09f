import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { gatewayNamespace, type ManifestInput } from '../../../lib/api';
import { type ProjectClientsReport } from '../../../lib/cli/commands/clients/client-history-report';
import {
  clientHistoryPermissions,
  clientMonitorName,
  clientMonitorPermissions,
  clientMonitorPorts,
  gatewayEndpointPermissions,
  gatewayName,
  gatewayStatusPort,
  installManifests,
} from '../../../lib/expand';
import { type ClientShare } from '../../../lib/history';
import { connect, loadDefaultConfig, SharedInformerFactory } from '../../../lib/kube';
import { quotaMonitorProject } from '../../../lib/programs';
import { ClientHistories } from '../../../lib/submission/targets/client-histories';
import { auditPolicy } from '../../../stacks/plan/bootstrap/control-plane/audit-log';
import { auditWebhook, auditWebhookFlags } from '../../../stacks/plan/bootstrap/control-plane/audit-webhook';
import { systemClock } from '../../../lib/process';
import { expectStatus } from '../../control-plane/api-response';
import { runCommand } from '../../control-plane/command';
import { type SendableObject } from '../../control-plane/client';
import { freePorts } from '../../control-plane/ports';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { TestAuthority } from '../../kube/certificates';
import { platformWithGateway } from '../../local/gateway-platform';
import { gatewayImageOf, installPinion } from '../../local/install-pinion';
import { TestGateway } from '../gateway/test-gateway';
import { permissionsOf, usedPermissions } from '../used-permissions';
import { authorityOf, TokenClient, tokenOf } from './client-cluster';
import { ClientMonitorProcess } from './client-monitor-process';

const shop: ManifestInput<'Project'> = {
  apiVersion: 'pinterest.com/v1',
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'shop', onCall: '#shop-oncall' },
};
const documents = [...platformWithGateway(new TestAuthority()), shop];
const image = 'registry.example.com/pinion/any:1.0.0';
const installed = installManifests({
  image,
  clientMonitorImage: image,
  clientHistoryNamespace: quotaMonitorProject,
  documents,
  ...gatewayImageOf(documents),
}).filter(({ metadata }) => metadata.name === clientMonitorName);

const pinion = join(__dirname, '..', '..', '..', 'build', 'bin', 'pinion.js');

/** Returns an address of this machine that an EndpointSlice may have, as a loopback address is refused. */
function ownAddress(): string {
  const found = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal);
  if (!found) throw new Error('this machine has no address beside the loopback');
  return found.address;
}

/** Returns the flags of the installed DaemonSet on a node, with the port of the metrics of the test's gateway. */
function flagsOf(gatewayPort: number, node = 'control-plane-1'): readonly string[] {
  const daemon = installed.find(({ kind }) => kind === 'DaemonSet') as unknown as {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly [{ args: string[] }] } } };
  };
  return daemon.spec.template.spec.containers[0].args.map((arg) =>
    arg.replace('$(NODE_NAME)', node).replace(`:${gatewayStatusPort}`, `:${gatewayPort}`),
  );
}

const gatewayUser = 'gateway';

describe('the installed client monitor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-client-monitor-'));
  const [policy, webhook] = [join(folder, 'policy.yaml'), join(folder, 'webhook.yaml')];
  let port = 0;
  let monitor: ClientMonitorProcess | undefined;
  let kubeconfig = '';

  beforeAll(async () => {
    [port = 0] = await freePorts(1);
    // As on a control plane node of the cluster stack, except for the port, which other tests may use.
    writeFileSync(policy, JSON.stringify(auditPolicy));
    writeFileSync(webhook, JSON.stringify(auditWebhook).replace(`:${clientMonitorPorts.events}/`, `:${port}/`));
  });
  afterAll(async () => {
    await monitor?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describeControlPlane(
    'of an API server with the flags of the cluster stack',
    (controlPlane) => {
      const registry = new Registry();
      let direct: TokenClient;
      let gateway: TestGateway;
      let gatewayMetrics: Server;
      let scrapes = 0;
      const installedFlags = (node?: string) => flagsOf((gatewayMetrics.address() as AddressInfo).port, node);
      const metrics = async (): Promise<string> => (await monitor?.status('/metrics'))?.text ?? '';
      const readDirectly = async (): Promise<number> => (await direct.get('/api/v1/namespaces/shop/configmaps')).status;
      /** Requests of the violator that the monitor has counted. */
      const counted = async (): Promise<number> =>
        [...(await metrics()).matchAll(/^pinion_client_requests_total\{project="shop".* (\d+)$/gm)].reduce(
          (sum, [, value]) => sum + Number(value),
          0,
        );

      beforeAll(async () => {
        await installPinion(controlPlane(), documents);
        const { client } = controlPlane();
        // The Project of the quota monitor creates it.
        await client.ensureNamespace(quotaMonitorProject);
        await client.ensureNamespace(gatewayNamespace);
        for (const object of installed) expectStatus(await client.apply(object as SendableObject), [200, 201]);
        await client.ensureNamespace('shop');
        const token = await controlPlane().serviceAccountToken('kube-system', clientMonitorName);
        kubeconfig = controlPlane().kubeconfigFor({ token });
        const account = await tokenOf(controlPlane(), 'shop', 'violator');
        direct = new TokenClient(controlPlane().url, authorityOf(controlPlane()), account, 'violator/1.0');
        await startGateway();
      }, 120_000);
      afterAll(async () => {
        gatewayMetrics.close();
        await gateway.stop();
      });

      /** Starts a gateway whose metrics are where its EndpointSlice says, and allows the account reader to list pods. */
      async function startGateway(): Promise<void> {
        const { client } = controlPlane();
        collectDefaultMetrics({ register: registry });
        const through = { ...controlPlane(), kubeconfig: controlPlane().kubeconfigFor({ user: gatewayUser }) };
        gateway = await TestGateway.start(through, [{ group: '', version: 'v1', plural: 'pods' }], { registry });
        gatewayMetrics = createServer((_, response) => {
          void registry.metrics().then((text) => response.end(text, () => scrapes++));
        });
        await new Promise<void>((done) => gatewayMetrics.listen(0, '0.0.0.0', done));
        const { port: statusPort } = gatewayMetrics.address() as AddressInfo;
        const rbac = { apiGroup: 'rbac.authorization.k8s.io' };
        const api = `${rbac.apiGroup}/v1`;
        const metadata = { name: 'reader', namespace: 'shop' };
        for (const object of [
          {
            ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4' },
            metadata: {
              ...{ name: 'of-the-test', namespace: gatewayNamespace },
              labels: { 'kubernetes.io/service-name': gatewayName },
            },
            endpoints: [{ addresses: [ownAddress()], conditions: { ready: true } }],
            ports: [{ name: 'https', port: statusPort, protocol: 'TCP' }],
          },
          {
            apiVersion: api,
            kind: 'Role',
            metadata,
            rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
          },
          {
            ...{ apiVersion: api, kind: 'RoleBinding', metadata, roleRef: { ...rbac, kind: 'Role', name: 'reader' } },
            subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'shop' }],
          },
        ])
          expectStatus(await client.apply(object as SendableObject), [200, 201]);
      }

      test('starts after the API server, and names a client that bypasses the gateway with its contact', async () => {
        monitor = await ClientMonitorProcess.start(installedFlags(), kubeconfig, port);
        const finding =
          /^pinion_client_findings\{practice="DirectAccess",project="shop",account="system:serviceaccount:shop:violator",user_agent="violator",on_call="#shop-oncall"/m;
        await waitFor('the finding', async () => {
          // Without a role, which direct access does not need to be reported.
          expect(await readDirectly()).toBe(403);
          return finding.test(await metrics());
        });
      });

      test('serves metrics, and nothing else, to others', async () => {
        expect(await monitor?.status('/healthz')).toMatchObject({ code: 200 });
        expect(await monitor?.status('/top')).toMatchObject({ code: 404 });
      });

      test('does not hold up the API server when it hangs, and counts what it gets afterwards', async () => {
        await waitFor('requests of the client to be counted', async () => {
          await readDirectly();
          return (await counted()) > 20;
        });
        const before = await counted();
        monitor?.signal('SIGSTOP');
        for (let round = 0; round < 20; round++) {
          const statuses = await Promise.all(Array.from({ length: 50 }, readDirectly));
          expect(new Set(statuses)).toEqual(new Set([403]));
        }
        monitor?.signal('SIGCONT');
        await waitFor('the requests in between', async () => (await counted()) >= before + 1_000);
      }, 120_000);

      test('loses events while it is gone, which the API server counts, and continues when it is back', async () => {
        expect(await monitor?.stop()).toBe(0);
        const dropped = async (): Promise<number> => {
          const { body } = expectStatus(await controlPlane().client.request('GET', '/metrics'), [200]);
          return Number(/^apiserver_audit_error_total\{plugin="webhook"\} (\d+)$/m.exec(String(body))?.[1] ?? 0);
        };
        const before = await dropped();
        await waitFor('the API server to drop a batch', async () => {
          expect(await readDirectly()).toBe(403);
          return (await dropped()) > before;
        });
        monitor = await ClientMonitorProcess.start(installedFlags(), kubeconfig, port);
        await waitFor('a request to be counted again', async () => {
          await readDirectly();
          return (await counted()) > 0;
        });
      }, 120_000);

      /** Returns the shares of a project, as the page reads them, when all of its sources are there. */
      async function storedShares(sources: readonly string[]): Promise<readonly ClientShare[]> {
        const client = connect(loadDefaultConfig({}, { kubeconfig: controlPlane().kubeconfig }), {
          clock: systemClock,
          userAgent: 'page',
        });
        const factory = new SharedInformerFactory({
          client,
          clock: systemClock,
          onError: (error) => {
            throw error;
          },
        });
        const histories = new ClientHistories(factory, quotaMonitorProject);
        factory.start();
        try {
          return await waitFor(`the shares ${sources.join(', ')}`, () => {
            const shares = histories.of('shop').days.flatMap((day) => day.shares);
            const found = new Set(shares.map(({ source }) => source));
            return Promise.resolve(sources.every((source) => found.has(source)) ? shares : undefined);
          });
        } finally {
          await factory.stop();
          client.close();
        }
      }
      const requestsOf = (shares: readonly ClientShare[], source: string): number =>
        shares.filter((share) => share.source === source).reduce((sum, { total }) => sum + total.requests, 0);
      /** Requests of the violator in the audit log. */
      const logged = (): number =>
        controlPlane().audit.since({ offset: 0 }, { user: 'system:serviceaccount:shop:violator' }).length;

      test('counts the reads that a gateway answered from its cache', async () => {
        const first = scrapes;
        await waitFor('the first metrics', () => Promise.resolve(scrapes > first));
        const token = await tokenOf(controlPlane(), 'shop', 'reader', { forGateway: true });
        for (let index = 0; index < 50; index++) {
          const path = '/api/v1/namespaces/shop/pods?resourceVersion=0';
          expect((await gateway.get(path, token, { 'user-agent': 'reader/1.0' })).status).toBe(200);
        }
        const last = scrapes;
        await waitFor('the next metrics', () => Promise.resolve(scrapes > last));
      }, 120_000);

      test('continues its history after a restart, beside that of the monitor of another API server', async () => {
        const before = requestsOf(await storedShares(['server/control-plane-1']), 'server/control-plane-1');
        expect(before).toBeGreaterThan(1_000);
        const [otherPort = 0] = await freePorts(1);
        const other = await ClientMonitorProcess.start(installedFlags('control-plane-2'), kubeconfig, otherPort);
        // What another API server of the control plane would send.
        const items = Array.from({ length: 7 }, () => ({
          ...{
            kind: 'Event',
            apiVersion: 'audit.k8s.io/v1',
            level: 'Metadata',
            auditID: '1',
            stage: 'ResponseComplete',
          },
          ...{ requestURI: '/api/v1/namespaces/shop/secrets', verb: 'list', userAgent: 'reporter/1.0' },
          user: { username: 'system:serviceaccount:shop:reporter' },
          objectRef: { resource: 'secrets', apiVersion: 'v1', namespace: 'shop' },
          responseStatus: { code: 200 },
          requestReceivedTimestamp: new Date().toISOString(),
          stageTimestamp: new Date().toISOString(),
        }));
        const body = JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', items });
        expect((await fetch(`http://127.0.0.1:${otherPort}/events`, { method: 'POST', body })).status).toBe(200);
        const requests = await counted();
        expect(await Promise.all([monitor?.stop(), other.stop()])).toEqual([0, 0]);
        const shares = await storedShares(['server/control-plane-1', 'server/control-plane-2']);
        expect(requestsOf(shares, 'server/control-plane-2')).toBe(7);
        const fromGateway = shares.filter(({ source }) => /^gateway\/.*\/control-plane-1$/.test(source));
        expect(fromGateway.map(({ total }) => total.cached)).toEqual([50]);
        // The API server may have sent more after the count, and dropped some while there was no monitor.
        const after = requestsOf(shares, 'server/control-plane-1');
        expect(after).toBeGreaterThanOrEqual(before + requests);
        expect(after).toBeLessThanOrEqual(logged());
      }, 120_000);

      test('names the clients of the history on the command line, with the contact', async () => {
        const args = ['clients', '--live', '--kubeconfig', controlPlane().kubeconfig, '--history', quotaMonitorProject];
        const { stdout } = await runCommand(
          process.execPath,
          [pinion, ...args, '-o', 'json', '--project', 'shop'],
          '',
          {},
        );
        const { projects } = JSON.parse(stdout) as { readonly projects: readonly ProjectClientsReport[] };
        expect(projects).toMatchObject([{ project: 'shop', onCall: '#shop-oncall' }]);
        expect(projects[0]?.clients.map(({ userAgent }) => userAgent).sort()).toEqual([
          'reader',
          'reporter',
          'violator',
        ]);
        expect(projects[0]?.violations.map(({ practice }) => practice)).toContain('DirectAccess');
      });

      test('uses exactly its permissions', () => {
        const user = `system:serviceaccount:kube-system:${clientMonitorName}`;
        const events = controlPlane().audit.since({ offset: 0 }, { user });
        expect(events.filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([]);
        const rules = clientMonitorPermissions.flatMap((rule) => ('resources' in rule ? [rule] : []));
        expect(usedPermissions(events)).toEqual(
          permissionsOf([...rules, ...clientHistoryPermissions, ...gatewayEndpointPermissions]),
        );
        expect(events.map(({ requestURI }) => requestURI)).toContain('/metrics');
      });
    },
    {
      apiServerFlags: [
        `--audit-policy-file=${policy}`,
        ...Object.entries(auditWebhookFlags(webhook)).map(([name, value]) => `--${name}=${value}`),
      ],
      users: [{ name: gatewayUser, groups: ['system:masters'] }],
    },
  );
});
