import { type ManifestInput } from '../../lib/api';
import { quotaMonitorManifests } from '../../lib/programs';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { runMonitor, type MonitorRun } from '../quota/run-monitor';
import { startReceiver, type HttpReceiver } from '../quota/receiver';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';

const namespace = 'pinion-quota';
const project = 'shop';
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

describePinion('the quota monitor on a cluster', (pinion) => {
  let receiver: HttpReceiver;
  let kubeconfig = '';
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  /** Runs the packaged quota monitor once with the RBAC permissions of its service account. */
  async function runOnce(): Promise<MonitorRun> {
    const result = await runMonitor({
      KUBECONFIG: kubeconfig,
      PINION_PROJECT: namespace,
      QUOTA_WEBHOOK_URL: new URL('/hook/SECRET', receiver.url).href,
      QUOTA_WEBHOOK_TOKEN: 'SECRET',
    });
    expect(JSON.stringify(result.log)).not.toContain('SECRET');
    return result;
  }

  const object = async (
    kind: string,
    inNamespace: string,
    name: string,
  ): Promise<Record<string, unknown> | undefined> => {
    const apiVersion = kind === 'CronJob' ? 'batch/v1' : 'v1';
    const response = await pinion().cluster.client.get({
      apiVersion,
      kind,
      metadata: { name, namespace: inNamespace },
    });
    return response.status === 200 ? (response.body as Record<string, unknown>) : undefined;
  };
  const usedPods = async (): Promise<string | undefined> => {
    const quota = (await object('ResourceQuota', project, 'project')) as { status?: { used?: { pods?: string } } };
    return quota?.status?.used?.pods;
  };
  const notices = () =>
    receiver.received.flatMap(({ body }) =>
      (JSON.parse(body) as { alerts: { resource: string; state: string; used: string }[] }).alerts.map(
        ({ resource, state, used }) => `${resource} ${state} ${used}`,
      ),
    );
  const scaleTo = async (replicas: number): Promise<void> => {
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

  test('the API server accepts its manifests, and the controller creates a CronJob', async () => {
    for (const one of quotaMonitorManifests({ image: 'registry.example.com/pinion/quota:1.0.0' })) {
      expectStatus(await pinion().cluster.client.apply(one as SendableObject), [200, 201]);
      if (one.kind === 'Project') await pinion().ready('Project', '', namespace);
    }
    const created = await waitFor('the CronJob', () => object('CronJob', namespace, 'quota-monitor'), {
      timeout: 60_000,
    });
    expect(created['spec']).toMatchObject({ schedule: '*/10 * * * *', concurrencyPolicy: 'Forbid' });
    const token = await pinion().cluster.serviceAccountToken(namespace, 'quota-monitor');
    kubeconfig = pinion().cluster.kubeconfigFor({ token });
  }, 120_000);

  test('the first run records the usage that the API server counts, and sends no notice below the threshold', async () => {
    const hours = { days: [...days], from: '00:00', to: '00:00' };
    await pinion().project(project, { quota: { pods: '10' }, businessHours: hours, onCall: '#shop' });
    await scaleTo(8);
    const { code, log } = await runOnce();
    expect([code, log.filter(({ level }) => level === 'error')]).toEqual([0, []]);
    expect(notices()).toEqual([]);
    const history = (await object('ConfigMap', namespace, 'quota-usage-shop')) as { data: { 'usage.json': string } };
    expect(JSON.parse(history.data['usage.json'])).toMatchObject({
      usage: [{ project, days: [{ peaks: { pods: '8', 'requests.cpu': expect.any(String) as string } }] }],
    });
    // System namespaces have no quota here and are listed.
    expect(log.at(-1)).toMatchObject({ notified: 0, unlimited: expect.arrayContaining(['kube-system']) as string[] });
  }, 180_000);

  test('the webhook notifies owners once per state', async () => {
    await scaleTo(9);
    expect((await runOnce()).code).toBe(0);
    expect((await runOnce()).code).toBe(0);
    expect(notices()).toEqual(['pods filling 9']);
    await scaleTo(10);
    expect((await runOnce()).code).toBe(0);
    expect((await runOnce()).code).toBe(0);
    expect(notices()).toEqual(['pods filling 9', 'pods full 10']);
    expect(receiver.received[0]).toMatchObject({ path: '/hook/SECRET', authorization: 'Bearer SECRET' });
  }, 240_000);

  test('the webhook notifies owners once after a larger quota resolves it', async () => {
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
    expect((await runOnce()).code).toBe(0);
    expect((await runOnce()).code).toBe(0);
    expect(notices()).toEqual(['pods filling 9', 'pods full 10', 'pods recovered 10']);
  }, 180_000);

  test('an unavailable receiver fails the run with an error without its URL, and no notice is lost', async () => {
    await scaleTo(19);
    await receiver.close();
    const failed = await runOnce();
    expect(failed.code).toBe(1);
    expect(failed.log).toContainEqual(
      expect.objectContaining({ failure: 'shop: the webhook cannot be reached (ECONNREFUSED)' }),
    );
    receiver = await startReceiver();
    expect((await runOnce()).code).toBe(0);
    expect(notices()).toEqual(['pods nearly-full 19']);
  }, 240_000);
});
