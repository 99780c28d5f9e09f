import { X509Certificate } from 'node:crypto';
import { Gauge, type Registry } from 'prom-client';

/** Certificates of a gateway, in PEM, as they are now. */
export interface GatewayCertificates {
  /** Returns the chain that the gateway presents, its own certificate first. */
  readonly serving: () => string;
  /** Returns the authorities that clients trust; undefined if the Platform does not say. */
  readonly authorities: () => string | undefined;
}

/** Registers metrics of the certificates, which are read when they are collected. */
export function registerCertificateMetrics(registry: Registry, { serving, authorities }: GatewayCertificates): void {
  new Gauge({
    name: 'pinion_gateway_certificate_expiry_timestamp_seconds',
    help: 'Time at which a certificate expires: the serving certificate with its chain, and the authority that issued it.',
    labelNames: ['certificate'],
    registers: [registry],
    collect() {
      this.reset();
      const chain = certificatesIn(serving());
      this.set({ certificate: 'serving' }, Math.min(...chain.map(expiryOf)));
      const trusted = authorities();
      const expiry = trusted === undefined ? undefined : authorityExpiry(chain, certificatesIn(trusted));
      if (expiry !== undefined) this.set({ certificate: 'authority' }, expiry);
    },
  });
  new Gauge({
    name: 'pinion_gateway_certificate_trusted',
    help: 'Whether an authority of the Platform, which clients trust, issued the serving certificate.',
    registers: [registry],
    collect() {
      const trusted = authorities();
      this.remove();
      if (trusted === undefined) return;
      const expiry = authorityExpiry(certificatesIn(serving()), certificatesIn(trusted));
      this.set(expiry === undefined ? 0 : 1);
    },
  });
}

const certificateForm = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Returns the certificates in PEM texts; the Platform's are checked for their form only. */
const certificatesIn = (text: string): X509Certificate[] =>
  (text.match(certificateForm) ?? []).flatMap((one) => {
    try {
      return [new X509Certificate(one)];
    } catch {
      return [];
    }
  });

const expiryOf = ({ validTo }: X509Certificate): number => new Date(validTo).getTime() / 1_000;

/** Returns when the last authority expires that issued a certificate of a chain; undefined if none did. */
function authorityExpiry(
  chain: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
): number | undefined {
  const issuers = authorities.filter((authority) =>
    chain.some((one) => one.checkIssued(authority) && one.verify(authority.publicKey)),
  );
  return issuers.length === 0 ? undefined : Math.max(...issuers.map(expiryOf));
}
