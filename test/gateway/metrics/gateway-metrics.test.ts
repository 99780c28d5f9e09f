import { Registry } from 'prom-client';
import { GatewayMetrics } from '../../../lib/gateway/metrics/gateway-metrics';
import { requestInfo } from '../../../lib/gateway/requests/request-info';

let registry: Registry;
let metrics: GatewayMetrics;
beforeEach(() => {
  registry = new Registry();
  metrics = new GatewayMetrics(registry);
  metrics.addResource({ group: '', plural: 'pods' });
});

/** Records a request of an account with a status, and 10 bytes. */
function record(code: number, userAgent = 'tool'): void {
  const socket = { bytesWritten: 0 };
  const info = requestInfo('GET', '/api/v1/pods', new URLSearchParams());
  const caller = { user: 'system:serviceaccount:shop:cart', groups: [], extra: {} };
  const begun = metrics.begin({ caller, userAgent, method: 'GET', info, socket });
  socket.bytesWritten = 10;
  begun.end(code, 0.1);
}
const labelsOf = async (name: string): Promise<Partial<Record<string, string | number>>[]> =>
  ((await registry.getSingleMetric(`pinion_gateway_${name}`)?.get())?.values ?? []).map(({ labels }) => labels);

test.each([
  [200, 'pods'],
  [401, 'other'],
  [403, 'other'],
  [404, 'other'],
  [409, 'pods'],
  [500, 'pods'],
])('requests with status %d are counted with the resource %p', async (code, resource) => {
  record(code);
  const client = { project: 'shop', account: 'cart', user_agent: 'tool' };
  const labels = { ...client, resource, verb: 'list', served_from: 'none' };
  expect(await labelsOf('requests_total')).toEqual([{ ...labels, code }]);
  for (const name of ['response_bytes_total', 'request_seconds_total']) expect(await labelsOf(name)).toEqual([labels]);
});
