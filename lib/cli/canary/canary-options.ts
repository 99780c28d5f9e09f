import { workloadKinds } from '../../api';
import { canaryDoors } from '../../programs';
import { type Arguments } from '../arguments';
import { clusterOptions } from '../cluster-connection';
import { programOptions } from '../program-variables';

/** Options of all words of `pinion canary`. */
export const canaryOptions = {
  ...clusterOptions,
  kind: { type: 'string', several: Object.keys(workloadKinds) },
  door: { type: 'string', several: canaryDoors },
  patience: { type: 'string' },
  'name-server': { type: 'string' },
  image: { type: 'string' },
  project: { type: 'string' },
  fresh: { type: 'string' },
  namespace: { type: 'string' },
  json: { type: 'boolean' },
  schedule: { type: 'string' },
  ...programOptions,
  output: { type: 'string', short: 'o', values: ['yaml', 'json'] },
} as const;

/** A command line of `pinion canary`, without its words. */
export type GivenCanary = Omit<Arguments<keyof typeof canaryOptions>, 'words'>;
