import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateReload } from '../../../lib/gateway/server/certificate-reload';
import { type ServingCertificate } from '../../../lib/gateway/server/gateway-listener';
import { jsonLog } from '../../../lib/kube';
import { type Certified, TestAuthority } from '../../kube/certificates';
import { ManualClock } from '../../kube/manual-clock';

const authority = new TestAuthority();
const [first, second] = [authority.certify('gateway'), authority.certify('gateway')];

let folder: string;
let clock: ManualClock;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pinion-certificate-'));
  clock = new ManualClock();
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const files = () => ({ certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') });
const write = ({ certificate, key }: Partial<Certified>): void => {
  if (certificate !== undefined) writeFileSync(files().certificate, certificate);
  if (key !== undefined) writeFileSync(files().key, key);
};
const reload = () =>
  new CertificateReload(
    files(),
    clock,
    jsonLog(
      (line) => lines.push(line),
      () => clock.now(),
    ),
  );
const errors = () => lines.filter((line) => line.includes('"error"'));

describe('a serving certificate', () => {
  it('is replaced within ten seconds after its files were', async () => {
    write(first);
    const certificate = reload();
    const seen: ServingCertificate[] = [];
    certificate.start((replacement) => seen.push(replacement));
    await clock.advance(30_000);
    expect(seen).toEqual([]);
    write(second);
    await clock.advance(10_000);
    expect(seen).toEqual([second]);
    expect(certificate.current).toEqual(second);
    certificate.stop();
    write(first);
    await clock.advance(30_000);
    expect(seen).toEqual([second]);
  });

  it('stays while only one of the files is replaced, or one is lost, and says so once', async () => {
    write(first);
    const certificate = reload();
    const seen: ServingCertificate[] = [];
    certificate.start((replacement) => seen.push(replacement));
    write({ certificate: second.certificate });
    await clock.advance(30_000);
    expect(certificate.current).toEqual(first);
    expect(errors()).toEqual([expect.stringContaining('tls.key: is not the key of the certificate in')]);
    rmSync(files().key);
    await clock.advance(30_000);
    expect(errors()).toHaveLength(2);
    expect(errors()[1]).toContain('ENOENT');
    write({ key: second.key });
    await clock.advance(10_000);
    expect(seen).toEqual([second]);
  });

  it('knows when it expires', () => {
    write(first);
    expect(new Date(reload().expiresAt).toISOString()).toBe('2120-01-01T00:00:00.000Z');
  });

  it.each([
    ['a certificate', { certificate: 'none', key: first.key }, 'tls.crt: has no certificate in PEM; write the chain'],
    ['a key', { certificate: first.certificate, key: 'none' }, 'tls.key: has no private key in PEM; write the key'],
    ['the key of it', { ...first, key: second.key }, 'tls.key: is not the key of the certificate in'],
  ])('needs %s', (_, content, message) => {
    write(content);
    expect(reload).toThrow(message);
  });

  it('that cannot be read is named without a part of its key', () => {
    const broken = first.key.replace('PRIVATE KEY', 'BROKEN KEY');
    write({ ...first, key: broken });
    expect(reload).toThrow(expect.not.objectContaining({ message: expect.stringContaining(first.key.slice(40, 60)) }));
  });
});
