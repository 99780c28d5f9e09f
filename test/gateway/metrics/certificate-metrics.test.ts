import { Registry } from 'prom-client';
import { registerCertificateMetrics } from '../../../lib/gateway/metrics/certificate-metrics';
import { TestAuthority } from '../../kube/certificates';

const seconds = (text: string): number => new Date(text).getTime() / 1_000;
const [soon, later, latest] = ['2031-01-01T00:00:00Z', '2040-01-01T00:00:00Z', '2050-01-01T00:00:00Z'];
const certify = (authority: TestAuthority, expires: string): string =>
  authority.certify('gateway', [], new Date(expires)).certificate;

/** Returns the values of the metrics, by the label of the certificate, and whether clients trust it. */
async function valuesOf(serving: string, authorities: string | undefined) {
  const registry = new Registry();
  registerCertificateMetrics(registry, { serving: () => serving, authorities: () => authorities });
  const valuesOfMetric = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? [];
  const expiries = await valuesOfMetric('pinion_gateway_certificate_expiry_timestamp_seconds');
  const [trusted] = await valuesOfMetric('pinion_gateway_certificate_trusted');
  return {
    ...Object.fromEntries(expiries.map(({ labels, value }) => [labels['certificate'], value])),
    trusted: trusted?.value,
  };
}

test('state when the certificate and the authority that issued it expire', async () => {
  const [old, current] = [new TestAuthority('ca', new Date(soon)), new TestAuthority('ca', new Date(latest))];
  const authorities = `${old.certificate}${current.certificate}`;
  expect(await valuesOf(certify(current, later), authorities)).toEqual({
    serving: seconds(later),
    authority: seconds(latest),
    trusted: 1,
  });
});

test('state the first expiry of a chain', async () => {
  const authority = new TestAuthority('ca', new Date(soon));
  const chain = `${certify(authority, later)}${authority.certificate}`;
  expect(await valuesOf(chain, authority.certificate)).toEqual({
    serving: seconds(soon),
    authority: seconds(soon),
    trusted: 1,
  });
});

test.each([
  ['of another name', new TestAuthority('other')],
  ['of the same name with another key', new TestAuthority('ca')],
])('state that clients do not trust a certificate of an authority %s', async (_, other) => {
  const serving = certify(new TestAuthority('ca'), later);
  expect(await valuesOf(serving, other.certificate)).toEqual({ serving: seconds(later), trusted: 0 });
});

test('state only the expiry of the certificate as long as the Platform names no authority', async () => {
  expect(await valuesOf(certify(new TestAuthority(), later), undefined)).toEqual({ serving: seconds(later) });
});

test('ignore an authority that is a certificate by its form only', async () => {
  const authority = new TestAuthority('ca', new Date(latest));
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  expect(await valuesOf(certify(authority, later), `${broken}${authority.certificate}`)).toMatchObject({ trusted: 1 });
});
