import { type OptionSpecs } from '../command/command-spec';
import { UsageError } from '../command/usage-error';

/** Options for the environment variables of an installed program. */
export const programOptions = {
  env: {
    type: 'string',
    valueName: 'NAME=VALUE,...',
    description: 'additional environment variables, comma-separated',
  },
  secret: {
    type: 'string',
    valueName: 'NAME:KEY,...',
    description: 'Secret of its project whose keys become environment variables',
  },
} as const satisfies OptionSpecs;

/** Environment variables of a program, in plain text and from a Secret. */
export interface GivenProgramVariables {
  readonly env?: Readonly<Record<string, string>>;
  readonly secret?: { readonly name: string; readonly keys: readonly string[] };
}

const variable = /^[A-Z][A-Z0-9_]*$/;
/** Values may be lists: another variable begins at a comma only where a name and an equals sign follow. */
const betweenVariables = /,(?=[A-Za-z_][A-Za-z0-9_]*=)/;

/** Parses `--env` and `--secret`. Throws a `UsageError`. */
export function parseProgramVariables({
  env,
  secret,
}: {
  readonly env?: string;
  readonly secret?: string;
}): GivenProgramVariables {
  return {
    ...(env !== undefined && { env: variablesOf(env) }),
    ...(secret !== undefined && { secret: secretOf(secret) }),
  };
}

function variablesOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(betweenVariables).map((pair) => {
    const at = pair.indexOf('=');
    if (at < 0 || !variable.test(pair.slice(0, at)))
      throw new UsageError(`--env must be NAME=VALUE,NAME=VALUE with names such as QUOTA_PUSHGATEWAY_URL, not ${pair}`);
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

function secretOf(text: string): { readonly name: string; readonly keys: readonly string[] } {
  const [, name = '', keys = ''] =
    /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?):(.+)$/.exec(text)?.filter((_, at) => at !== 2) ?? [];
  const names = keys.split(',');
  if (name === '' || !names.every((key) => variable.test(key)))
    throw new UsageError(
      `--secret must be NAME:KEY,KEY with keys that are variable names, not ${JSON.stringify(text)}`,
    );
  return { name, keys: names };
}
