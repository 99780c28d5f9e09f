import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Clock } from '../../process';
import { UsageError } from '../command/usage-error';
import { ciTokens } from './ci-tokens';
import { UnavailableError, reasonOf, type Io } from '../io/io';
import { type ServiceOptions } from './service-options';

/** Milliseconds for which a CI token is reused; CI tokens expire after five minutes. */
const tokenReuseMs = 120_000;

/** Returns a function that reads the token from a file, the environment or the CI. Throws a `UsageError` if there is none. */
export function tokenSource(options: ServiceOptions, io: Io): () => string | Promise<string> {
  const { environment = {}, clock } = io.system ?? {};
  const { PINION_TOKEN: text, PINION_AUDIENCE: audience } = environment;
  if (options['token-file'] === undefined && text) return () => text;
  const file = options['token-file'] ?? environment['PINION_TOKEN_FILE'];
  if (file) return () => textOf(file, io);
  const requestToken = ciTokens(environment);
  if (requestToken && audience && clock) return cachedFor(tokenReuseMs, clock, () => requestToken(audience));
  throw new UsageError(
    'no token: pass --token-file FILE, or set PINION_TOKEN or PINION_TOKEN_FILE; in GitHub Actions, set PINION_AUDIENCE and permissions: id-token: write',
  );
}

function textOf(file: string, io: Io): string {
  try {
    return readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new UnavailableError(`${file}: ${reasonOf(error)}`);
  }
}

/** Caches a token for some milliseconds. */
function cachedFor(milliseconds: number, clock: Clock, requestToken: () => Promise<string>): () => Promise<string> {
  let [token, expiresAt] = ['', -Infinity];
  return async () => {
    if (clock.now() >= expiresAt) [token, expiresAt] = [await requestToken(), clock.now() + milliseconds];
    return token;
  };
}
