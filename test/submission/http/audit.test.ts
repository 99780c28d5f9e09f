import { ProblemResponse } from '../../../lib/submission/problem-response';
import { waitFor } from '../../control-plane/wait-for';
import { startTestServer } from './test-server';
import { deployment, deploymentId } from './recording-service';

const validRequest = { artifact: 'shop/cart@1.4.2', stage: 'prod' };
const marker = 'planted-marker-7f3a';

test('each write request writes one audit line with caller, object and result, even if it fails', async () => {
  const { post, sendRequest, audit } = await startTestServer({
    rollBack: () => Promise.reject(new ProblemResponse(409, { title: 'Conflict' })),
    approve: () => Promise.reject(new Error('broken')),
  });
  const ids: (string | null)[] = [];
  const send = async (path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<void> => {
    ids.push((await post(path, body, headers)).headers.get('x-request-id'));
  };
  await send('/v1/deployments', { ...validRequest, breakGlass: 'the shop is down' });
  await send('/v1/rollbacks', { project: 'shop', workflow: 'cart', stage: 'prod', version: '1.4.1' });
  await send(`/v1/deployments/${deploymentId}/cancel`, {});
  await send('/v1/approvals', validRequest);
  await send('/v1/deployments', { artifact: marker });
  await send('/v1/deployments', validRequest, { authorization: 'Bearer nobody' });
  await post('/v1/previews', validRequest);
  await sendRequest('/v1/projects');
  await waitFor('the lines', async () => audit.length >= 6, { interval: 5 });
  const ana = { subject: 'ana', issuer: 'https://login.example.com', by: 'bearer', address: '127.0.0.1' };
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  const shop = { project: 'shop', stage: 'prod' };
  const artifact = 'shop/cart@1.4.2';
  const deploymentOf = { deployment: deploymentId };
  expect(audit).toEqual(
    [
      { operation: 'deploy', status: 202, ...ana, ...shop, artifact, breakGlass: 'the shop is down', ...deploymentOf },
      { operation: 'rollBack', status: 409, ...ana, ...shop, workflow: 'cart', version: '1.4.1' },
      { operation: 'cancel', status: 200, ...ana, ...deploymentOf },
      { operation: 'approve', status: 500, ...ana, ...shop, artifact },
      { operation: 'deploy', status: 400, ...ana },
      { operation: 'deploy', status: 401, address: '127.0.0.1' },
    ].map((line, index) => ({ time, id: ids[index], ...line })),
  );
});

test('the result of a request is recorded even if its client has disconnected', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const { sendRequest, audit, service } = await startTestServer({ deploy: () => finished.then(() => deployment) });
  const disconnect = new AbortController();
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'key-of-a-test' };
  const init = { method: 'POST', body: JSON.stringify(validRequest), headers, signal: disconnect.signal };
  const pending = sendRequest('/v1/deployments', init).catch(() => undefined);
  await waitFor('the deployment', async () => service.names.includes('deploy'), { interval: 5 });
  disconnect.abort();
  await pending;
  expect(audit).toEqual([]);
  finish();
  await waitFor('the line', async () => audit.length > 0, { interval: 5 });
  expect(audit).toEqual([expect.objectContaining({ operation: 'deploy', status: 202, deployment: deploymentId })]);
});

test('no line, log or metric contains potential secrets: tokens, cookies, headers, unknown fields', async () => {
  const { post, sendRequest, audit, errors, statusUrl } = await startTestServer({
    preview: () => Promise.reject(new Error('broken')),
  });
  const secret = { authorization: `Bearer ${marker}`, cookie: `session=${marker}`, 'x-api-key': marker };
  await post('/v1/deployments', validRequest, secret);
  await post(`/v1/deployments?token=${marker}`, { ...validRequest, password: marker }, { 'idempotency-key': marker });
  await post('/v1/previews', validRequest, { 'x-api-key': marker });
  await sendRequest(`/${marker}`);
  await waitFor('the lines', async () => audit.length >= 2, { interval: 5 });
  const metrics = await (await fetch(`${statusUrl}/metrics`)).text();
  expect(errors).toHaveLength(1);
  expect(JSON.stringify([audit, errors, metrics])).not.toContain(marker);
});
