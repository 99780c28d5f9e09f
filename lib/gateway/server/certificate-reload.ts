import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Clock, errorText, type Log } from '../../kube';
import { type CertificateFiles } from '../gateway-arguments';
import { type ServingCertificate } from './gateway-listener';

/** Milliseconds between reads of the files; the kubelet itself updates a mounted Secret within two minutes. */
const interval = 10_000;

/** Serving certificate of two files, which are read again and again: a Secret that is mounted changes without notice. */
export class CertificateReload {
  #current: ServingCertificate;
  #lastProblem: string | undefined;
  #cancel: () => void = () => undefined;

  /** Throws if a file cannot be read, or the key is not that of the certificate. */
  constructor(
    private readonly files: CertificateFiles,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.#current = readCertificate(files);
  }

  /** Certificate as it was last read completely. */
  get current(): ServingCertificate {
    return this.#current;
  }

  /** Time at which the certificate expires, in milliseconds since 1970. */
  get expiresAt(): number {
    return new Date(leafOf(this.#current).validTo).getTime();
  }

  /** Begins to read the files regularly; calls back with each new certificate. */
  start(onChange: (certificate: ServingCertificate) => void): void {
    this.#cancel = this.clock.after(interval, () => {
      this.#read(onChange);
      this.start(onChange);
    });
  }

  /** Stops reading. */
  stop(): void {
    this.#cancel();
  }

  /** Keeps the certificate that works if the files do not: they may be replaced one after the other. */
  #read(onChange: (certificate: ServingCertificate) => void): void {
    try {
      const read = readCertificate(this.files);
      this.#lastProblem = undefined;
      if (read.certificate === this.#current.certificate && read.key === this.#current.key) return;
      onChange(read);
      this.#current = read;
      this.log.info('serving certificate replaced', { expires: new Date(this.expiresAt).toISOString() });
    } catch (error) {
      const problem = errorText(error);
      if (problem !== this.#lastProblem) this.log.error('serving certificate not replaced', { error: problem });
      this.#lastProblem = problem;
    }
  }
}

const leafOf = ({ certificate }: ServingCertificate): X509Certificate => new X509Certificate(certificate);

function readCertificate(files: CertificateFiles): ServingCertificate {
  const certificate = readFileSync(files.certificate, 'utf8');
  const key = readFileSync(files.key, 'utf8');
  const problem = (file: string, reason: string, remedy: string): Error => new Error(`${file}: ${reason}; ${remedy}`);
  const leaf = attempt(() => new X509Certificate(certificate));
  if (!leaf) throw problem(files.certificate, 'has no certificate in PEM', 'write the chain there, its own first');
  const privateKey = attempt(() => createPrivateKey(key));
  if (!privateKey) throw problem(files.key, 'has no private key in PEM', 'write the key of the certificate there');
  if (!leaf.checkPrivateKey(privateKey))
    throw problem(files.key, `is not the key of the certificate in ${files.certificate}`, 'replace both together');
  return { certificate, key };
}

/** Returns undefined for what throws; the error could quote a part of a key. */
function attempt<T>(create: () => T): T | undefined {
  try {
    return create();
  } catch {
    return undefined;
  }
}
