import { workloadKinds } from '../../../api';
import { canaryDeploymentPaths } from '../../../programs';
import { type Arguments } from '../../command/arguments';
import { clusterOptions } from '../../cluster/cluster-connection';
import { programOptions } from '../../input/program-variables';

/** Options of all words of `pinion canary`. */
export const canaryOptions = {
  ...clusterOptions,
  kind: { type: 'string', listOf: Object.keys(workloadKinds) },
  'deployment-path': { type: 'string', listOf: canaryDeploymentPaths },
  timeout: { type: 'string' },
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

/** A command line of `pinion canary`, without its arguments. */
export type CanaryArguments = Omit<Arguments<keyof typeof canaryOptions>, 'positionals'>;
