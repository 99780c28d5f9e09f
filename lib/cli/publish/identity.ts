import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  audienceOf,
  claimsOf,
  readSigningKey,
  signedByKey,
  signedByToken,
  type Envelope,
  type TokenClaims,
} from '../../artifact';
import { UsageError } from '../arguments';
import { Inaccessible, reasonOf, type Io } from '../io';

/** By whom something is signed. */
export interface Signer {
  /** What the issuer of its tokens says of the run; undefined for a key. */
  readonly claims?: TokenClaims;
  sign(payload: Uint8Array): Promise<Envelope>;
}

/** Variables by which a run asks its CI for tokens. What an app needs to be built is none of these. */
export const tokenVariables = ['ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'] as const;

/** Milliseconds that the CI has to give a token. */
const patience = 30_000;

/** The signer that is given by a key's file, else by the CI that this runs in. Throws a `UsageError` where there is neither. */
export async function signerOf(keyFile: string | undefined, io: Io): Promise<Signer> {
  if (keyFile !== undefined) return signerByKey(keyFile, io);
  const [url, bearer] = tokenVariables.map((name) => io.outside?.environment[name]);
  if (!url || !bearer)
    throw new UsageError(
      'nothing to sign with; give --key FILE, or let the job ask for tokens (GitHub: permissions: id-token: write)',
    );
  const ask = (audience: string): Promise<string> => tokenFor(audience, url, bearer);
  // What the issuer says goes before what the environment says, and must stand in what is signed.
  const claims = claimsOf(await ask('pinion:who'));
  if (!claims) throw new Inaccessible('the CI gave a token that does not say repository and ref');
  return { claims, sign: async (payload) => signedByToken(payload, await ask(audienceOf(payload))) };
}

function signerByKey(file: string, io: Io): Signer {
  let pem: string;
  try {
    pem = readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new Inaccessible(`${file}: ${reasonOf(error)}`);
  }
  const key = readSigningKey(pem);
  if (!key)
    throw new UsageError(
      `${file} holds no private key of Ed25519, P-256 or P-384; make one by "openssl genpkey -algorithm ed25519"`,
    );
  return { sign: (payload) => Promise.resolve(signedByKey(payload, key)) };
}

async function tokenFor(audience: string, url: string, bearer: string): Promise<string> {
  try {
    const asked = new URL(url);
    asked.searchParams.set('audience', audience);
    const signal = AbortSignal.timeout(patience);
    const answer = await fetch(asked, { headers: { authorization: `Bearer ${bearer}` }, signal });
    const { value } = (await answer.json()) as { value?: unknown };
    if (!answer.ok || typeof value !== 'string') throw new Error(`it answers ${answer.status}`);
    return value;
  } catch (cause) {
    throw new Inaccessible(`the CI gives no token: ${(cause as Error).message}`, { cause });
  }
}
