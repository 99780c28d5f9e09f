import {
  canRetry,
  createPageTransport,
  listAllItems,
  type PageRequest,
  type PageResponse,
  pathWithQuery,
} from '../../../lib/page/transport/page-transport';

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
  const transport = createPageTransport(async (path) => {
    asked.push(path);
    const after = new URL(path, 'http://x').searchParams.get('after');
    return answer(200, after === 'b&c' ? { items: [3] } : { items: [1, 2], next: 'b&c' });
  });
  const taken: number[] = [];
  const stopped = await listAllItems<number>(
    transport,
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
  const transport = createPageTransport(async (path) => {
    if (path === '/lost') throw new TypeError('network');
    if (path === '/out') return answer(401, {});
    if (path === '/proxy') return answer(502, undefined, { 'retry-after': '5' });
    return answer(422, { type: 'about:blank', title: 'It cannot be', status: 422, problems });
  });
  expect(await transport.get('/lost')).toEqual({ ok: false, failed: { kind: 'unreachable' } });
  expect(await transport.get('/out')).toEqual({ ok: false, failed: { kind: 'signed-out' } });
  expect(await transport.get('/no')).toMatchObject({ failed: { failure: { title: 'It cannot be', problems } } });
  const proxy = await transport.get('/proxy');
  expect(proxy).toMatchObject({ failed: { retryAfter: 5, failure: { status: 502 } } });
  expect(!proxy.ok && canRetry(proxy.failed)).toBe(true);
});

test('an idempotency key is sent only where one is given', async () => {
  const sent: PageRequest[] = [];
  const transport = createPageTransport(async (_path, parts) => {
    sent.push(parts);
    return answer(202, {});
  });
  await transport.post('/v1/deployments', { a: 1 }, 'key-0001');
  await transport.post('/v1/previews', {});
  expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-0001', undefined]);
  expect(sent[0]?.body).toBe('{"a":1}');
  expect(pathWithQuery('/v1/x', { a: undefined })).toBe('/v1/x');
});
