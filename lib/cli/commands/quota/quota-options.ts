import { clusterOptions } from '../../cluster/cluster-connection';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { objectOutput, textOutput } from '../../command/output-options';
import { platformOption } from '../../input/input-options';
import { programOptions } from '../../input/program-variables';
import { dateOf, dayOf } from '../../../capacity';
import { decimalType, httpUrlType, textType } from '../../command/option-value-type';

/** Type of a list of days; rejects dates that do not exist. */
const daysType = textType('DAYS', 'days, such as 2026-05-02,2026-05-03', (text) => dateOf(dayOf(text)) === text);

/** Sources of usage history; several are combined. */
const historyOptions = {
  usage: {
    type: 'string',
    valueName: 'FILE',
    description: 'file with daily peaks: {usage: [{project, days: [{day, peaks}]}]}',
  },
  live: { type: 'flag', description: 'read the history of the quota monitor and the current usage from the cluster' },
  prometheus: {
    type: 'parsed',
    valueType: httpUrlType('https://prometheus.example.com'),
    description: 'URL of a Prometheus to query daily peaks from, with metrics of kube-state-metrics and cAdvisor',
  },
  'token-file': {
    type: 'string',
    valueName: 'FILE',
    description: 'file with the bearer token for Prometheus',
    requires: 'prometheus',
  },
  days: {
    type: 'integer',
    min: 1,
    max: 400,
    default: 90,
    description: 'number of days to query, up to yesterday',
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
    type: 'parsed',
    valueType: decimalType({ min: 1, max: 10, example: '1.2' }),
    description: 'proposed quota as a multiple of the peak',
    defaultText: '1.2',
  },
  keep: {
    type: 'list',
    valueName: 'DAYS',
    items: daysType,
    description: 'days to include even if they look like outliers',
  },
  lower: { type: 'flag', description: 'allow existing values of a Project to be lowered' },
  'in-place': {
    type: 'flag',
    description: 'edit the input files, all or none, and keep their comments',
    conflictsWith: ['file', 'output=json'],
  },
  file: { type: 'string', valueName: 'FILE', description: 'file to write', defaultText: 'standard output' },
  platform: platformOption,
  output: textOutput,
} as const satisfies OptionSpecs;

/** Options of `pinion quota review`. */
export const reviewOptions = {
  ...historyOptions,
  nodes: { type: 'string', valueName: 'FILE', description: 'file with the output of "kubectl get nodes -o json"' },
  prices: {
    type: 'string',
    valueName: 'FILE',
    description: 'file with prices of resources: {currency, per, prices: [{resource, each, price}]}',
  },
  overcommit: {
    type: 'parsed',
    valueType: decimalType({ min: 0, example: '1.5' }),
    description: 'maximum sum of all quotas, as a multiple of the capacity of the nodes',
    requires: 'nodes',
  },
  platform: platformOption,
  output: textOutput,
} as const satisfies OptionSpecs;

/** Options of `pinion quota manifests`. */
export const quotaManifestOptions = {
  image: {
    type: 'string',
    valueName: 'IMAGE',
    required: true,
    description: 'image of the quota monitor, with tag or digest',
  },
  ...programOptions,
  output: objectOutput,
} as const satisfies OptionSpecs;

/** Values of `historyOptions`. */
export type HistoryOptions = OptionValues<typeof historyOptions>;

/** Values of `quotaStatusOptions`. */
export type QuotaStatusOptions = OptionValues<typeof quotaStatusOptions>;

/** Values of `proposeOptions`. */
export type ProposeOptions = OptionValues<typeof proposeOptions>;

/** Values of `reviewOptions`. */
export type ReviewOptions = OptionValues<typeof reviewOptions>;

/** Values of `quotaManifestOptions`. */
export type QuotaManifestOptions = OptionValues<typeof quotaManifestOptions>;
