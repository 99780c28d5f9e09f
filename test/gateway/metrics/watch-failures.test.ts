import { Registry } from 'prom-client';
import { WatchFailures } from '../../../lib/gateway/metrics/watch-failures';

test('are 0 for a resource before its first one', async () => {
  const registry = new Registry();
  const failures = new WatchFailures(registry);
  failures.addResource('pods');
  expect(await registry.metrics()).toMatch(/_total\{resource="pods"\} 0$/m);
  failures.count('pods');
  failures.count('roles');
  expect(await registry.metrics()).toMatch(/_total\{resource="pods"\} 1\n.*_total\{resource="roles"\} 1$/m);
});
