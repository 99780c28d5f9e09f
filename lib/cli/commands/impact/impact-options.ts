import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { manifestOptions } from '../../input/read-manifests';

/** Options of `pinion impact report`. */
export const impactOptions = {
  from: {
    type: 'string',
    valueName: 'REVISION',
    description: 'git revision to compare the inputs with, such as main; its files are read from the repository',
  },
  to: {
    type: 'string',
    valueName: 'REVISION',
    requires: 'from',
    description: 'later git revision',
    defaultText: 'the work tree',
  },
  ...manifestOptions,
  all: { type: 'flag', description: 'list all workloads, not only the first ones of each cause' },
  output: {
    type: 'choice',
    short: 'o',
    choices: ['text', 'json', 'markdown'],
    default: 'text',
    description: 'output format; json is one document, markdown is for a comment on a code review',
  },
} as const satisfies OptionSpecs;

/** Values of `impactOptions`. */
export type ImpactOptions = OptionValues<typeof impactOptions>;
