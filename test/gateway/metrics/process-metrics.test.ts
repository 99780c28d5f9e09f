import { Registry } from 'prom-client';
import { registerProcessMetrics } from '../../../lib/gateway/metrics/process-metrics';

const metricsWith = async (isReady: boolean, memoryLimit?: number): Promise<string> => {
  const registry = new Registry();
  registerProcessMetrics(registry, { isReady: () => isReady, memoryLimit });
  return registry.metrics();
};

test('state whether the gateway is ready, and its memory limit', async () => {
  expect(await metricsWith(true, 2 ** 31)).toMatch(
    /^pinion_gateway_ready 1$[^]*^pinion_gateway_memory_limit_bytes 2147483648$/m,
  );
  expect(await metricsWith(false, 2 ** 31)).toMatch(/^pinion_gateway_ready 0$/m);
});
