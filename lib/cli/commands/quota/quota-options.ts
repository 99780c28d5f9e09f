import { type Arguments } from '../../command/arguments';
import { clusterOptions } from '../../cluster/cluster-connection';
import { inputOptions } from '../../input/input-options';
import { programOptions } from '../../input/program-variables';

/** Options of all words of `pinion quota`. */
export const quotaOptions = {
  platform: inputOptions.platform,
  ...clusterOptions,
  usage: { type: 'string' },
  live: { type: 'boolean' },
  prometheus: { type: 'string' },
  'token-file': { type: 'string' },
  days: { type: 'string' },
  image: { type: 'string' },
  ...programOptions,
  factor: { type: 'string' },
  keep: { type: 'string' },
  lower: { type: 'boolean' },
  'in-place': { type: 'boolean' },
  file: { type: 'string' },
  nodes: { type: 'string' },
  prices: { type: 'string' },
  overcommit: { type: 'string' },
  output: { type: 'string', short: 'o', values: ['text', 'json'] },
} as const;

/** A command line of `pinion quota`. */
export type QuotaArguments = Arguments<keyof typeof quotaOptions>;
