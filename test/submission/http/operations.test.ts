import { operations } from '../../../lib/contract';
import { ProblemResponse } from '../../../lib/submission/problem-response';
import { callerNamed } from './known-names';
import { startTestServer } from './test-server';
import { preview, deployment, deploymentId } from './recording-service';

const deployRequest = { artifact: 'shop/cart@1.4.2', stage: 'prod' };
const ana = callerNamed('ana');

test('every operation calls the service method with its name and its parsed input', async () => {
  const { sendRequest, post, service } = await startTestServer();
  const statuses = [
    await sendRequest('/v1/me'),
    await sendRequest('/v1/projects?limit=7&after=there'),
    await sendRequest('/v1/rollouts?limit=2'),
    await sendRequest('/v1/workloads?project=shop&target=blue'),
    await sendRequest('/v1/projects/shop/workloads/blue/PinterestService/cart'),
    await sendRequest('/v1/projects/shop/versions?workflow=cart'),
    await post('/v1/previews', deployRequest),
    await post('/v1/deployments', deployRequest),
    await post('/v1/rollbacks', { project: 'shop', workflow: 'cart', stage: 'prod' }),
    await post(`/v1/deployments/${deploymentId}/cancel`, {}),
    await post('/v1/approvals', deployRequest),
    await sendRequest('/v1/deployments?stage=prod'),
    await sendRequest(`/v1/deployments/${deploymentId}`),
    await sendRequest(`/v1/deployments/${deploymentId}/diff`),
    await sendRequest(`/v1/deployments/${deploymentId}/events`),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 202, 202, 200, 201, 200, 200, 200, 200]);
  const idempotentRequest = { caller: ana, idempotencyKey: 'key-of-a-test' };
  expect(service.calls).toEqual([
    ['projects', ana, { limit: 7, after: 'there' }],
    ['rollouts', ana, { limit: 2 }],
    ['workloads', ana, { limit: 100, project: 'shop', target: 'blue' }],
    ['workload', ana, { project: 'shop', target: 'blue', kind: 'PinterestService', name: 'cart' }],
    ['versions', ana, { limit: 100, workflow: 'cart', project: 'shop' }],
    ['preview', ana, deployRequest],
    ['deploy', idempotentRequest, deployRequest],
    ['rollBack', idempotentRequest, { project: 'shop', workflow: 'cart', stage: 'prod' }],
    ['cancel', ana, deploymentId],
    ['approve', ana, deployRequest],
    ['deployments', ana, { limit: 100, stage: 'prod' }],
    ['deployment', ana, deploymentId],
    ['diff', ana, deploymentId],
    ['follow', ana, deploymentId, 0, { caller: ana, signal: expect.any(AbortSignal) }].map((each, index) =>
      index === 4 ? { signal: expect.any(AbortSignal) } : each,
    ),
  ]);
});

test('responses are those of the service, and match the schema of their operation', async () => {
  const { sendRequest, post } = await startTestServer();
  expect(await (await sendRequest('/v1/me')).json()).toEqual(ana);
  const deployed = await post('/v1/deployments', deployRequest);
  expect(deployed.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(operations.deploy.response.schema.parse(await deployed.json())).toEqual(deployment);
  const listed = await (await sendRequest('/v1/deployments')).json();
  expect(operations.deployments.response.schema.parse(listed)).toEqual({ items: [deployment], next: 'more' });
});

test('HEAD gets the response to GET without a body, and a stream has no HEAD', async () => {
  const { sendRequest } = await startTestServer();
  const head = await sendRequest('/v1/me', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await sendRequest('/v1/changes', { method: 'HEAD' })).status).toBe(405);
});

test('a cancel needs no body', async () => {
  const { sendRequest } = await startTestServer();
  expect((await sendRequest(`/v1/deployments/${deploymentId}/cancel`, { method: 'POST' })).status).toBe(200);
});

test('a rejection becomes its status with problems, quantities and Retry-After', async () => {
  const problem = { code: 'not-available' as const, path: ['stage'], reason: 'is not a stage', remedy: 'use prod' };
  const { post } = await startTestServer({
    deploy: () =>
      Promise.reject(
        new ProblemResponse(409, {
          title: 'Insufficient quota',
          detail: 'Six cores exceed the quota.',
          problems: [problem],
          preview,
          retryAfter: 1.2,
        }),
      ),
  });
  const response = await post('/v1/deployments', deployRequest);
  expect([response.status, response.headers.get('retry-after')]).toEqual([409, '2']);
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(await response.json()).toEqual({
    type: 'about:blank',
    title: 'Insufficient quota',
    status: 409,
    detail: 'Six cores exceed the quota.',
    problems: [problem],
    preview,
  });
});

test('an internal error is reported with an ID that is also in the log, without its message', async () => {
  const cause = new Error('the password is hunter2');
  const { sendRequest, errors } = await startTestServer({
    projects: () => Promise.reject(new Error('secret-of-a-fault', { cause })),
    deployment: () => {
      throw new TypeError('secret-of-a-fault');
    },
  });
  for (const path of ['/v1/projects', `/v1/deployments/${deploymentId}`]) {
    const response = await sendRequest(path);
    const id = response.headers.get('x-request-id');
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).toContain(id);
    expect(text).not.toMatch(/secret|hunter2|at \w/);
    expect(errors.pop()?.fields).toMatchObject({ id, error: expect.stringContaining('secret-of-a-fault') });
  }
});

test('a response that exceeds the deadline is a retryable 503', async () => {
  const { post } = await startTestServer(
    { deploy: () => new Promise(() => undefined) },
    { limits: { responseTimeoutMs: 50 } },
  );
  const response = await post('/v1/deployments', deployRequest);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
});
