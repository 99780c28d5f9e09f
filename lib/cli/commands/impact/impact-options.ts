import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { clusterOptions } from '../../cluster/cluster-connection';
import { manifestOptions } from '../../input/read-manifests';

/** Options of `pinion impact report`. */
export const impactOptions = {
  from: {
    type: 'string',
    valueName: 'REVISION',
    description: 'git revision to compare the inputs with, such as main; its files are read from the repository',
    conflictsWith: ['snapshot', 'live', 'context'],
  },
  to: {
    type: 'string',
    valueName: 'REVISION',
    requires: 'from',
    description: 'later git revision',
    defaultText: 'the work tree',
  },
  snapshot: {
    type: 'list',
    valueName: 'FILE',
    description:
      'snapshot of a cluster to which the inputs are applied, from "pinion impact snapshot"; can be repeated',
  },
  live: { type: 'flag', description: 'read the cluster of the kubeconfig instead of a snapshot' },
  context: {
    type: 'list',
    valueName: 'NAME',
    description: 'context of the kubeconfig file whose cluster is read; can be repeated',
  },
  kubeconfig: clusterOptions.kubeconfig,
  ...manifestOptions,
  'allow-pruning': {
    type: 'list',
    valueName: 'PATH',
    description: 'fields of definitions whose removal from stored objects is intended, as for pinion crds check',
  },
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
