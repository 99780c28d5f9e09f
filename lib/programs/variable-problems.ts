import { nearest, type Problem } from '../api';
import { holdsSecret } from './secure-url';
import { canaryVariables, watchVariables } from './variables';

/** Variables that somebody gives a program beside those that it has anyway: with their values, or by the keys of a Secret. */
export interface GivenVariables {
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly secret?: { readonly name: string; readonly keys: readonly string[] } | undefined;
}

/** What Node.js, its TLS and the SDK of AWS read, in any of the programs. */
const foreign = /^(AWS_[A-Z0-9_]+|NODE_[A-Z0-9_]+|UV_[A-Z0-9_]+|OPENSSL_CONF|SSL_CERT_(FILE|DIR)|TZ)$/;
const secretName = /_TOKEN$|_KEY$|SECRET|PASSWORD/;

/** What is wrong with the variables that the canary is given; no problem shows a value. */
export const canaryVariableProblems = (given: GivenVariables): Problem[] =>
  problemsOf(given, Object.keys(canaryVariables));

/** What is wrong with the variables that the watcher of quotas is given; no problem shows a value. */
export const watchVariableProblems = (given: GivenVariables): Problem[] =>
  problemsOf(given, Object.keys(watchVariables));

function problemsOf({ env = {}, secret }: GivenVariables, known: readonly string[]): Problem[] {
  const keys = secret?.keys ?? [];
  const isKnown = (name: string): boolean => known.includes(name) || foreign.test(name);
  const given = [
    ...Object.keys(env).map((name) => ({ name, path: ['env', name] })),
    ...keys.map((name, index) => ({ name, path: ['secret', 'keys', index] })),
  ];
  return [
    ...given.filter(({ name }) => !isKnown(name)).map(({ name, path }) => unknown(name, path, known)),
    ...Object.entries(env)
      .filter(([name, value]) => isKnown(name) && isSecret(name, value))
      .map(([name]) => exposed(name)),
    ...keys.filter((name) => Object.hasOwn(env, name)).map(twice),
  ];
}

const isSecret = (name: string, value: string): boolean =>
  (secretName.test(name) && !name.endsWith('_FILE')) || holdsSecret(value);

function unknown(name: string, path: Problem['path'], known: readonly string[]): Problem {
  const guess = nearest(name, known);
  const reason = `names ${name}, which the program does not read`;
  const remedy = guess === undefined ? `use ${known.join(', ')}` : `write ${guess}`;
  return { code: 'unknown-field', path, reason, remedy };
}

function exposed(name: string): Problem {
  const reason = 'holds a secret, and whoever may see the workload could read it';
  const remedy = `put it into a Secret of its project, and name that with its key: --secret NAME:${name}, or secret: {name: NAME, keys: [${name}]}`;
  return { code: 'bad-format', path: ['env', name], reason, remedy };
}

function twice(name: string): Problem {
  const reason = 'is given with its value, and as a key of the Secret too';
  return { code: 'duplicate', path: ['env', name], reason, remedy: 'give it once' };
}
