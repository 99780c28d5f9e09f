import { clusterOptions, liveOptions } from '../../cluster/cluster-connection';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';

/** Options of `pinion crds check`. */
export const definitionCheckOptions = {
  from: {
    type: 'string',
    valueName: 'REVISION',
    description: 'git revision of the former definitions; the arguments are files or folders of the repository',
    conflictsWith: ['live'],
  },
  to: {
    type: 'string',
    valueName: 'REVISION',
    requires: 'from',
    description: 'git revision of the new definitions (default: the work tree)',
  },
  live: {
    type: 'flag',
    description: 'take the former definitions and all of their objects from the cluster; nothing is changed',
  },
  kubeconfig: clusterOptions.kubeconfig,
  context: liveOptions.context,
  objects: {
    type: 'list',
    valueName: 'PATH',
    description: 'files or folders with stored objects, such as kubectl get -o json or a dump of a backup',
  },
  'scratch-context': {
    type: 'string',
    valueName: 'NAME',
    description:
      'context of a scratch API server without these definitions, which judges instead of pinion; what is created there is deleted again, except for namespaces',
  },
  'allow-pruning': {
    type: 'list',
    valueName: 'PATH',
    description: 'fields whose removal from stored objects is intended, such as spec.legacy or spec.ports[].alias, or of one definition: services.example.com:spec.legacy',
  },
  all: { type: 'flag', description: 'also list safe changes' },
  output: {
    type: 'choice',
    short: 'o',
    choices: ['text', 'json', 'markdown'],
    default: 'text',
    description: 'output format; json is one document, markdown is for a comment on a code review',
  },
} as const satisfies OptionSpecs;

/** Values of `definitionCheckOptions`. */
export type DefinitionCheckOptions = OptionValues<typeof definitionCheckOptions>;
