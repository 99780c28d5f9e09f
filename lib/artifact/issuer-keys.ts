import * as z from 'zod';
import { type IssuerKey } from './identity-token';

/** Finds the public keys of an issuer. Throws an `IssuerUnreachable` where they cannot be had. */
export type IssuerKeys = (issuer: string) => Promise<readonly IssuerKey[]>;

/** Thrown when an issuer's keys cannot be had. */
export class IssuerUnreachable extends Error {
  override readonly name = 'IssuerUnreachable' as const;
}

/** Milliseconds that an issuer has for each of two answers. */
const patience = 10_000;
/** Bytes that an answer may have; key sets of public issuers have less than 20,000. */
const longest = 1_000_000;

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/;
const discovery = z.object({ issuer: z.string(), jwks_uri: z.string() });
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** Asks issuers for their keys over the network by OpenID Connect discovery, and each one once. */
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
 * Asks an issuer for its keys, now. They are read by https alone, but for an issuer on a loopback address. Throws an
 * `IssuerUnreachable`.
 */
export async function discoverIssuerKeys(issuer: string, get: typeof fetch = fetch): Promise<readonly IssuerKey[]> {
  const about = await answered(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, discovery, get);
  if (about.issuer !== issuer) throw new IssuerUnreachable(`${issuer} calls itself ${about.issuer}`);
  const isSafe = about.jwks_uri.startsWith('https://') || (loopback.test(issuer) && loopback.test(about.jwks_uri));
  if (!isSafe) throw new IssuerUnreachable(`${issuer} has keys where anybody can read along`);
  return (await answered(about.jwks_uri, keySet, get)).keys as readonly IssuerKey[];
}

async function answered<T extends z.ZodType>(url: string, schema: T, get: typeof fetch): Promise<z.output<T>> {
  try {
    const answer = await get(url, { signal: AbortSignal.timeout(patience), redirect: 'error' });
    if (!answer.ok) throw new Error(`answers ${answer.status}`);
    const text = await answer.text();
    if (text.length > longest) throw new Error('answers too much');
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new IssuerUnreachable(`${url} does not say the keys of the issuer`, { cause });
  }
}
