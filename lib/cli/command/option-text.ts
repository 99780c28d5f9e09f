import { type ArgumentSpec, type CommandSpec, type OptionSpec, type OptionSpecs } from './command-spec';

const helpOption: OptionSpec = { type: 'flag', short: 'h', description: 'show this help' };

/** Adds `--help`, which every command has, to the options of a command. */
export const withHelpOption = (options: OptionSpecs = {}): OptionSpecs => ({ ...options, help: helpOption });

/** Returns the placeholder of an option's value; empty for a flag. */
export function valueNameOf(option: OptionSpec): string {
  if (option.valueName !== undefined) return option.valueName;
  switch (option.type) {
    case 'flag':
      return '';
    case 'integer':
      return 'COUNT';
    case 'duration':
      return 'DURATION';
    case 'choice':
      return option.choices.join('|');
    case 'parsed':
      return option.valueType.valueName;
    case 'list':
      return 'LIST';
    case 'string':
      return 'VALUE';
  }
}

/** Returns the usage of an option: `-o, --output yaml|json`. */
export function optionLabel(name: string, option: OptionSpec): string {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  return `${short}--${name} ${valueNameOf(option)}`.trimEnd();
}

/** Returns the description of an option with its default and its environment variable. */
export function optionText(option: OptionSpec): string {
  const fallback = defaultOf(option);
  const unless = 'requiredUnless' in option ? option.requiredUnless : undefined;
  const notes = [
    ...('required' in option && option.required === true && fallback === undefined ? ['required'] : []),
    ...(unless === undefined ? [] : [`required unless --${unless} is set`]),
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
    ...(option.environment === undefined ? [] : [`environment: ${option.environment}`]),
  ];
  return notes.length === 0 ? option.description : `${option.description} (${notes.join('; ')})`;
}

/** Returns the default of an option as text; undefined if it has none. */
const defaultOf = (option: OptionSpec): string | undefined =>
  option.defaultText ?? ('default' in option && option.default !== undefined ? String(option.default) : undefined);

/** Returns the usage line of a command. */
export function usageLine(path: readonly string[], spec: CommandSpec): string {
  const required = Object.entries(spec.options ?? {})
    .filter(([, option]) => 'required' in option && option.required === true && option.environment === undefined)
    .map(([name, option]) => `--${name} ${valueNameOf(option)}`);
  const labels = Object.values(spec.arguments ?? {}).map(argumentLabel);
  return ['pinion', ...path, ...required, '[options]', ...labels].join(' ');
}

/** Returns the usage of a positional argument: `[INPUT...]`. */
export function argumentLabel({ valueName, usage, required, repeatable }: ArgumentSpec): string {
  if (usage !== undefined) return usage;
  const label = repeatable === true ? `${valueName}...` : valueName;
  return required === true ? label : `[${label}]`;
}
