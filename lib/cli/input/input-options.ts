import { type ArgumentSpec, type OptionSpec, type OptionSpecs } from '../command/command-spec';

/** Files and folders of manifests, as positional arguments. */
export const inputArgument = {
  valueName: 'INPUT',
  description: 'files, folders (all *.yaml, *.yml and *.json files in them), or - for standard input',
  repeatable: true,
} as const satisfies ArgumentSpec;

/** Manifests of the target cluster. */
export const platformOption = {
  type: 'string',
  valueName: 'FILE',
  description: 'manifests of the cluster: Platform, RuntimeProfile and Projects',
  defaultText: 'those in the inputs, else the nearest pinion.platform.yaml, else built-in defaults',
} as const satisfies OptionSpec;

/** Options of commands that read manifests. */
export const inputOptions = {
  platform: platformOption,
  quiet: { type: 'flag', short: 'q', description: 'print no summary' },
} as const satisfies OptionSpecs;
