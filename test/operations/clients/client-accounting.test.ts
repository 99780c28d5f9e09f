import fc from 'fast-check';
import { AuditLines, ClientAccounting, readGatewayFigures } from '../../../lib/operations';
import { auditEvent, reportOf } from './audit-events';

const cart = { project: 'shop', account: 'system:serviceaccount:shop:cart', userAgent: 'cart' };

test('accounts requests to project, account, program, verb and resource, with their time and cost', () => {
  const stats = new Map([['pods', { objects: 1000, averageBytes: 5000 }]]);
  const watch = { verb: 'watch', uri: '/api/v1/pods?watch=true&resourceVersion=7' };
  const report = reportOf(
    [
      { seconds: 0.5, uri: '/api/v1/pods?resourceVersion=0' },
      { seconds: 0.25, at: 10, code: 500 },
      { ...watch, stage: 'ResponseStarted', at: 11, seconds: 0.01 },
      { ...watch, stage: 'ResponseComplete', at: 11, seconds: 300 },
    ],
    { stats },
  );
  expect(report).toMatchObject({ requests: 3, unreadable: 0, bound: 0, to: report.from + 11_000 });
  // Ten seats, the most of a list from the cache.
  expect(report.rows).toEqual([
    expect.objectContaining({ ...cart, verb: 'list', resource: 'pods', requests: 2, errors: 1, seatSeconds: 7.5 }),
    expect.objectContaining({ ...cart, verb: 'watch', requests: 1, watches: 1, watchSeconds: 300, seatSeconds: 0.01 }),
  ]);
  expect(report.rows[0]).toMatchObject({ seconds: 0.75, maxSeconds: 0.5 });
});

test('no character of a resource, which is any path, moves requests to another row', () => {
  const resources = ['pods\u0000x', 'pods\u0000y', '\u0000', 'a","b'];
  const { rows } = reportOf(resources.map((resource) => ({ resource })));
  const shown = ['pods\ufffdx', 'pods\ufffdy', '\ufffd', 'a","b'];
  expect(rows.map(({ resource }) => resource).sort()).toEqual(shown.sort());
  for (const row of rows) expect(row).toMatchObject({ ...cart, verb: 'list', requests: 1 });
});

test('a request through a gateway counts for the impersonated account', () => {
  const [row] = reportOf([{ sender: 'system:serviceaccount:pinion-gateway:pinion-gateway' }]).rows;
  expect(row).toMatchObject(cart);
});

test('users belong to the only Project that has them as members, and all nodes are one account', () => {
  const { rows } = reportOf([
    { user: 'olga', groups: ['oidc:shop'] },
    { user: 'paul', groups: ['oidc:other'] },
    { user: 'system:node:node-1' },
    { user: 'system:node:node-2' },
  ]);
  expect(rows.map(({ project, account, requests }) => [project, account, requests])).toEqual(
    expect.arrayContaining([
      ['shop', 'olga', 1],
      ['', 'paul', 1],
      ['', 'system:node:*', 2],
    ]),
  );
});

test('the size of a resource is learned from whole lists in the log', () => {
  const response = { kind: 'PodList', items: Array.from({ length: 100 }, () => ({ data: 'x'.repeat(9_900) })) };
  const { rows } = reportOf([{ response, seconds: 0 }, { seconds: 1 }]);
  expect(rows[0]).toMatchObject({ requests: 2, seatSeconds: 10 });
  expect(rows[0]?.bytes).toBeGreaterThan(990_000);
});

test('skips and counts lines without an event, and reads events wherever chunks end', () => {
  const text = ['junk', ...[1, 2, 3].map((at) => JSON.stringify(auditEvent({ at, userAgent: 'größe/1' }))), '{}'].join(
    '\n',
  );
  const bytes = Buffer.from(text);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 10 }), (cuts) => {
      const accounting = new ClientAccounting();
      const lines = new AuditLines(accounting);
      const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      at.slice(1).forEach((end, index) => lines.write(bytes.subarray(at[index], end)));
      lines.end();
      expect(accounting.report()).toMatchObject({ requests: 3, unreadable: 2 });
    }),
  );
});

test('no event makes it throw', () => {
  const fields = ['verb', 'stage', 'user', 'objectRef', 'responseObject', 'requestURI', 'responseStatus', 'userAgent'];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...fields, 'sourceIPs', 'impersonatedUser'), fc.jsonValue()), (over) => {
      const accounting = new ClientAccounting({ gateway: 'gateway' });
      accounting.addEvent({ ...auditEvent({}), ...over }, 0);
      accounting.report();
    }),
  );
});

test('memory is bounded whatever clients send', () => {
  const accounting = new ClientAccounting();
  for (let index = 0; index < 50_000; index++)
    accounting.addEvent(auditEvent({ user: `u${index}`, userAgent: `a${index}`, uri: `/api/v1/pods?x=${index}` }), 0);
  const report = accounting.report();
  expect(report.requests).toBe(50_000);
  expect(report.rows).toHaveLength(10_000);
  expect(report.rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(50_000);
  expect(report.bound).toBeLessThanOrEqual(5);
});

const gatewayMetrics = `
pinion_gateway_requests_total{project="shop",account="cart",user_agent="cart",resource="pods",verb="list",served_from="cache",code="200"} 40
pinion_gateway_requests_total{project="shop",account="cart",user_agent="cart",resource="pods",verb="list",served_from="cache",code="410"} 2
pinion_gateway_requests_total{project="shop",account="cart",user_agent="cart",resource="pods",verb="list",served_from="proxied",code="200"} 3
pinion_gateway_response_bytes_total{project="shop",account="cart",user_agent="cart",resource="pods",verb="list",served_from="cache"} 1000
pinion_gateway_response_bytes_total{project="shop",account="cart",user_agent="cart",resource="pods",verb="list",served_from="proxied"} 500
pinion_gateway_request_seconds_total{project="shop",account="cart",user_agent="cart",resource="pods",verb="list",served_from="cache"} 0.5
pinion_gateway_open_watches{project="shop",account="cart",user_agent="cart",resource="pods",served_from="cache"} 4
pinion_gateway_requests_total{project="",account="olga",user_agent="",resource="pods",verb="get",served_from="cache",code="200"} 1
other_metric{project="shop"} 7
`;

test('adds the requests of a gateway, those that it passed on only if no log has them', () => {
  const alone = new ClientAccounting({ projects: [{ metadata: { name: 'shop' } }] });
  alone.addGateway(readGatewayFigures(gatewayMetrics), false);
  expect(alone.report()).toMatchObject({ requests: 50, total: { cached: 47, bytes: 1500, watches: 4, errors: 2 } });
  expect(alone.report().rows).toContainEqual(
    expect.objectContaining({ ...cart, verb: 'list', requests: 45, cached: 42, seconds: 0.5 }),
  );
  expect(alone.report().rows).toContainEqual(expect.objectContaining({ account: 'olga', userAgent: '(none)' }));

  const withLog = new ClientAccounting({ filter: ({ verb }) => verb === 'list' });
  withLog.addEvent(auditEvent({}), 0);
  withLog.addGateway(readGatewayFigures(gatewayMetrics), true);
  expect(withLog.report()).toMatchObject({ requests: 43, total: { cached: 42, bytes: 1500 } });
});
