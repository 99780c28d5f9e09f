import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  audienceOf,
  decodeClaims,
  readSigningKey,
  signedByKey,
  signedByToken,
  type Envelope,
  type TokenClaims,
} from '../../../artifact';
import { UsageError } from '../../command/usage-error';
import { ciTokens } from '../../service/ci-tokens';
import { UnavailableError, reasonOf, type Io } from '../../io/io';

/** The identity that signs an artifact. */
export interface Signer {
  /** Claims of the token issuer about the CI run; undefined for a key. */
  readonly claims?: TokenClaims;
  sign(payload: Uint8Array): Promise<Envelope>;
}

/** Returns a signer with the given key file, else with tokens of the CI. Throws a `UsageError` if there is neither. */
export async function signerOf(keyFile: string | undefined, io: Io): Promise<Signer> {
  if (keyFile !== undefined) return signerByKey(keyFile, io);
  const requestToken = ciTokens(io.system?.environment ?? {});
  if (!requestToken)
    throw new UsageError(
      'no signing key; pass --key FILE, or let the job request tokens (GitHub: permissions: id-token: write)',
    );
  // Claims of the issuer override the environment, and must be part of the signed content.
  const claims = decodeClaims(await requestToken('pinion:who'));
  if (!claims) throw new UnavailableError('the CI token has no repository and ref claims');
  return { claims, sign: async (payload) => signedByToken(payload, await requestToken(audienceOf(payload))) };
}

function signerByKey(file: string, io: Io): Signer {
  let pem: string;
  try {
    pem = readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new UnavailableError(`${file}: ${reasonOf(error)}`);
  }
  const key = readSigningKey(pem);
  if (!key)
    throw new UsageError(
      `${file} is not a private key of type Ed25519, P-256 or P-384; create one with "openssl genpkey -algorithm ed25519"`,
    );
  return { sign: (payload) => Promise.resolve(signedByKey(payload, key)) };
}
