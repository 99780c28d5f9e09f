import { nearest, type Problem } from '../api';
import { containsSecret } from './secure-url';
import { canaryVariables, quotaMonitorVariables } from './variables';

/** Additional environment variables of a program: values, or keys of a Secret. */
export interface EnvironmentVariables {
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly secret?: { readonly name: string; readonly keys: readonly string[] } | undefined;
}

/** Variables of Node.js, OpenSSL and the AWS SDK. */
const runtimeVariables = /^(AWS_[A-Z0-9_]+|NODE_[A-Z0-9_]+|UV_[A-Z0-9_]+|OPENSSL_CONF|SSL_CERT_(FILE|DIR)|TZ)$/;
const secretName = /_TOKEN$|_KEY$|SECRET|PASSWORD/;

/** Validates environment variables of the canary; problems contain no values. */
export const canaryVariableProblems = (variables: EnvironmentVariables): Problem[] =>
  problemsOf(variables, Object.keys(canaryVariables));

/** Validates environment variables of the quota monitor; problems contain no values. */
export const quotaMonitorVariableProblems = (variables: EnvironmentVariables): Problem[] =>
  problemsOf(variables, Object.keys(quotaMonitorVariables));

function problemsOf({ env = {}, secret }: EnvironmentVariables, knownNames: readonly string[]): Problem[] {
  const secretKeys = secret?.keys ?? [];
  const isKnown = (name: string): boolean => knownNames.includes(name) || runtimeVariables.test(name);
  const variables = [
    ...Object.keys(env).map((name) => ({ name, path: ['env', name] })),
    ...secretKeys.map((name, index) => ({ name, path: ['secret', 'keys', index] })),
  ];
  return [
    ...variables.filter(({ name }) => !isKnown(name)).map(({ name, path }) => unknownVariable(name, path, knownNames)),
    ...Object.entries(env)
      .filter(([name, value]) => isKnown(name) && isSecret(name, value))
      .map(([name]) => exposedSecret(name)),
    ...secretKeys.filter((name) => Object.hasOwn(env, name)).map(duplicateVariable),
  ];
}

const isSecret = (name: string, value: string): boolean =>
  (secretName.test(name) && !name.endsWith('_FILE')) || containsSecret(value);

function unknownVariable(name: string, path: Problem['path'], knownNames: readonly string[]): Problem {
  const suggestion = nearest(name, knownNames);
  const reason = `sets ${name}, which is not a variable of this program`;
  const remedy = suggestion === undefined ? `use ${knownNames.join(', ')}` : `use ${suggestion}`;
  return { code: 'unknown-field', path, reason, remedy };
}

function exposedSecret(name: string): Problem {
  const reason = 'contains a secret, which is visible to everyone with access to the workload';
  const remedy = `store it in a Secret of its project and reference the key: --secret NAME:${name}, or secret: {name: NAME, keys: [${name}]}`;
  return { code: 'bad-format', path: ['env', name], reason, remedy };
}

function duplicateVariable(name: string): Problem {
  const reason = 'is set as a value and as a key of the Secret';
  return { code: 'duplicate', path: ['env', name], reason, remedy: 'set it once' };
}
