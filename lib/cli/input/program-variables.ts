import { type OptionSpecs, type OptionValues } from '../command/command-spec';
import { keyValuesType, type OptionValueType } from '../command/option-value-type';

/** Keys of a Secret that are set as environment variables. */
export interface SecretKeys {
  readonly name: string;
  readonly keys: readonly string[];
}

const variable = /^[A-Z][A-Z0-9_]*$/;

const variablesType = keyValuesType({
  valueName: 'NAME=VALUE,...',
  expected: 'NAME=VALUE,NAME=VALUE with names such as QUOTA_PUSHGATEWAY_URL',
  key: variable,
  value: /^/,
  // Values may be lists: a comma starts another variable only if a name and an equals sign follow.
  separator: /,(?=[A-Za-z_][A-Za-z0-9_]*=)/,
});

const secretKeysType = {
  valueName: 'NAME:KEY,...',
  expected: 'NAME:KEY,KEY with keys that are variable names',
  parse(text: string): SecretKeys | undefined {
    const match = /^(?<name>[a-z0-9]([-a-z0-9.]*[a-z0-9])?):(?<keys>.+)$/.exec(text)?.groups;
    const keys = match?.['keys']?.split(',') ?? [];
    return match?.['name'] !== undefined && keys.every((key) => variable.test(key))
      ? { name: match['name'], keys }
      : undefined;
  },
} as const satisfies OptionValueType<SecretKeys>;

/** Options for the environment variables of an installed program. */
export const programOptions = {
  env: {
    type: 'parsed',
    valueType: variablesType,
    description: 'additional environment variables, separated by commas',
  },
  secret: {
    type: 'parsed',
    valueType: secretKeysType,
    description: 'Secret whose keys become environment variables, in the project of the program',
  },
} as const satisfies OptionSpecs;

/** Environment variables of a program, in plain text and from a Secret. */
export type ProgramVariables = OptionValues<typeof programOptions>;

/** Returns the variables among the options of a command. */
export const programVariables = ({ env, secret }: ProgramVariables): ProgramVariables => ({
  ...(env !== undefined && { env }),
  ...(secret !== undefined && { secret }),
});
