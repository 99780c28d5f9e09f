import fc from 'fast-check';
import {
  AuditLines,
  type AuditRecord,
  AuditCounts,
  AuditMetrics,
  readAuditEvent,
  receiveRequests,
  TopSketch,
} from '../../../lib/operations';

const event = (overrides: object = {}): object => ({
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'Metadata',
  auditID: '1',
  stage: 'ResponseComplete',
  requestURI: '/api/v1/pods',
  verb: 'list',
  user: { username: 'system:serviceaccount:shop:cart' },
  objectRef: { resource: 'pods', apiVersion: 'v1' },
  responseStatus: { code: 200 },
  requestReceivedTimestamp: '2026-11-21T17:00:00.000000Z',
  stageTimestamp: '2026-11-21T17:00:01.500000Z',
  ...overrides,
});
const read = (overrides: object = {}) => readAuditEvent(event(overrides), 0);

test('a request has a client, verb, resource and duration', () => {
  expect(read()).toEqual({
    user: 'system:serviceaccount:shop:cart',
    verb: 'list',
    resource: 'pods',
    isWholeList: true,
    seconds: 1.5,
    time: Date.parse('2026-11-21T17:00:01.5Z'),
    code: 200,
  });
  const scale = { objectRef: { resource: 'deployments', apiGroup: 'apps', subresource: 'scale' }, verb: 'patch' };
  expect(read(scale)).toMatchObject({ resource: 'deployments.apps/scale', isWholeList: false });
  expect(read({ objectRef: undefined, requestURI: '/openapi/v3/apis?x=1', verb: 'get' })).toMatchObject({
    resource: '/openapi',
  });
});

test.each([
  ['/api/v1/pods?resourceVersion=0', true],
  ['/api/v1/pods?limit=500', false],
  ['/api/v1/pods?labelSelector=app%3Da&x=1', false],
  ['/api/v1/pods?x=1&fieldSelector=spec.nodeName%3Dn', false],
  ['/api/v1/pods?labelSelector=&limit=', true],
])('a list of %s is a whole list: %s', (requestURI, isWholeList) => {
  expect(read({ requestURI })).toMatchObject({ isWholeList });
});

test('long-running requests count when they start, a watch that starts with a list once, and others when they complete', () => {
  const watch = { verb: 'watch', requestURI: '/api/v1/pods?watch=true&sendInitialEvents=true' };
  expect(read(watch)).toBeUndefined();
  expect(read({ ...watch, stage: 'ResponseStarted' })).toMatchObject({ isWholeList: true, seconds: 0 });
  expect(read({ stage: 'ResponseStarted' })).toBeUndefined();
  expect(read({ stage: 'RequestReceived' })).toBeUndefined();
});

test('measures the response size of a list if it is in the log', () => {
  const responseObject = { kind: 'PodList', items: [{ a: 'größe' }, { b: 2 }] };
  const line = JSON.stringify(event({ level: 'RequestResponse', responseObject }));
  const counts = new AuditCounts();
  const lines = new AuditLines(receiveRequests(counts));
  lines.write(Buffer.from(`${line}\n${JSON.stringify(event())}\n`));
  const bytes = Buffer.byteLength(JSON.stringify(responseObject));
  expect(counts.report(10)).toMatchObject({ requests: 2, lists: 2, total: { measured: 1, objects: 2, bytes } });
});

test('counts are the same wherever a log is split, and lines without an event are reported', () => {
  const text = [
    ...Array.from({ length: 5 }, (_, index) =>
      JSON.stringify(event({ auditID: `${index}`, user: { username: 'jürgen' } })),
    ),
    'not JSON',
    '{"kind":"Event"}',
    '',
    JSON.stringify(event({ verb: 'get' })),
  ].join('\n');
  const bytes = Buffer.from(text);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
      const counts = new AuditCounts();
      const lines = new AuditLines(receiveRequests(counts));
      const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      at.slice(1).forEach((end, index) => lines.write(bytes.subarray(at[index], end)));
      lines.end();
      expect(counts.counted).toEqual({ requests: 6, unreadable: 2 });
      expect(counts.report(1).users[0]).toMatchObject({ name: ['jürgen'], requests: 5 });
    }),
  );
});

test('no line makes the parser throw', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.dictionary(
        fc.constantFrom('verb', 'stage', 'user', 'objectRef', 'responseObject', 'requestURI', 'responseStatus'),
        fc.jsonValue(),
      ),
      (any, overrides) => {
        const lines = new AuditLines(receiveRequests(new AuditCounts()));
        lines.write(Buffer.from(`${any}\n${JSON.stringify(event(overrides))}\n`));
        lines.end();
      },
    ),
  );
});

test('a sketch keeps every frequent key and stays within its stated error', () => {
  const keys = fc.array(
    fc.nat(60).map((n) => `k${Math.floor((n * n) / 60)}`),
    { maxLength: 2000 },
  );
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 40 }), (stream, capacity) => {
      const sketch = new TopSketch(capacity, () => undefined);
      const trueCounts = new Map<string, number>();
      for (const key of stream) {
        sketch.add(key);
        trueCounts.set(key, (trueCounts.get(key) ?? 0) + 1);
      }
      const kept = sketch.top(capacity);
      expect(sketch.total).toBe(stream.length);
      expect(sketch.bound).toBeLessThanOrEqual(stream.length / capacity);
      for (const { key, count, error } of kept) {
        const actual = trueCounts.get(key) ?? 0;
        expect(count).toBeGreaterThanOrEqual(actual);
        expect(count - error).toBeLessThanOrEqual(actual);
        expect(error).toBeLessThanOrEqual(sketch.bound);
      }
      for (const [key, actual] of trueCounts)
        if (actual > stream.length / capacity) expect(kept.map((one) => one.key)).toContain(key);
    }),
  );
});

test('metrics have a bounded number of rows, never decrease, and add up to all requests', () => {
  const metrics = new AuditMetrics(new AuditCounts());
  const record = (user: string): AuditRecord => ({
    user,
    verb: 'get',
    resource: 'pods',
    isWholeList: false,
    seconds: 0.1,
    time: 1,
    code: 200,
  });
  for (let index = 0; index < 20_000; index++) metrics.add(record(index % 3 === 0 ? 'hog "x"\n' : `user-${index}`));
  const rows = [
    ...metrics.text().matchAll(/^pinion_audit_requests_total\{user="(.*?)",verb="(?:get|other)".*\} (\d+)$/gm),
  ];
  expect(rows.length).toBeLessThan(100);
  expect(rows.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(20_000);
  const hog = rows.find(([, user]) => user === 'hog \\"x\\"\\n');
  expect(Number(hog?.[2])).toBeGreaterThan(6_500);
});
