import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { liveOptions } from '../../cluster/cluster-connection';
import { manifestOptions } from '../../input/read-manifests';
import { serviceOptions } from '../../service/service-options';

const { server, ...otherServiceOptions } = serviceOptions;
const { required: _, ...optionalServer } = server;

/** Options of `pinion diff`. */
export const diffOptions = {
  to: {
    type: 'string',
    valueName: 'STAGE|REVISION',
    description: 'stage to deploy the artifact to; or, with --from, the later git revision (default: the work tree)',
  },
  from: {
    type: 'string',
    valueName: 'REVISION',
    description: 'git revision to compare the inputs with, such as main; its files are read from the repository',
    conflictsWith: ['live', 'to-stage'],
  },
  live: { type: 'flag', description: 'compare the inputs with the cluster of the kubeconfig; nothing is changed' },
  ...manifestOptions,
  'to-stage': {
    type: 'string',
    valueName: 'STAGE',
    requires: 'stage',
    conflictsWith: ['live'],
    description: 'stage to compare with the one of --stage',
  },
  kubeconfig: liveOptions.kubeconfig,
  context: liveOptions.context,
  'exit-code': { type: 'flag', description: 'also exit with 1 if anything would change, like git diff' },
  server: optionalServer,
  ...otherServiceOptions,
  output: {
    type: 'choice',
    short: 'o',
    choices: ['text', 'json', 'markdown'],
    default: 'text',
    description: 'output format; json is one document, markdown is for a comment on a code review',
  },
} as const satisfies OptionSpecs;

/** Values of `diffOptions`. */
export type DiffOptions = OptionValues<typeof diffOptions>;
