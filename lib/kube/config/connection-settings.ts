import { readFileSync } from 'node:fs';

/** Credential of a client: a bearer token, a certificate with its key, both or none. */
export interface Credential {
  readonly token?: string;
  /** PEM. */
  readonly certificate?: string;
  /** PEM. */
  readonly key?: string;
}

/**
 * Returns the credential that is valid at a time (milliseconds since 1970).
 * `rejected` is a credential that the server has just rejected: the source is read again, and may return an equal one.
 */
export type CredentialSource = (now: number, rejected?: Credential) => Promise<Credential>;

/** Returns a string that is valid at a time (milliseconds since 1970); `refresh` bypasses the cache. */
export type TextSource = (now: number, refresh?: boolean) => string;

/** Identity to impersonate. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Address, trust and credential of an API server. */
export interface ConnectionSettings {
  /** URL of the server, with an optional path; `http:` is allowed for a local proxy. */
  readonly server: string;
  /** Default namespace. */
  readonly namespace: string;
  /** Trusted CA certificates in PEM. @default - the CAs that Node trusts */
  readonly authority?: TextSource;
  /** Name in the server's certificate. @default - the host of `server` */
  readonly serverName?: string;
  /** Whether to skip verification of the server's certificate. @default false */
  readonly insecure?: boolean;
  readonly credential: CredentialSource;
  /** @default - no impersonation */
  readonly impersonate?: Impersonation;
}

/** Milliseconds for which the content of a credential file is cached, as in client-go. */
const rereadAfter = 60_000;

/** Returns the text of a file, read again every minute; if that fails, the last text remains. */
export function fileText(path: string): TextSource {
  let text: string | undefined;
  let readAt = 0;
  return (now, refresh = false) => {
    if (text !== undefined && !refresh && now - readAt < rereadAfter) return text;
    try {
      text = readFileSync(path, 'utf8');
    } catch (cause) {
      if (text === undefined) throw new Error(`cannot read ${path}`, { cause });
    }
    readAt = now;
    return text;
  };
}

/** Returns a credential source that reads its strings on each use. */
export function credentialOf(texts: {
  readonly token?: TextSource | undefined;
  readonly certificate?: TextSource | undefined;
  readonly key?: TextSource | undefined;
}): CredentialSource {
  return (now, rejected) =>
    new Promise((resolve) => {
      const read = (text: TextSource): string => text(now, rejected !== undefined);
      resolve({
        ...(texts.token && { token: read(texts.token).trim() }),
        ...(texts.certificate && { certificate: read(texts.certificate) }),
        ...(texts.key && { key: read(texts.key) }),
      });
    });
}
