import { clusterOptions } from '../../cluster/cluster-connection';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { objectOutput, textOutput } from '../../command/output-options';
import { platformOption } from '../../input/input-options';
import { programOptions } from '../../input/program-variables';

/** Sources of usage history; several are combined. */
const historyOptions = {
  usage: {
    type: 'string',
    valueName: 'FILE',
    description: 'daily peaks from a file: {usage: [{project, days: [{day, peaks}]}]}',
  },
  live: { type: 'flag', description: 'history of the quota monitor in the cluster, and present usage' },
  prometheus: {
    type: 'string',
    valueName: 'URL',
    description: 'daily peaks from Prometheus, by range queries over kube-state-metrics and cAdvisor',
  },
  'token-file': {
    type: 'string',
    valueName: 'FILE',
    description: 'file of the bearer token for Prometheus',
    requires: 'prometheus',
  },
  days: {
    type: 'integer',
    min: 1,
    max: 400,
    default: 90,
    description: 'days to query, up to yesterday',
    requires: 'prometheus',
  },
  kubeconfig: { ...clusterOptions.kubeconfig, requires: 'live' },
  context: { ...clusterOptions.context, requires: 'live' },
} as const satisfies OptionSpecs;

/** Options of `pinion quota status`. */
export const quotaStatusOptions = {
  ...historyOptions,
  platform: platformOption,
  output: textOutput,
} as const satisfies OptionSpecs;

/** Options of `pinion quota propose`. */
export const proposeOptions = {
  ...historyOptions,
  factor: {
    type: 'string',
    valueName: 'NUMBER',
    description: 'factor by which a quota exceeds the peak',
    defaultText: '1.2',
  },
  keep: { type: 'list', valueName: 'DAYS', description: 'days that count although they look like outliers' },
  lower: { type: 'flag', description: 'allow existing values of a Project to be lowered' },
  'in-place': {
    type: 'flag',
    description: 'edit the input files and keep their comments; all of them or none',
    conflictsWith: ['file'],
  },
  file: { type: 'string', valueName: 'FILE', description: 'file to write', defaultText: 'standard output' },
  platform: platformOption,
  output: textOutput,
} as const satisfies OptionSpecs;

/** Options of `pinion quota review`. */
export const reviewOptions = {
  ...historyOptions,
  nodes: { type: 'string', valueName: 'FILE', description: 'nodes, as "kubectl get nodes -o json" prints them' },
  prices: {
    type: 'string',
    valueName: 'FILE',
    description: 'prices of resources: {currency, per, prices: [{resource, each, price}]}',
  },
  overcommit: {
    type: 'string',
    valueName: 'NUMBER',
    description: 'reject quotas that add up to more than this multiple of what the nodes hold',
    requires: 'nodes',
  },
  platform: platformOption,
  output: textOutput,
} as const satisfies OptionSpecs;

/** Options of `pinion quota manifests`. */
export const quotaManifestOptions = {
  image: { type: 'string', valueName: 'IMAGE', required: true, description: 'its image, with tag or digest' },
  ...programOptions,
  output: objectOutput,
} as const satisfies OptionSpecs;

/** Values of the options that name the history. */
export type HistoryOptions = OptionValues<typeof historyOptions>;

/** Values of `quotaStatusOptions`. */
export type QuotaStatusOptions = OptionValues<typeof quotaStatusOptions>;

/** Values of `proposeOptions`. */
export type ProposeOptions = OptionValues<typeof proposeOptions>;

/** Values of `reviewOptions`. */
export type ReviewOptions = OptionValues<typeof reviewOptions>;

/** Values of `quotaManifestOptions`. */
export type QuotaManifestOptions = OptionValues<typeof quotaManifestOptions>;
