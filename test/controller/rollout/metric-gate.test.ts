import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { MetricGate } from '../../../lib/controller/rollout/metric-gate';

/** Answers of Prometheus by expression. */
const answers: Readonly<Record<string, { readonly status?: number; readonly body: string }>> = {
  quiet: { body: '{"status":"success","data":{"resultType":"vector","result":[]}}' },
  loud: {
    body: '{"status":"success","data":{"resultType":"vector","result":[{"metric":{"job":"cart"},"value":[1,"1"]}]}}',
  },
  wrong: { status: 400, body: '{"status":"error","error":"parse error"}' },
  scalar: { body: '{"status":"success","data":{"resultType":"scalar","result":[1,"1"]}}' },
  page: { body: '<html>hunter2</html>' },
  large: { body: `{"padding":"${'x'.repeat(300 * 1024)}"}` },
};

describe('the metric gates of a rollout', () => {
  let server: Server;
  let prometheus: string;
  const asked: string[] = [];
  let now = 0;
  const gate = (...expressions: readonly string[]) => ({
    prometheus,
    queries: expressions.map((expression) => ({ name: expression, expression })),
  });

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const expression = new URLSearchParams(body).get('query') ?? '';
        asked.push(`${request.method} ${request.url} ${expression}`);
        const answer = answers[expression];
        response.writeHead(answer?.status ?? 200).end(answer?.body);
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    prometheus = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prometheus/`;
  });
  afterAll(() => server.close());
  beforeEach(() => asked.splice(0));

  test('pass while no expression has a result', async () => {
    expect(await new MetricGate(() => 0).judge(gate('quiet'))).toEqual({ verdict: 'pass' });
    expect(asked).toEqual(['POST /prometheus/api/v1/query quiet']);
  });

  test('fail with a result, even if another expression has no answer', async () => {
    const { verdict, message } = await new MetricGate(() => 0).judge(gate('quiet', 'loud', 'wrong'));
    expect([verdict, message]).toEqual(['fail', 'metric gates: loud has 1 result']);
  });

  test.each([
    ['wrong', 'status 400'],
    ['scalar', 'did not respond with a vector'],
    ['large', 'larger than 262144 bytes'],
    ['page', 'page: Prometheus did not respond with JSON'],
  ])('are inconclusive when the answer is %s', async (expression, reason) => {
    const { verdict, message } = await new MetricGate(() => 0).judge(gate('quiet', expression));
    expect(verdict).toBe('inconclusive');
    expect(message).toContain(reason);
    expect(message).not.toContain('hunter2');
  });

  test('repeat no part of a URL', async () => {
    const { host } = new URL(prometheus);
    const secret = { ...gate('quiet'), prometheus: `http://admin:hunter2@${host}/?token=hunter2` };
    const { verdict, message } = await new MetricGate(() => 0).judge(secret);
    expect([verdict, message]).toEqual([
      'inconclusive',
      'metric gates without an answer: quiet: Prometheus is not reachable',
    ]);
  });

  test('are inconclusive when Prometheus does not respond in time', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const judged = await new MetricGate(() => 0).judge({ ...gate('quiet'), prometheus: `http://127.0.0.1:${port}` });
    silent.closeAllConnections();
    silent.close();
    expect(judged.message).toBe('metric gates without an answer: quiet: Prometheus did not respond within 5 s');
  }, 20_000);

  test('are inconclusive when Prometheus cannot be reached', async () => {
    const closed = { ...gate('quiet'), prometheus: 'http://127.0.0.1:1' };
    const { verdict, message } = await new MetricGate(() => 0).judge(closed);
    expect(verdict).toBe('inconclusive');
    expect(message).toMatch(/^metric gates without an answer: quiet: Prometheus is not reachable( \([A-Z_]+\))?$/);
  });

  test('are asked again after 15 s, or when they change', async () => {
    const metrics = new MetricGate(() => now);
    await metrics.judge(gate('quiet'));
    now += 14_000;
    await metrics.judge(gate('quiet'));
    expect(asked).toHaveLength(1);
    now += 1_000;
    await metrics.judge(gate('quiet'));
    expect(asked).toHaveLength(2);
    await metrics.judge(gate('loud'));
    expect(asked).toHaveLength(3);
  });
});
