import { generateKeyPairSync } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as ask } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ruleFile } from '../../lib/observability';
import { expectStatus } from '../control-plane/api-response';
import { waitFor } from '../control-plane/wait-for';
import { type LiveAlert } from '../quota/prometheus-server';
import { waitUntilAlertFires, accelerateRules } from './accelerated-rules';
import { saturatingUser, OccupiedSeats } from './occupied-seats';
import { sendBurst, nonExemptUser, userWithoutSeats, removeSeats } from './metric-triggers';
import { describeScraped, type ScrapedControlPlane } from './scraped-control-plane';

const mebibyte = 1024 * 1024;

/** Thresholds that would need a cluster of thousands of objects. */
const smallClusterThresholds = { KubeAPIListStorm: ['> 50000', '> 2000'] } as const;

const folder = mkdtempSync(join(tmpdir(), 'pinion-alerts-'));
const authority = { key: join(folder, 'ca.key'), certificate: join(folder, 'ca.crt') };

function openssl(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
}

/** Creates the CA of client certificates before the API server starts. */
function createAuthority(): void {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writeFileSync(authority.key, privateKey);
  openssl(
    'req',
    '-x509',
    '-new',
    '-key',
    authority.key,
    '-subj',
    '/CN=clients',
    '-days',
    '30',
    '-out',
    authority.certificate,
  );
}
createAuthority();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fires = ({ prometheus }: ScrapedControlPlane, name: string): Promise<LiveAlert> =>
  waitUntilAlertFires(prometheus, name);

/** Repeats an action until an alert fires. */
async function firesDuring(
  running: ScrapedControlPlane,
  name: string,
  injectFault: () => Promise<unknown>,
): Promise<LiveAlert> {
  const state = { isOver: false };
  const injecting = (async () => {
    while (!state.isOver) await injectFault();
  })();
  try {
    return await fires(running, name);
  } finally {
    state.isOver = true;
    await injecting;
  }
}

