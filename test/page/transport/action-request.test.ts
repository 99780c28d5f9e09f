import { type ActionRequest, prepareAction, sendAction } from '../../../lib/page/transport/action-request';
import { type Outcome, type PageTransport, type RequestFailure } from '../../../lib/page/transport/page-transport';

/** A transport with the given outcomes in turn, which records requests. */
function fakeTransport(outcomes: readonly Outcome<string>[]) {
  const sent: unknown[][] = [];
  const post = async (...args: unknown[]) => {
    sent.push(args);
    return outcomes[sent.length - 1] ?? outcomes.at(-1);
  };
  return { sent, transport: { post } as unknown as PageTransport };
}

const unreachable: Outcome<string> = { ok: false, failed: { kind: 'unreachable' } };
const rejected = (status: number, retryAfter?: number): Outcome<string> => {
  const failure = { type: 'about:blank', title: 'No', status };
  const failed: RequestFailure = { kind: 'rejected', failure, ...(retryAfter !== undefined && { retryAfter }) };
  return { ok: false, failed };
};
const request: ActionRequest = { path: '/v1/deployments', body: { stage: 'prod' }, key: 'key-0001' };

async function run(outcomes: readonly Outcome<string>[], action = request) {
  const delays: number[] = [];
  const { sent, transport } = fakeTransport(outcomes);
  const wait = async (milliseconds: number): Promise<void> => void delays.push(milliseconds);
  return { outcome: await sendAction<string>(transport, action, wait, () => 0), sent, delays };
}

test('a request without a response is retried with the same key, with exponential back-off', async () => {
  const { outcome, sent, delays } = await run([unreachable, rejected(503), { ok: true, value: 'done' }]);
  expect(outcome).toEqual({ ok: true, value: 'done' });
  expect(sent.map(([, , key]) => key)).toEqual(['key-0001', 'key-0001', 'key-0001']);
  expect(delays).toEqual([500, 1000]);
});

test('a short Retry-After is respected, and a long one is reported instead', async () => {
  expect((await run([rejected(429, 7), { ok: true, value: 'done' }])).delays).toEqual([7000]);
  const long = await run([rejected(429, 3600)]);
  expect(long.outcome).toEqual(rejected(429, 3600));
  expect(long.sent).toHaveLength(1);
});

test('rejected requests and those without a key are not retried, and retries end', async () => {
  expect((await run([rejected(403)])).sent).toHaveLength(1);
  expect((await run([unreachable], { path: '/v1/approvals', body: {} })).sent).toHaveLength(1);
  expect((await run([unreachable])).sent).toHaveLength(4);
});

test('an action keeps its key while its outcome is unknown, and another action gets a new key', () => {
  const same = prepareAction(request, request.path, { stage: 'prod' }, () => 'key-0002');
  expect(same.key).toBe('key-0001');
  expect(prepareAction(request, request.path, { stage: 'staging' }, () => 'key-0002').key).toBe('key-0002');
  expect(prepareAction(undefined, request.path, request.body, () => 'key-0002').key).toBe('key-0002');
  expect(prepareAction(undefined, '/v1/approvals', {}).key).toBeUndefined();
});
