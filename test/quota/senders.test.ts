import { type Message } from '../../lib/quota/message';
import { alertmanagerSender, webhookSender } from '../../lib/quota/senders';
import { startReceiver, type HttpReceiver } from './receiver';

const message: Message = {
  id: 'shop/pods/full/2026-01-05T08:00:00.000Z',
  project: 'shop',
  team: 'commerce',
  onCall: '#shop',
  resource: 'pods',
  state: 'full',
  used: '50',
  quota: '50',
  percent: 100,
  fullOn: '2026-01-05',
  earliest: undefined,
  latest: undefined,
  at: '2026-01-05T08:00:00.000Z',
  text: 'The quota of pods in project shop is full.',
};

let receiver: HttpReceiver | undefined;
afterEach(() => receiver?.close());

test('a webhook gets one request per project, with the token as a header', async () => {
  receiver = await startReceiver();
  await webhookSender({ url: receiver.url, token: 'hush' }).send([message, { ...message, resource: 'requests.cpu' }]);
  expect(receiver.received).toMatchObject([{ method: 'POST', authorization: 'Bearer hush' }]);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    project: 'shop',
    onCall: '#shop',
    alerts: [{ resource: 'pods', state: 'full', id: message.id }, { resource: 'requests.cpu' }],
  });
});

test('Alertmanager gets alerts by API version 2 that end after an hour', async () => {
  receiver = await startReceiver();
  await alertmanagerSender({ url: new URL('alerts/', receiver.url) }).send([message]);
  expect(receiver.received).toMatchObject([
    { method: 'POST', path: '/alerts/api/v2/alerts', authorization: undefined },
  ]);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual([
    {
      labels: {
        alertname: 'ProjectQuota',
        project: 'shop',
        namespace: 'shop',
        team: 'commerce',
        resource: 'pods',
        state: 'full',
        severity: 'critical',
      },
      annotations: {
        summary: message.text,
        used: '50',
        quota: '50',
        onCall: '#shop',
        fullOn: '2026-01-05',
      },
      startsAt: '2026-01-05T08:00:00.000Z',
      endsAt: '2026-01-05T09:00:00.000Z',
    },
  ]);
});

describe('a failure includes its reason and no part of the URL', () => {
  const attempt = async (url: URL, timeout = 5000): Promise<string> => {
    const secret = new URL('/services/T0/SECRET?key=SECRET', url);
    secret.username = 'SECRET';
    const error: unknown = await webhookSender({ url: secret, token: 'SECRET', timeout })
      .send([message])
      .catch((reason: unknown) => reason);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error as object))).not.toContain('SECRET');
    return (error as Error).message;
  };

  test('if the receiver rejects it', async () => {
    receiver = await startReceiver((_, response) => void response.writeHead(403).end('no'));
    expect(await attempt(receiver.url)).toBe('the webhook responded with status 403');
  });

  test('if the receiver redirects it', async () => {
    receiver = await startReceiver((_, response) => void response.writeHead(302, { location: '/else' }).end());
    expect(await attempt(receiver.url)).toBe('the webhook responded with status 302');
    expect(receiver.received).toHaveLength(1);
  });

  test('if the receiver never responds', async () => {
    receiver = await startReceiver(() => undefined);
    expect(await attempt(receiver.url, 100)).toBe('the webhook did not respond within 100 ms');
  });

  test('if the response never ends', async () => {
    receiver = await startReceiver((_, response) => {
      response.writeHead(200);
      response.write('x'.repeat(100_000));
    });
    expect(await attempt(receiver.url)).toBe('the webhook responded with more than 65536 bytes');
  });

  test('if the receiver is unreachable', async () => {
    const gone = await startReceiver();
    await gone.close();
    expect(await attempt(gone.url)).toBe('the webhook cannot be reached (ECONNREFUSED)');
  });
});
