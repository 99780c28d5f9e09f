import { type CommandOption } from '../command/arguments';

/** Options of the verbs that read inputs. */
export const inputOptions = {
  platform: { type: 'string' },
  quiet: { type: 'boolean', short: 'q' },
} as const satisfies Record<string, CommandOption>;

/** What `--help` says of inputs. */
export const inputHelp = `Inputs are files, folders (all *.yaml, *.yml and *.json below, but not node_modules nor dot folders) or - for
standard input; YAML or JSON, any number of documents each.

  --platform FILE   documents of the cluster: Platform, RuntimeProfile, Project
                    (default: those among the inputs, else the nearest pinion.platform.yaml, else built-in)`;
