import { UsageError } from '../command/arguments';

/** Options that say what variables a program of the platform has. */
export const programOptions = { env: { type: 'string' }, secret: { type: 'string' } } as const;

/** Lines of `--help` on `programOptions`. */
export const programHelp = `  --env VARIABLES   further variables, as NAME=VALUE with commas between them
  --secret SECRET   Secret of its project with variables that hold secrets, as NAME:KEY,KEY`;

/** Variables of a program, and the Secret that has others of them. */
export interface GivenProgramVariables {
  readonly env?: Readonly<Record<string, string>>;
  readonly secret?: { readonly name: string; readonly keys: readonly string[] };
}

const variable = /^[A-Z][A-Z0-9_]*$/;
/** Values may be lists: another variable begins at a comma only where a name and an equals sign follow. */
const betweenVariables = /,(?=[A-Za-z_][A-Za-z0-9_]*=)/;

/** Reads what `--env` and `--secret` say. Throws a `UsageError` for what is neither. */
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
      throw new UsageError(`--env takes NAME=VALUE,NAME=VALUE with names such as QUOTA_PUSHGATEWAY_URL, not ${pair}`);
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
      `--secret takes NAME:KEY,KEY with keys that are names of variables, not ${JSON.stringify(text)}`,
    );
  return { name, keys: names };
}
