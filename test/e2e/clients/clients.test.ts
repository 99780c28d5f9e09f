import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { auditPolicy } from '../../../stacks/plan/bootstrap/control-plane/audit-log';
import { metricsCatalog } from '../../../lib/observability';
import { AuditLines, ClientMonitor, type ClientReport, practices } from '../../../lib/operations';
import { controlPlanePrograms, findBinaries } from '../../control-plane/binaries';
import { describeControlPlane } from '../../control-plane/suite';
import { realClock } from '../../kube/real-clock';
import { waitFor } from '../../control-plane/wait-for';
import { pinion, writeFiles } from '../../cli/terminal';
import { TestGateway } from '../gateway/test-gateway';
import { contactOf, prepareProjects, projectManifests } from './client-cluster';
import { plantedPractices, violateEachPractice, violator } from './planted-violators';
import { WellBehavedClients } from './well-behaved-clients';

const gatewayUser = 'gateway';
/** The client of the test itself sends no user agent. */
const isOfTest = ({ account }: { account: string }): boolean => account === 'admin';

describe('clients in the audit log of the policy of the stacks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-clients-'));
  const policy = join(folder, 'policy.json');
  beforeAll(() => writeFileSync(policy, JSON.stringify(auditPolicy)));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describeControlPlane(
    'of a real API server',
    (controlPlane) => {
      const registry = new Registry();
      let gateway: TestGateway;
      let good: WellBehavedClients;

      beforeAll(async () => {
        const plane = controlPlane();
        await prepareProjects(plane);
        await plane.client.create({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'one', namespace: 'shop' },
        });
        const through = { ...plane, kubeconfig: plane.kubeconfigFor({ user: gatewayUser }) };
        const cached = [
          { group: '', version: 'v1', plural: 'pods' },
          { group: '', version: 'v1', plural: 'namespaces' },
        ];
        gateway = await TestGateway.start(through, cached, { registry });
        const binaries = findBinaries(controlPlanePrograms);
        if ('skipped' in binaries) throw new Error('unreachable: the control plane runs');
        good = new WellBehavedClients(plane, gateway, binaries.paths.kubectl);
        await good.start();
        await violateEachPractice(plane);
        // The last event of a violator, after which its log is complete.
        await waitFor(
          'the log of the watches',
          async () => plane.audit.since({ offset: 0 }, { user: `system:serviceaccount:direct:${violator}` }).length > 0,
        );
      }, 180_000);
      afterAll(async () => {
        await good.stop();
        await gateway.stop();
      });

      const report = async (...args: readonly string[]): Promise<ClientReport> => {
        writeFiles({ 'pinion.platform.yaml': projectManifests() });
        const { code, out, err } = await pinion(['clients', ...args, '-o', 'json']);
        expect([code, err]).toEqual([0, '']);
        return JSON.parse(out) as ClientReport;
      };

      test('names exactly the violator of each practice, with its Project and on-call contact', async () => {
        expect(Object.values(plantedPractices).sort()).toEqual(Object.keys(practices).sort());
        const { findings, unreadable } = await report(controlPlane().auditLog, '--gateway', gatewayUser);
        expect(unreadable).toBe(0);
        const named = findings.filter((finding) => !isOfTest(finding) && finding.practice !== 'DirectAccess');
        expect(
          named
            .map(({ practice, project, account, team, onCall }) => [practice, project, account, team, onCall])
            .sort(),
        ).toEqual(
          Object.entries(plantedPractices)
            .filter(([, practice]) => practice !== 'DirectAccess')
            .map(([project, practice]) => [
              practice,
              project,
              `system:serviceaccount:${project}:${violator}`,
              `team-${project}`,
              contactOf(project),
            ])
            .sort(),
        );
        for (const { message, project, account } of named) {
          expect(message).toContain(`project ${project}: ${account}`);
          expect(message).toContain(`on call: ${contactOf(project)} (team team-${project})`);
          expect(message).toMatch(/this cost [\d.e+-]+ seat-seconds/);
        }
      });

      test('names exactly the clients that did not come through the gateway', async () => {
        const { findings } = await report(controlPlane().auditLog, '--gateway', gatewayUser);
        const direct = findings.filter((finding) => finding.practice === 'DirectAccess');
        // All violators were direct; the twenty clients came through the gateway.
        expect(direct.map(({ project }) => project).sort()).toEqual(Object.keys(plantedPractices).sort());
        expect(good.accounts).toHaveLength(20);
        expect((await report(controlPlane().auditLog)).findings.map(({ practice }) => practice)).not.toContain(
          'DirectAccess',
        );
      });

      test('adds the requests that a gateway answered itself to those of the log', async () => {
        writeFiles({ 'gateway.metrics': await registry.metrics() });
        const account = 'system:serviceaccount:shop:informer-*';
        const filters = ['--account', account, '--resource', 'pods', '--user-agent', 'shop-controller'];
        const { rows, total } = await report('--metrics', 'gateway.metrics', ...filters);
        // Eight informers list or stream pods, and keep a watch open.
        expect(new Set(rows.map((row) => row.account)).size).toBe(8);
        expect(total.watches).toBeGreaterThanOrEqual(8);
        expect(total.cached).toBeGreaterThanOrEqual(8);
        expect(total.bytes).toBeGreaterThan(0);
        for (const { project } of rows) expect(project).toBe('shop');
        const log = await pinion(['clients', controlPlane().auditLog, '-o', 'json', ...filters]);
        const both = await report(controlPlane().auditLog, '--metrics', 'gateway.metrics', ...filters);
        const logged = (JSON.parse(log.out) as ClientReport).requests;
        const passedOn = rows.reduce((sum, { requests }) => sum + requests, 0) - total.cached;
        expect(both.requests).toBe(logged + total.cached);
        expect(passedOn).toBeGreaterThanOrEqual(logged);
      });

      test('the monitor exports every metric of the catalog for the same events', async () => {
        const projects = projectManifests()
          .split('\n---\n')
          .map((text) => JSON.parse(text) as unknown);
        const monitor = new ClientMonitor({ projects, gateway: gatewayUser }, realClock);
        const lines = new AuditLines(monitor.receiver);
        for await (const chunk of createReadStream(controlPlane().auditLog) as AsyncIterable<Buffer>)
          lines.write(chunk);
        const metrics = monitor.metrics();
        for (const { name } of metricsCatalog.filter(({ component }) => component === 'pinion-clients'))
          expect(metrics).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
        for (const practice of Object.keys(practices)) expect(metrics).toContain(`practice="${practice}"`);
      });
    },
    { apiServerFlags: [`--audit-policy-file=${policy}`], users: [{ name: gatewayUser, groups: ['system:masters'] }] },
  );
});
