import { Gauge, type Registry } from 'prom-client';
import { registerCertificateMetrics } from './certificate-metrics';

/** What the Platform states about gateways, as it is known now. */
export interface StatedGateway {
  readonly gateway: { readonly replicas?: number | undefined; readonly certificateAuthority?: string | undefined };
}

/** Registers metrics of what the Platform states about gateways, beside the certificate that is served; without TLS, there is none. */
export function registerPlatformMetrics(
  registry: Registry,
  policy: StatedGateway,
  serving: () => string | undefined,
): void {
  new Gauge({
    name: 'pinion_gateway_desired_replicas',
    help: 'Number of gateways that the Platform states; absent until it does.',
    registers: [registry],
    collect() {
      this.remove();
      const { replicas } = policy.gateway;
      if (replicas !== undefined) this.set(replicas);
    },
  });
  if (serving() === undefined) return;
  registerCertificateMetrics(registry, {
    serving: () => serving() ?? '',
    authorities: () => policy.gateway.certificateAuthority,
  });
}
