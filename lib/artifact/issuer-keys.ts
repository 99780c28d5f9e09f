import * as z from 'zod';
import { type IssuerKey } from './identity-token';

/** Returns the public keys of an issuer. Throws an `IssuerUnreachable` if it cannot. */
export type IssuerKeys = (issuer: string) => Promise<readonly IssuerKey[]>;

/** Thrown when the keys of an issuer cannot be fetched. */
export class IssuerUnreachable extends Error {
  override readonly name = 'IssuerUnreachable' as const;
}

/** Timeout of each of the two requests, in milliseconds. */
const requestTimeout = 10_000;
/** Maximum characters of a response; key sets of public issuers have less than 20,000. */
const maxResponseLength = 1_000_000;

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/;
const discovery = z.object({ issuer: z.string(), jwks_uri: z.string() });
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** Creates a function that discovers the keys of issuers by OpenID Connect and caches them. */
export function issuerKeysByDiscovery(get: typeof fetch = fetch): IssuerKeys {
  const known = new Map<string, Promise<readonly IssuerKey[]>>();
  return (issuer) => {
    let keys = known.get(issuer);
    if (!keys) {
      keys = discoverIssuerKeys(issuer, get);
      known.set(issuer, keys);
      keys.catch(() => known.delete(issuer));
    }
    return keys;
  };
}

/**
 * Fetches the keys of an issuer. Requires https, except for an issuer on a loopback address. Throws an `IssuerUnreachable`.
 */
export async function discoverIssuerKeys(issuer: string, get: typeof fetch = fetch): Promise<readonly IssuerKey[]> {
  const metadata = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, discovery, get);
  if (metadata.issuer !== issuer)
    throw new IssuerUnreachable(`${issuer} has another issuer in its metadata: ${metadata.issuer}`);
  const isSafe =
    metadata.jwks_uri.startsWith('https://') || (loopback.test(issuer) && loopback.test(metadata.jwks_uri));
  if (!isSafe) throw new IssuerUnreachable(`${issuer} serves its keys without TLS`);
  return (await fetchJson(metadata.jwks_uri, keySet, get)).keys;
}

async function fetchJson<T extends z.ZodType>(url: string, schema: T, get: typeof fetch): Promise<z.output<T>> {
  try {
    const response = await get(url, { signal: AbortSignal.timeout(requestTimeout), redirect: 'error' });
    if (!response.ok) throw new Error(`responded with status ${response.status}`);
    const text = await response.text();
    if (text.length > maxResponseLength) throw new Error('the response is too long');
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new IssuerUnreachable(`cannot fetch the keys of the issuer from ${url}`, { cause });
  }
}