describeScraped(
  'alerts of a real Prometheus over a real control plane',
  {
    rules: accelerateRules(ruleFile(), smallClusterThresholds),
    users: [userWithoutSeats, nonExemptUser, saturatingUser],
    apiServerFlags: [
      `--client-ca-file=${authority.certificate}`,
      '--max-requests-inflight=80',
      '--max-mutating-requests-inflight=40',
    ],
    etcdFlags: [`--quota-backend-bytes=${64 * mebibyte}`],
  },
  (running) => {
    test('fires no control plane alert while the control plane is healthy', async () => {
      const { prometheus } = running();
      await waitFor(
        'two scrapes',
        async () => (await prometheus.query('count_over_time(up{job="apiserver"}[1m]) > 8')).length > 0,
      );
      const firing = (await prometheus.alerts())
        .filter(({ state }) => state === 'firing')
        .map(({ labels }) => labels['alertname']);
      // Alerts of components that do not run here.
      const componentsNotRunning = /^(Pinion\w+|KubeControllerManagerDown|KubeSchedulerDown)$/;
      expect(firing.filter((name = '') => !componentsNotRunning.test(name))).toEqual([]);
    }, 120_000);

    test('fires when requests are rejected because no seat is free', async () => {
      const { controlPlane } = running();
      await removeSeats(controlPlane);
      const { labels, annotations } = await firesDuring(running(), 'KubeAPIRequestsRejected', () =>
        sendBurst(controlPlane),
      );
      expect(labels).toMatchObject({ severity: 'warning', owner: 'platform', flow_schema: userWithoutSeats.name });
      expect(annotations['description']).toContain(`requests/s of flow schema ${userWithoutSeats.name} are rejected`);
      expect(annotations['runbook_url']).toBe('docs/runbooks/KubeAPIRequestsRejected.md');
    }, 180_000);

    test('fires when all seats are in use', async () => {
      const seats = await OccupiedSeats.prepare(running().controlPlane);
      try {
        const { labels, annotations } = await firesDuring(running(), 'KubeAPIInflightNearLimit', () => seats.occupy());
        expect(labels).toMatchObject({ severity: 'warning', owner: 'platform' });
        expect(annotations['description']).toMatch(/^(8|9|10)\d(\.\d+)?% of the seats of .* are in use\.$/);
        // Excess requests were rejected, and the webhook that blocked the others is reported too.
        expect(new Set(await seats.occupy())).toEqual(new Set([201, 429]));
        await fires(running(), 'KubeWebhookFailingOpen');
      } finally {
        await seats.stop();
      }
    }, 240_000);

    test('fires on a list storm', async () => {
      const { controlPlane } = running();
      const path = '/api/v1/namespaces/default/configmaps';
      for (let index = 0; index < 400; index++)
        expectStatus(
          await controlPlane.client.request('POST', path, {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: `map-${index}` },
          }),
          [201],
        );
      const { labels } = await firesDuring(running(), 'KubeAPIListStorm', () =>
        Promise.all(
          Array.from({ length: 10 }, () =>
            controlPlane.client.request('GET', path, undefined, { query: { resourceVersion: '0' } }),
          ),
        ),
      );
      expect(labels).toMatchObject({ resource: 'configmaps' });
    }, 240_000);

    test('fires when a client certificate is about to expire', async () => {
      const key = join(folder, 'client.key');
      const csr = join(folder, 'client.csr');
      const certificate = join(folder, 'client.crt');
      openssl('req', '-new', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-subj', '/CN=client', '-out', csr);
      openssl(
        'x509',
        '-req',
        '-in',
        csr,
        '-CA',
        authority.certificate,
        '-CAkey',
        authority.key,
        '-CAcreateserial',
        '-days',
        '3',
        '-out',
        certificate,
      );
      const { url } = running().controlPlane;
      const login = (): Promise<unknown> =>
        new Promise((done, reject) => {
          const options = {
            cert: readFileSync(certificate),
            key: readFileSync(key),
            rejectUnauthorized: false,
            agent: false,
          };
          ask(new URL('/version', url), options, (response) => response.resume().once('end', done))
            .once('error', reject)
            .end();
        }).then(() => new Promise((done) => setTimeout(done, 200)));
      const { labels } = await firesDuring(running(), 'KubeClientCertificateExpiration', login);
      expect(labels).toMatchObject({ severity: 'warning' });
    }, 180_000);

    test('fires when etcd is down', async () => {
      const { controlPlane } = running();
      await controlPlane.part('etcd').kill();
      const { labels } = await fires(running(), 'etcdInsufficientMembers');
      expect(labels).toMatchObject({ severity: 'critical', job: 'etcd' });
      await controlPlane.part('etcd').restart();
      await controlPlane.ready();
    }, 240_000);

    test('fires when etcd reaches its quota', async () => {
      const { client } = running().controlPlane;
      const text = 'x'.repeat(900_000);
      const write = (index: number) =>
        client.request('POST', '/api/v1/namespaces/default/configmaps', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `large-${index}` },
          data: { text },
        });
      let rejected = '';
      for (let index = 0; index < 100 && rejected === ''; index++) {
        const { status, body } = await write(index);
        if (status !== 201) rejected = JSON.stringify(body);
      }
      expect(rejected).toContain('database space exceeded');
      const { prometheus } = running();
      const { labels, annotations } = await waitFor(
        'etcdDatabaseQuotaLowSpace to be critical',
        async () =>
          (await prometheus.alerts()).find(
            (alert) =>
              alert.labels['alertname'] === 'etcdDatabaseQuotaLowSpace' &&
              alert.labels['severity'] === 'critical' &&
              alert.state === 'firing',
          ),
        { timeout: 120_000, interval: 500 },
      );
      expect(labels).toMatchObject({ owner: 'platform' });
      expect(annotations['description']).toMatch(/^The database of .* uses (9[5-9]|10\d)(\.\d+)?% of its quota\.$/);
    }, 300_000);
  },
);
