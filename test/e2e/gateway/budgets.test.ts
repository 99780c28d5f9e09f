import { Registry } from 'prom-client';
import { apiVersion, crdOf } from '../../../lib/api';
import { expectStatus } from '../../control-plane/api-response';
import { type SendableObject } from '../../control-plane/client';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { PodChurn } from './pod-churn';
import { SeededRandom } from '../chaos/seeded-random';
import { allowReads, type Answer, audience, gatewayToken, TestGateway } from './test-gateway';

const budget = { requestsPerSecond: 20, concurrentRequests: 10, bytesPerSecond: 2 ** 30 };

describeControlPlane('budgets of the gateway', (controlPlane) => {
  const registry = new Registry();
  let gateway: TestGateway;
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    for (const name of ['noisy', 'quiet']) {
      tokens[name] = await gatewayToken(controlPlane(), name);
      await allowReads(controlPlane(), name, ['get', 'list', 'watch']);
    }
    for (const kind of ['Project', 'Platform'] as const)
      await controlPlane().client.createCrd(crdOf(kind) as unknown as SendableObject);
    const pods = [{ group: '', version: 'v1', plural: 'pods' }];
    const budgets = { project: { ...budget, requestsPerSecond: 1_000 }, serviceAccount: budget, user: budget };
    gateway = await TestGateway.start(controlPlane(), pods, { budgets, registry });
    await new PodChurn(controlPlane().client, new SeededRandom(1).fork('none')).prepare();
    await waitFor('the role', async () => (await list('quiet')).headers['pinion-cache-age'] !== undefined);
  }, 60_000);
  afterAll(() => gateway.stop());

  const list = (name: string, version = 'resourceVersion=0'): Promise<Answer> =>
    gateway.get(`/api/v1/pods?${version}`, tokens[name]);

  test('a noisy client stays in its own, and all requests of others succeed', async () => {
    const statuses = new Map<string, Map<number, number>>();
    const retries = new Set<unknown>();
    const stopAt = Date.now() + 5_000;
    /** Reads without a pause, from the cache and from the API server, until the time is over. */
    const poll = async (name: string, pause: number, version?: string): Promise<void> => {
      const counts = statuses.get(name) ?? new Map<number, number>();
      statuses.set(name, counts);
      while (Date.now() < stopAt) {
        const { status, headers, body } = await list(name, version);
        counts.set(status, (counts.get(status) ?? 0) + 1);
        if (status === 429) retries.add(headers['retry-after']);
        if (status === 429) expect(body).toMatchObject({ kind: 'Status', code: 429, reason: 'TooManyRequests' });
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      }
    };
    const startedAt = Date.now();
    await Promise.all([
      ...Array.from({ length: 4 }, () => poll('noisy', 0)),
      ...Array.from({ length: 4 }, () => poll('noisy', 0, '')),
      poll('quiet', 100),
    ]);
    const seconds = (Date.now() - startedAt) / 1_000;
    const noisy = statuses.get('noisy');
    // Twice the rate may come at once.
    expect(noisy?.get(200)).toBeGreaterThanOrEqual(40);
    expect(noisy?.get(200)).toBeLessThanOrEqual(Math.ceil(budget.requestsPerSecond * (seconds + 2)));
    expect([...(noisy?.keys() ?? [])].sort()).toEqual([200, 429]);
    expect([...retries]).toEqual(['1']);
    expect([...(statuses.get('quiet')?.keys() ?? [])]).toEqual([200]);
  }, 60_000);

  test('are in the metrics: who was limited, and what each client costs', async () => {
    const text = await registry.metrics();
    const valueOf = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
    expect(
      valueOf(
        /rejected_requests_total\{project="default",account="noisy",user_agent="",level="workloads",scope="serviceAccount",limit="requestsPerSecond"\} (\d+)/,
      ),
    ).toBeGreaterThan(0);
    expect(text).not.toMatch(/rejected_requests_total\{[^}]*account="quiet"/);
    for (const from of ['cache', 'proxied'])
      expect(
        valueOf(
          new RegExp(
            `requests_total\\{project="default",account="noisy",user_agent="",resource="pods",verb="list",served_from="${from}",code="200"\\} (\\d+)`,
          ),
        ),
      ).toBeGreaterThan(0);
    expect(valueOf(/cache_objects\{resource="pods"\} (\d+)/)).toBe(gateway.gateway.caches.get('pods')?.size);
    expect(valueOf(/cache_age_seconds\{resource="pods"\} ([\d.]+)/)).toBeGreaterThan(0);
  });

  const applyProject = async (apiBudget: object): Promise<void> => {
    const spec = { team: 'shop', apiBudget };
    const project = { apiVersion, kind: 'Project', metadata: { name: 'shop' }, spec };
    expectStatus(await controlPlane().client.apply(project), [200, 201]);
  };
  /** Creates a service account of the project, which may read; returns its token. */
  const tokenOfProject = async (): Promise<string> => {
    const { client } = controlPlane();
    const [namespace, name] = ['shop', 'cart'];
    const rbac = 'rbac.authorization.k8s.io';
    const subjects = [{ kind: 'ServiceAccount', name, namespace }];
    const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'reads-of-quiet' };
    for (const object of [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
      { apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'shop-reads' }, roleRef, subjects },
    ])
      expectStatus(await client.apply(object as SendableObject), [200, 201]);
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [audience] } };
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
    const response = expectStatus(await client.request('POST', path, body), [201]);
    return (response.body as { readonly status: { readonly token: string } }).status.token;
  };
  const statusesOf = async (count: number): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: count }, () => list('cart')));
    return answers.map(({ status }) => status);
  };

  test('a Project changes those of its accounts, and of all together, while the gateway runs', async () => {
    const large = { requestsPerSecond: 1_000, concurrentRequests: 100 };
    tokens['cart'] = await tokenOfProject();
    await waitFor('the role', async () => (await list('cart')).headers['pinion-cache-age'] !== undefined);
    await applyProject({ serviceAccount: { requestsPerSecond: 1 } });
    await waitFor('the small budget', async () => (await statusesOf(5)).includes(429));
    await applyProject({ concurrentRequests: 100, serviceAccount: large });
    await waitFor('the large budget', async () => (await statusesOf(60)).every((status) => status === 200));
    await applyProject({ concurrentRequests: 100, bytesPerSecond: '1Ki', serviceAccount: large });
    await waitFor('the budget of the project', async () => (await statusesOf(20)).includes(429));
    const { body } = await list('cart');
    expect(body).toMatchObject({
      code: 429,
      message: expect.stringContaining('Project "shop" exceeds its API budget of 1024 bytes per second') as string,
    });
  }, 60_000);

  test('is rejected by the API server if it is not one', async () => {
    const spec = { team: 'platform', apiBudget: { requestsPerSecond: 0, bytesPerSecond: '0Mi' } };
    const project = { apiVersion, kind: 'Project', metadata: { name: 'wrong' }, spec };
    const { body } = expectStatus(await controlPlane().client.apply(project), [422]);
    // In any order.
    for (const field of ['bytesPerSecond', 'requestsPerSecond'])
      expect((body as { readonly message: string }).message).toContain(`spec.apiBudget.${field}: Invalid value`);
  });
});
