import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Options of openssl for a certificate request. */
export interface CertificateRequestOptions {
  /** Subject, such as `/O=system:nodes/CN=system:node:a`. */
  readonly subject: string;
  /** Extensions in openssl's format, such as `subjectAltName=DNS:a,IP:10.0.0.1`. @default - none */
  readonly extensions?: readonly string[];
  /** Key options. @default - an elliptic curve, as for kubelets */
  readonly key?: readonly string[];
}

const curve = ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];

/** Creates a certificate request in PEM and its private key with openssl. */
export function requestBy({ subject, extensions = [], key = curve }: CertificateRequestOptions): {
  pem: string;
  key: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-request-'));
  try {
    const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'request.pem')];
    const args = ['req', '-new', '-newkey', ...key, '-nodes', '-keyout', keyFile, '-out', file, '-subj', subject];
    execFileSync('openssl', [...args, ...extensions.flatMap((one) => ['-addext', one])], { stdio: 'pipe' });
    return { pem: readFileSync(file, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The certificate request of a kubelet. */
export const kubeletRequest = (node: string, addresses: readonly string[] = []): { pem: string; key: string } =>
  requestBy({
    subject: `/O=system:nodes/CN=system:node:${node}`,
    ...(addresses.length > 0 && {
      extensions: [`subjectAltName=DNS:${node},${addresses.map((one) => `IP:${one}`).join(',')}`],
    }),
  });
