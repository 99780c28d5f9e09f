import { type ManifestInput } from '../../lib/api';
import { quotaMonitorManifests } from '../../lib/programs';
import { expectStatus } from '../control-plane/answer';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { runMonitor, type MonitorRun } from '../quota/run-monitor';
import { startReceiver, type HttpReceiver } from '../quota/receiver';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';

const namespace = 'pinion-quota';
const project = 'shop';
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

describePinion('quotas watched on a cluster', (pinion) => {
  let receiver: HttpReceiver;
  let kubeconfig = '';
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  /** The watcher as it ships, with the rights of its service account only. */
  async function pass(): Promise<MonitorRun> {
    const done = await runMonitor({
      KUBECONFIG: kubeconfig,
      PINION_PROJECT: namespace,
      QUOTA_WEBHOOK_URL: new URL('/hook/SECRET', receiver.url).href,
      QUOTA_WEBHOOK_TOKEN: 'SECRET',
    });
    expect(JSON.stringify(done.log)).not.toContain('SECRET');
    return done;
  }

  const object = async (kind: string, place: string, name: string): Promise<Record<string, unknown> | undefined> => {
    const apiVersion = kind === 'CronJob' ? 'batch/v1' : 'v1';
    const found = await pinion().cluster.client.get({ apiVersion, kind, metadata: { name, namespace: place } });
    return found.status === 200 ? (found.body as Record<string, unknown>) : undefined;
  };
  const usedPods = async (): Promise<string | undefined> => {
    const quota = (await object('ResourceQuota', project, 'project')) as { status?: { used?: { pods?: string } } };
    return quota?.status?.used?.pods;
  };
  const told = () =>
    receiver.received.flatMap(({ body }) =>
      (JSON.parse(body) as { alerts: { resource: string; state: string; used: string }[] }).alerts.map(
        ({ resource, state, used }) => `${resource} ${state} ${used}`,
      ),
    );
  const run = async (replicas: number): Promise<void> => {
    await pinion().apply(
      workloadOf('PinterestService', project, 'cart', {
        replicas,
        template: smallTemplate() as ManifestInput<'PinterestService'>['spec']['template'],
      }),
    );
    await waitFor('the pods to be counted', async () => ((await usedPods()) === `${replicas}` ? true : undefined), {
      timeout: 90_000,
      interval: 200,
    });
  };

  test('its objects are taken by the API server, and the controller makes a CronJob of them', async () => {
    for (const one of quotaMonitorManifests({ image: 'registry.example.com/pinion/quota:1.0.0' })) {
      expectStatus(await pinion().cluster.client.applyForReal(one as SendableObject), [200, 201]);
      if (one.kind === 'Project') await pinion().ready('Project', '', namespace);
    }
    const made = await waitFor('the CronJob', () => object('CronJob', namespace, 'quota-monitor'), { timeout: 60_000 });
    expect(made['spec']).toMatchObject({ schedule: '*/10 * * * *', concurrencyPolicy: 'Forbid' });
    const token = await pinion().cluster.serviceAccountToken(namespace, 'quota-monitor');
    kubeconfig = pinion().cluster.kubeconfigFor({ token });
  }, 120_000);

  test("a first pass keeps the API server's own count, and tells nobody of a quota with room", async () => {
    const hours = { days: [...days], from: '00:00', to: '00:00' };
    await pinion().project(project, { quota: { pods: '10' }, businessHours: hours, onCall: '#shop' });
    await run(8);
    const { code, log } = await pass();
    expect([code, log.filter(({ level }) => level === 'error')]).toEqual([0, []]);
    expect(told()).toEqual([]);
    const history = (await object('ConfigMap', namespace, 'quota-usage-shop')) as { data: { 'usage.json': string } };
    expect(JSON.parse(history.data['usage.json'])).toMatchObject({
      usage: [{ project, days: [{ peaks: { pods: '8', 'requests.cpu': expect.any(String) as string } }] }],
    });
    // Namespaces of the system have no quota here, and are named.
    expect(log.at(-1)).toMatchObject({ told: 0, unlimited: expect.arrayContaining(['kube-system']) as string[] });
  }, 180_000);

  test('owners are told once of each state, by the webhook', async () => {
    await run(9);
    expect((await pass()).code).toBe(0);
    expect((await pass()).code).toBe(0);
    expect(told()).toEqual(['pods filling 9']);
    await run(10);
    expect((await pass()).code).toBe(0);
    expect((await pass()).code).toBe(0);
    expect(told()).toEqual(['pods filling 9', 'pods full 10']);
    expect(receiver.received[0]).toMatchObject({ path: '/hook/SECRET', authorization: 'Bearer SECRET' });
  }, 240_000);

  test('and once that a larger quota made it fine', async () => {
    await pinion().project(project, {
      quota: { pods: '20' },
      onCall: '#shop',
      businessHours: { days: [...days], from: '00:00', to: '00:00' },
    });
    await waitFor(
      'the larger quota',
      async () => {
        const quota = (await object('ResourceQuota', project, 'project')) as { spec?: { hard?: { pods?: string } } };
        return quota?.spec?.hard?.pods === '20' ? true : undefined;
      },
      { timeout: 60_000 },
    );
    expect((await pass()).code).toBe(0);
    expect((await pass()).code).toBe(0);
    expect(told()).toEqual(['pods filling 9', 'pods full 10', 'pods recovered 10']);
  }, 180_000);

  test('a receiver that is away fails the pass, which says so without its URL, and nothing is lost', async () => {
    await run(19);
    await receiver.close();
    const failed = await pass();
    expect(failed.code).toBe(1);
    expect(failed.log).toContainEqual(
      expect.objectContaining({ failure: 'shop: the webhook cannot be reached (ECONNREFUSED)' }),
    );
    receiver = await startReceiver();
    expect((await pass()).code).toBe(0);
    expect(told()).toEqual(['pods nearly-full 19']);
  }, 240_000);
});
