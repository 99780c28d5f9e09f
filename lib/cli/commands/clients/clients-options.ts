import { clusterOptions } from '../../cluster/cluster-connection';
import { listenAddressType } from '../../command/listen-address';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { decimalType } from '../../command/option-value-type';
import { textOutput } from '../../command/output-options';
import { platformOption } from '../../input/input-options';

const filter = (what: string) =>
  ({ type: 'list', valueName: 'NAMES', description: `count only these ${what}; * matches any characters` }) as const;

/** Options of `pinion clients`. */
export const clientsOptions = {
  listen: {
    type: 'parsed',
    valueType: listenAddressType,
    description:
      'address on which to receive audit webhook events until stopped; serves metrics at /metrics and the top rows at /top',
    conflictsWith: ['check', 'output=json'],
  },
  metrics: {
    type: 'list',
    valueName: 'FILES',
    description:
      'files or URLs of metrics: of gateways, whose requests are counted, and of an API server, for the size of resources and its seats',
  },
  'token-file': {
    type: 'string',
    valueName: 'FILE',
    description: 'file with the bearer token for the URLs',
    requires: 'metrics',
  },
  live: { type: 'flag', description: 'read Projects and the metrics of the API server from the cluster' },
  kubeconfig: { ...clusterOptions.kubeconfig, requires: 'live' },
  context: { ...clusterOptions.context, requires: 'live' },
  platform: { ...platformOption, defaultText: 'the nearest pinion.platform.yaml' },
  gateway: {
    type: 'string',
    valueName: 'USER',
    description: 'user name of the gateway; requests of Projects that bypass it are then reported',
  },
  direct: {
    type: 'list',
    valueName: 'NAMESPACES',
    description: 'namespaces whose service accounts may bypass the gateway',
    defaultText: 'kube-system, those of the Platform, and infrastructure Projects',
    requires: 'gateway',
  },
  history: {
    type: 'string',
    valueName: 'NAMESPACE',
    description: 'namespace of the client history: with --listen, store it there; otherwise, show its last week',
    requires: 'live',
  },
  'history-file': {
    type: 'string',
    valueName: 'FILE',
    description:
      'show the client history of a file with its ConfigMaps, the output of "kubectl get configmaps -o json"',
    conflictsWith: ['history', 'listen'],
  },
  server: {
    type: 'string',
    valueName: 'NAME',
    description: 'name of the API server that sends its events, the same after a restart',
    defaultText: 'the host name',
    requires: 'listen',
  },
  factor: {
    type: 'parsed',
    valueType: decimalType({ min: 1, max: 10, example: '1.2' }),
    description: 'proposed API budget as a multiple of the peak',
    defaultText: '1.2',
  },
  lower: { type: 'flag', description: 'allow API budgets of a Project to be lowered' },
  project: filter('Projects'),
  account: filter('users and service accounts'),
  'user-agent': filter('programs'),
  resource: filter('resources, such as pods or deployments.apps'),
  verb: filter('verbs'),
  check: { type: 'flag', description: 'exit with code 1 if a client violates a practice' },
  top: { type: 'integer', min: 1, max: 1000, default: 10, description: 'number of rows per table, up to 1000' },
  output: textOutput,
} as const satisfies OptionSpecs;

/** Values of the options of `pinion clients`. */
export type ClientsOptions = OptionValues<typeof clientsOptions>;
