import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditReport, type AuditRow } from '../../lib/operations';
import { type AuditEvent } from '../control-plane/audit';
import { type SendableObject } from '../control-plane/client';
import { runCommand } from '../control-plane/command';
import { freePorts } from '../control-plane/ports';
import { describeControlPlane } from '../control-plane/suite';
import { waitFor } from '../control-plane/wait-for';

const program = join(__dirname, '..', '..', 'build', 'bin', 'pinion.js');

describe('pinion audit on a real API server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-load-'));
  const [policy, webhook] = [join(folder, 'policy.json'), join(folder, 'webhook.json')];
  let port = 0;
  let sink: ChildProcess | undefined;

  beforeAll(async () => {
    [port = 0] = await freePorts(1);
    // Only the responses of ConfigMap lists are logged.
    const rules = [
      { level: 'RequestResponse', verbs: ['list'], resources: [{ group: '', resources: ['configmaps'] }] },
      { level: 'Metadata' },
    ];
    writeFileSync(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'sink', cluster: { server: `http://127.0.0.1:${port}/audit` } }],
      users: [{ name: 'apiserver', user: {} }],
      contexts: [{ name: 'sink', context: { cluster: 'sink', user: 'apiserver' } }],
      'current-context': 'sink',
    };
    writeFileSync(webhook, JSON.stringify(config));
    sink = spawn(process.execPath, [program, 'audit', '--listen', `127.0.0.1:${port}`], { stdio: 'ignore' });
    await waitFor('the sink to listen', () => fetchText('/healthz').catch(() => undefined));
  }, 60_000);
  afterAll(() => {
    sink?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const fetchText = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(text));
      }).on('error', reject);
    });

  describeControlPlane(
    'by its audit log',
    (controlPlane) => {
      const auditReport = async (...args: readonly string[]): Promise<AuditReport> => {
        const { code, stdout, stderr } = await runCommand(
          process.execPath,
          [program, 'audit', '-o', 'json', ...args],
          '',
          {},
        );
        if (code !== 0) throw new Error(stderr);
        return JSON.parse(stdout) as AuditReport;
      };
      const rowOf = (rows: readonly AuditRow[], ...name: readonly string[]) =>
        rows.find((row) => row.name.join(' ') === name.join(' '));

      beforeAll(async () => {
        const { client } = controlPlane();
        await client.ensureNamespace('busy');
        for (let index = 0; index < 30; index++)
          await client.create({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: `map-${index}`, namespace: 'busy' },
          });
        const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
        const meta = { name: 'hog', namespace: 'busy' };
        const rbac = 'rbac.authorization.k8s.io';
        const subjects = [{ kind: 'User', name: 'hog', apiGroup: rbac }];
        const roleRef = { kind: 'Role', name: 'hog', apiGroup: rbac };
        const create = (object: object) => client.create(object as SendableObject);
        await create({ apiVersion: `${rbac}/v1`, kind: 'Role', metadata: meta, rules });
        await create({ apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: meta, subjects, roleRef });
        const listingClient = controlPlane().as('hog');
        await waitFor('the role binding to take effect', async () => {
          const { status } = await listingClient.request('GET', '/api/v1/namespaces/busy/configmaps', undefined, {
            query: { limit: '1', labelSelector: 'warm=up' },
          });
          return status === 200;
        });
        for (let index = 0; index < 50; index++)
          await listingClient.request('GET', '/api/v1/namespaces/busy/configmaps');
        for (let index = 0; index < 20; index++)
          await listingClient.request('GET', '/api/v1/namespaces/busy/configmaps', undefined, {
            query: { limit: '5' },
          });
        for (let index = 0; index < 10; index++) await listingClient.request('GET', '/api/v1/secrets');
      }, 60_000);

      test('counts every request of the log for its user', async () => {
        // The server keeps making requests of its own: the log is read up to the mark.
        const { audit, auditLog } = controlPlane();
        const copy = join(folder, 'audit.log');
        const { stdout } = await runCommand('cat', [auditLog], '', { PATH: process.env['PATH'] });
        writeFileSync(copy, stdout.slice(0, stdout.lastIndexOf('\n') + 1));
        const report = await auditReport(copy);
        const end = stdout.split('\n').length - 1;
        const events: AuditEvent[] = [];
        for (const event of audit.read({ offset: 0 })) events.push(event);
        expect(end).toBeGreaterThan(100);
        const listingClient = events.filter(
          ({ user, stage }: { user: { username: string }; stage: string }) =>
            user.username === 'hog' && stage !== 'RequestReceived',
        );
        expect(rowOf(report.users, 'hog')).toMatchObject({ requests: listingClient.length, error: 0 });
        expect(rowOf(report.pairs, 'hog', 'list', 'configmaps')).toMatchObject({
          wholeLists: 50,
          objects: 50 * 30 + 20 * 5,
        });
        expect(rowOf(report.pairs, 'hog', 'list', 'secrets')).toMatchObject({ requests: 10, errors: 10, measured: 0 });
        expect(report.unreadable).toBe(0);
      });

      test('reports the response bytes that the server sends', async () => {
        const { client, auditLog } = controlPlane();
        const response = await client.request('GET', '/api/v1/namespaces/busy/configmaps');
        const row = rowOf((await auditReport(auditLog)).pairs, 'admin', 'list', 'configmaps');
        // The log holds the list as JSON without the trailing newline of a response.
        expect((row?.bytes ?? 0) / (row?.measured ?? 1)).toBeCloseTo(JSON.stringify(response.body).length, -2);
      });

      test('ranks clients by unbounded lists in JSON and in the tables', async () => {
        const { stdout } = await runCommand(process.execPath, [program, 'audit', controlPlane().auditLog], '', {});
        const tables = stdout.slice(stdout.indexOf('LISTS WITHOUT LIMIT OR SELECTOR')).split('\n');
        expect(tables[2]).toMatch(/^hog +list +configmaps +50 /);
        expect(stdout).toMatch(
          /^ {2}\d+ lists; the responses of \d+ are in the log: [\d,]+ objects, [\d.]+ \wiB as JSON; \d+ whole lists,/m,
        );
      });

      test('reads a piped log to its end', async () => {
        const piped = spawn('sh', ['-c', `cat ${controlPlane().auditLog} | ${process.execPath} ${program} audit -`]);
        let text = '';
        piped.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        await new Promise((resolve) => piped.once('close', resolve));
        expect(text).toMatch(/^-: [\d,]+ requests/);
      });

      test('counts the same requests from the audit webhook and exposes them as metrics', async () => {
        const fromLog = rowOf((await auditReport(controlPlane().auditLog)).pairs, 'hog', 'list', 'configmaps');
        const observed = await waitFor('the sink to receive all requests', async () => {
          const report = JSON.parse(await fetchText('/top')) as AuditReport;
          const row = rowOf(report.pairs, 'hog', 'list', 'configmaps');
          return row?.requests === fromLog?.requests ? row : undefined;
        });
        expect(observed).toMatchObject({ wholeLists: 50, objects: 1600 });
        const metrics = await fetchText('/metrics');
        const total = [...metrics.matchAll(/^pinion_audit_requests_total\{.*\} (\d+)$/gm)];
        expect(total.length).toBeGreaterThan(1);
        expect(metrics).toMatch(
          /^pinion_audit_whole_lists_total\{user="hog",verb="list",resource="configmaps"\} \d+$/m,
        );
      });
    },
    {
      users: [{ name: 'hog', groups: ['readers'] }],
      apiServerFlags: [
        `--audit-policy-file=${policy}`,
        `--audit-webhook-config-file=${webhook}`,
        '--audit-webhook-batch-max-wait=1s',
      ],
    },
  );
});
