import { address, type PageResponse, createExchange, mayRepeat, type PageRequest } from '../../lib/page/page-transport';
import { listAll } from '../../lib/page/list-all';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): PageResponse => ({
  status,
  ok: status < 400,
  headers: { get: (name) => headers[name] ?? null },
  json: async () => {
    if (body === undefined) throw new SyntaxError('no JSON');
    return body;
  },
});

test('a list is read page by page to its end', async () => {
  const asked: string[] = [];
  const exchange = createExchange(async (path) => {
    asked.push(path);
    const after = new URL(path, 'http://x').searchParams.get('after');
    return answer(200, after === 'b&c' ? { items: [3] } : { items: [1, 2], next: 'b&c' });
  });
  const taken: number[] = [];
  const stopped = await listAll<number>(
    exchange,
    '/v1/workloads',
    (items) => taken.push(...items),
    new AbortController().signal,
  );
  expect(stopped).toBeUndefined();
  expect(taken).toEqual([1, 2, 3]);
  expect(asked).toEqual(['/v1/workloads?limit=1000', '/v1/workloads?limit=1000&after=b%26c']);
});

test('an error response is reported with all its problems, distinct from no response and no session', async () => {
  const problems = [{ code: 'required', path: ['stage'], reason: 'It is missing', remedy: 'Give it' }];
  const exchange = createExchange(async (path) => {
    if (path === '/lost') throw new TypeError('network');
    if (path === '/out') return answer(401, {});
    if (path === '/proxy') return answer(502, undefined, { 'retry-after': '5' });
    return answer(422, { type: 'about:blank', title: 'It cannot be', status: 422, problems });
  });
  expect(await exchange.get('/lost')).toEqual({ ok: false, failed: { kind: 'unreachable' } });
  expect(await exchange.get('/out')).toEqual({ ok: false, failed: { kind: 'signed-out' } });
  expect(await exchange.get('/no')).toMatchObject({ failed: { failure: { title: 'It cannot be', problems } } });
  const proxy = await exchange.get('/proxy');
  expect(proxy).toMatchObject({ failed: { retryAfter: 5, failure: { status: 502 } } });
  expect(!proxy.ok && mayRepeat(proxy.failed)).toBe(true);
});

test('an idempotency key is sent only where one is given', async () => {
  const sent: PageRequest[] = [];
  const exchange = createExchange(async (_path, parts) => {
    sent.push(parts);
    return answer(202, {});
  });
  await exchange.post('/v1/deployments', { a: 1 }, 'key-0001');
  await exchange.post('/v1/previews', {});
  expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-0001', undefined]);
  expect(sent[0]?.body).toBe('{"a":1}');
  expect(address('/v1/x', { a: undefined })).toBe('/v1/x');
});
