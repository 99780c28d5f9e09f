import { Registry } from 'prom-client';
import { registerPlatformMetrics } from '../../../lib/gateway/metrics/platform-metrics';
import { TestAuthority } from '../../kube/certificates';

test('state what the Platform says once it does, and follow both the Platform and the served certificate', async () => {
  const [first, second] = [new TestAuthority('first'), new TestAuthority('second')];
  const policy: { gateway: { replicas?: number; certificateAuthority?: string } } = { gateway: {} };
  let serving = first.certify('gateway').certificate;
  const registry = new Registry();
  registerPlatformMetrics(registry, policy, () => serving);
  expect(await registry.metrics()).not.toMatch(/^pinion_gateway_(desired_replicas|certificate_trusted) /m);
  policy.gateway = { replicas: 3, certificateAuthority: first.certificate };
  expect(await registry.metrics()).toMatch(
    /^pinion_gateway_desired_replicas 3$[^]*^pinion_gateway_certificate_trusted 1$/m,
  );
  serving = second.certify('gateway').certificate;
  expect(await registry.metrics()).toMatch(/^pinion_gateway_certificate_trusted 0$/m);
});

test('have no metrics of a certificate without TLS', async () => {
  const registry = new Registry();
  registerPlatformMetrics(registry, { gateway: { replicas: 2, certificateAuthority: '' } }, () => undefined);
  expect(await registry.metrics()).not.toContain('certificate');
});
