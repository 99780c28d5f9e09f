import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditLogFlags, auditPolicy } from '../../stacks/plan/bootstrap/control-plane/audit-log';
import { expectStatus } from '../control-plane/api-response';
import { type ControlPlane } from '../control-plane/control-plane';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { waitFor } from '../control-plane/wait-for';
import { inParallel } from './cluster-setup';

/** Flags for the root volume that a capacity plan chooses. */
const flags = auditLogFlags(64);
/** Maximum size of all files of the log. */
const bytesOfAll = Number(flags['audit-log-maxsize']) * 1_048_576 * (1 + Number(flags['audit-log-maxbackup']));
const rbac = 'rbac.authorization.k8s.io';
const path = '/api/v1/namespaces/shop/configmaps/settings';
/** The longest query that the API server accepts, of a character that JSON escapes with six. */
const longPath = `${path}?pretty=${'&'.repeat(1_040_000)}`;

describe('the audit log with the policy and flags of the stacks, and a tenant that wants to rotate it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-audit-'));
  const [policy, log] = [join(folder, 'policy.json'), join(folder, 'audit.log')];
  beforeAll(() => writeFileSync(policy, JSON.stringify(auditPolicy)));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const rotated = (): string[] => readdirSync(folder).filter((name) => name.startsWith('audit-'));

  describeControlPlane(
    'a real API server',
    (controlPlane) => {
      beforeAll(() => allowTenant(controlPlane()), 60_000);

      /** Sends requests as the tenant; returns how many per second, and the bytes that each adds to the log. */
      async function measure(requests: number, target: string): Promise<{ perSecond: number; bytes: number }> {
        await settled(log);
        const [start, size] = [performance.now(), statSync(log).size];
        await inParallel(Array.from({ length: requests }), () => controlPlane().as('tenant').request('GET', target));
        const perSecond = (requests / (performance.now() - start)) * 1000;
        await settled(log);
        return { perSecond, bytes: (statSync(log).size - size) / requests };
      }

      const report = (what: string, { perSecond, bytes }: { perSecond: number; bytes: number }): number => {
        const requests = bytesOfAll / bytes;
        const hours = requests / perSecond / 3600;
        console.log(
          `${what}: ${bytes.toFixed(0)} bytes each; all records are rotated after ${requests.toFixed(0)} requests, or ${hours.toFixed(2)} hours at ${perSecond.toFixed(0)} requests/s`,
        );
        return bytes;
      };

      test('ordinary requests of a tenant leave hours of records', async () => {
        expect(report('reads of a ConfigMap', await measure(3_000, path))).toBeLessThan(1_500);
      }, 120_000);

      test('requests without credentials leave no record, however long they are', async () => {
        await settled(log);
        const size = statSync(log).size;
        expect(await statusWithoutCredentials(controlPlane(), longPath)).toBe(401);
        await settled(log);
        expect(readFileSync(log, 'utf8').slice(size)).not.toContain('pretty=');
      });

      test('requests as long as possible rotate the log, and rotated files are compressed', async () => {
        const before = rotated().length;
        report('reads with a query of 1 MB', await measure(20, longPath));
        for (let sent = 0; rotated().length === before && sent < 100; sent++)
          await controlPlane().as('tenant').request('GET', longPath);
        await waitFor('a compressed file', async () => rotated().some((name) => name.endsWith('.gz')));
      }, 240_000);
    },
    {
      users: [{ name: 'tenant' }],
      apiServerFlags: [
        ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
        `--audit-policy-file=${policy}`,
        `--audit-log-path=${log}`,
      ],
    },
  );
});

/** Waits until the log, which is written in batches, does not grow. */
async function settled(log: string): Promise<void> {
  let size = -1;
  await waitFor(
    'the log to be written',
    async () => {
      const now = statSync(log).size;
      const isSame = now === size;
      size = now;
      return isSame;
    },
    { interval: 3_000 },
  );
}

async function allowTenant(controlPlane: ControlPlane): Promise<void> {
  const { client } = controlPlane;
  await client.ensureNamespace('shop');
  const metadata = { name: 'tenant', namespace: 'shop' };
  const objects: SendableObject[] = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' } },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata,
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
    } as SendableObject,
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'tenant' },
      subjects: [{ apiGroup: rbac, kind: 'User', name: 'tenant' }],
    } as SendableObject,
  ];
  for (const object of objects) expectStatus(await client.apply(object), [201]);
  await waitFor('the role to be effective', async () => {
    const { status } = await controlPlane.as('tenant').request('GET', path);
    return status === 200;
  });
}

const statusWithoutCredentials = (controlPlane: ControlPlane, target: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(`${controlPlane.url}${target}`, { rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once('error', reject);
  });
