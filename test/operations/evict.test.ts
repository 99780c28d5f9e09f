import { type LiveObject } from '../../lib/kube';
import { evictPods } from '../../lib/operations';
import { sendJson, sendStatus } from '../kube/scripted-server';
import { clientOf, serve } from '../kube/client-fixture';

const pod = (name: string): LiveObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion: '1' },
});

const budgetCause = {
  causes: [
    { reason: 'DisruptionBudget', message: 'The disruption budget cart needs 2 healthy pods and has 2 currently' },
  ],
};

test('evicts each pod once, by its uid, and returns rejections by a budget', async () => {
  const server = await serve(({ url }, response) => {
    if (url.includes('/cart/'))
      sendJson(response, 429, {
        kind: 'Status',
        status: 'Failure',
        code: 429,
        reason: 'TooManyRequests',
        message: 'Cannot evict pod as it would violate the pod disruption budget.',
        details: budgetCause,
      });
    else if (url.includes('/gone/')) sendStatus(response, 404, 'NotFound');
    else if (url.includes('/recreated/')) sendStatus(response, 409, 'Conflict');
    else if (url.includes('/twice/'))
      sendStatus(
        response,
        500,
        'InternalError',
        {},
        'This pod has more than one PodDisruptionBudget, which is not supported.',
      );
    else sendJson(response, 201, { kind: 'Status', status: 'Success' });
  });
  const pods = ['free', 'cart', 'gone', 'recreated', 'twice'].map(pod);
  expect(await evictPods(clientOf(server), pods)).toEqual([
    { namespace: 'shop', name: 'cart', reason: budgetCause.causes[0]?.message },
    { namespace: 'shop', name: 'twice', reason: expect.stringContaining('more than one') as unknown },
  ]);
  expect(server.seen.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(
    pods.map(({ metadata }) => `POST /api/v1/namespaces/shop/pods/${metadata.name}/eviction`).sort(),
  );
  const free = server.seen.find(({ url }) => url.includes('/free/'));
  expect(JSON.parse(free?.body ?? '')).toMatchObject({
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    deleteOptions: { preconditions: { uid: 'uid-free' } },
  });
});

test('throws a permanent failure', async () => {
  const server = await serve((_, response) => sendStatus(response, 403, 'Forbidden'));
  await expect(evictPods(clientOf(server), [pod('free')])).rejects.toMatchObject({ status: 403 });
});
