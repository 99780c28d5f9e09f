import {
  canRetry,
  createPageTransport,
  listAllItems,
  type PageRequest,
  type PageResponse,
  pathWithQuery,
} from '../../../lib/page/transport/page-transport';

const response = (status: number, body: unknown, headers: Record<string, string> = {}): PageResponse => ({
  status,
  ok: status < 400,
  headers: { get: (name) => headers[name] ?? null },
  json: async () => {
    if (body === undefined) throw new SyntaxError('no JSON');
    return body;
  },
});

test('a list is read page by page to its end', async () => {
  const paths: string[] = [];
  const transport = createPageTransport(async (path) => {
    paths.push(path);
    const after = new URL(path, 'http://x').searchParams.get('after');
    return response(200, after === 'b&c' ? { items: [3] } : { items: [1, 2], next: 'b&c' });
  });
  const received: number[] = [];
  const failure = await listAllItems<number>(
    transport,
    '/v1/workloads',
    (items) => received.push(...items),
    new AbortController().signal,
  );
  expect(failure).toBeUndefined();
  expect(received).toEqual([1, 2, 3]);
  expect(paths).toEqual(['/v1/workloads?limit=1000', '/v1/workloads?limit=1000&after=b%26c']);
});

test('an error response is reported with all its problems, distinct from no response and no session', async () => {
  const problems = [{ code: 'required', path: ['stage'], reason: 'It is missing', remedy: 'Give it' }];
  const transport = createPageTransport(async (path) => {
    if (path === '/lost') throw new TypeError('network');
    if (path === '/out') return response(401, {});
    if (path === '/proxy') return response(502, undefined, { 'retry-after': '5' });
    return response(422, { type: 'about:blank', title: 'Invalid request', status: 422, problems });
  });
  expect(await transport.get('/lost')).toEqual({ ok: false, failed: { kind: 'unreachable' } });
  expect(await transport.get('/out')).toEqual({ ok: false, failed: { kind: 'signed-out' } });
  expect(await transport.get('/no')).toMatchObject({ failed: { failure: { title: 'Invalid request', problems } } });
  const proxy = await transport.get('/proxy');
  expect(proxy).toMatchObject({ failed: { retryAfter: 5, failure: { status: 502 } } });
  expect(!proxy.ok && canRetry(proxy.failed)).toBe(true);
});

test('an idempotency key is sent only if one is given', async () => {
  const sent: PageRequest[] = [];
  const transport = createPageTransport(async (_path, request) => {
    sent.push(request);
    return response(202, {});
  });
  await transport.post('/v1/deployments', { a: 1 }, 'key-0001');
  await transport.post('/v1/previews', {});
  expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-0001', undefined]);
  expect(sent[0]?.body).toBe('{"a":1}');
  expect(pathWithQuery('/v1/x', { a: undefined })).toBe('/v1/x');
});
