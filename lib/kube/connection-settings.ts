import { readFileSync } from 'node:fs';

/** What a client shows of itself: a bearer token, a certificate with its key, both or nothing. */
export interface Credential {
  readonly token?: string;
  /** PEM. */
  readonly certificate?: string;
  /** PEM. */
  readonly key?: string;
}

/**
 * Gives the credential in force at a moment (milliseconds since 1970).
 * With `refused`, the server has just refused that one: it is made anew, and may come out equal.
 */
export type CredentialSource = (now: number, refused?: Credential) => Promise<Credential>;

/** Gives a text as it stands at a moment (milliseconds since 1970); with `anew`, read again whatever its age. */
export type TextSource = (now: number, anew?: boolean) => string;

/** In whose name the server is to act, besides its own check of who asks. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Where an API server is, how it is recognised, and as whom to talk to it. */
export interface ConnectionSettings {
  /** `https://host:port`, with a path where the server has one; `http:` too, for a local proxy. */
  readonly server: string;
  /** Namespace that the settings name, for those who ask for none. */
  readonly namespace: string;
  /** PEM certificates to trust. @default - those that Node trusts */
  readonly authority?: TextSource;
  /** Name that the server's certificate must have. @default - the host of `server` */
  readonly serverName?: string;
  /** Takes any certificate. @default false */
  readonly insecure?: boolean;
  readonly credential: CredentialSource;
  /** @default - nobody else's */
  readonly impersonate?: Impersonation;
}

/** How long the content of a credential file is used, as in client-go: 1 minute. */
const rereadAfter = 60_000;

/** The text of a file, read again each minute; one that cannot be read any more keeps its last text. */
export function fileText(path: string): TextSource {
  let text: string | undefined;
  let readAt = 0;
  return (now, anew = false) => {
    if (text !== undefined && !anew && now - readAt < rereadAfter) return text;
    try {
      text = readFileSync(path, 'utf8');
    } catch (cause) {
      if (text === undefined) throw new Error(`cannot read ${path}`, { cause });
    }
    readAt = now;
    return text;
  };
}

/** A credential out of texts, each asked for again at each use. */
export function credentialOf(texts: {
  readonly token?: TextSource | undefined;
  readonly certificate?: TextSource | undefined;
  readonly key?: TextSource | undefined;
}): CredentialSource {
  return (now, refused) =>
    new Promise((resolve) => {
      const read = (text: TextSource): string => text(now, refused !== undefined);
      resolve({
        ...(texts.token && { token: read(texts.token).trim() }),
        ...(texts.certificate && { certificate: read(texts.certificate) }),
        ...(texts.key && { key: read(texts.key) }),
      });
    });
}
