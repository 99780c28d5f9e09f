import { clusterOptions } from '../../cluster/cluster-connection';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { textOutput, yesOption } from '../../command/output-options';

/** Options of `pinion crds migrate`. */
export const migrationOptions = {
  ...clusterOptions,
  'dry-run': { type: 'flag', description: 'show the plan, and change nothing' },
  yes: yesOption,
  output: textOutput,
} as const satisfies OptionSpecs;

/** Values of `migrationOptions`. */
export type MigrationOptions = OptionValues<typeof migrationOptions>;

