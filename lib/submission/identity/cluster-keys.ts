import * as z from 'zod';
import { IssuerUnreachable, type IssuerKey } from '../../artifact';
import { isApiError, type KubeClient } from '../../kube';

/** Timeout of the request, in milliseconds. */
const requestTimeout = 10_000;
const path = '/openid/v1/jwks';
/** The only media type that the API server offers there. */
const accept = 'application/jwk-set+json';
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

/**
 * Fetches the public keys with which an API server signs tokens of service accounts; every service account may read them.
 * Throws an `IssuerUnreachable`.
 */
export async function fetchClusterKeys(client: KubeClient): Promise<readonly IssuerKey[]> {
  try {
    const text = await client.request('GET', path, undefined, { timeout: requestTimeout, accept });
    return keySet.parse(JSON.parse(String(text))).keys;
  } catch (cause) {
    if (!isApiError(cause) && !(cause instanceof z.ZodError) && !(cause instanceof SyntaxError)) throw cause;
    throw new IssuerUnreachable(`cannot read the keys of service accounts from ${path}`, { cause });
  }
}
