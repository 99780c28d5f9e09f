import { nearest, type Problem } from '../api';
import { containsSecret } from './secure-url';
import { canaryVariables, quotaMonitorVariables } from './variables';

/** Additional environment variables of a program: values, or keys of a Secret. */
export interface EnvironmentVariables {
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly secret?: { readonly name: string; readonly keys: readonly string[] } | undefined;
}

/** Variables of Node.js, OpenSSL and the AWS SDK. */
const foreign = /^(AWS_[A-Z0-9_]+|NODE_[A-Z0-9_]+|UV_[A-Z0-9_]+|OPENSSL_CONF|SSL_CERT_(FILE|DIR)|TZ)$/;
const secretName = /_TOKEN$|_KEY$|SECRET|PASSWORD/;

/** Validates variables of the canary; problems contain no values. */
export const canaryVariableProblems = (given: EnvironmentVariables): Problem[] =>
  problemsOf(given, Object.keys(canaryVariables));

/** Validates variables of the quota monitor; problems contain no values. */
export const quotaMonitorVariableProblems = (given: EnvironmentVariables): Problem[] =>
  problemsOf(given, Object.keys(quotaMonitorVariables));

function problemsOf({ env = {}, secret }: EnvironmentVariables, known: readonly string[]): Problem[] {
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
  (secretName.test(name) && !name.endsWith('_FILE')) || containsSecret(value);

function unknown(name: string, path: Problem['path'], known: readonly string[]): Problem {
  const guess = nearest(name, known);
  const reason = `sets ${name}, which is not a variable of this program`;
  const remedy = guess === undefined ? `use ${known.join(', ')}` : `use ${guess}`;
  return { code: 'unknown-field', path, reason, remedy };
}

function exposed(name: string): Problem {
  const reason = 'contains a secret, which everyone who may read the workload can see';
  const remedy = `store it in a Secret of its project and reference the key: --secret NAME:${name}, or secret: {name: NAME, keys: [${name}]}`;
  return { code: 'bad-format', path: ['env', name], reason, remedy };
}

function twice(name: string): Problem {
  const reason = 'is set as a value and as a key of the Secret';
  return { code: 'duplicate', path: ['env', name], reason, remedy: 'set it once' };
}
