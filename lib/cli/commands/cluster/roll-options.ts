import { drainWaitKinds, type RollPolicy, defaultRollPolicy } from '../../../operations';
import { canaryProject } from '../../../programs';
import { clusterOptions } from '../../cluster/cluster-connection';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { yesOption } from '../../command/output-options';
import { type OptionValueType } from '../../command/option-value-type';

const surgeType = {
  valueName: 'COUNT|PERCENT',
  expected: 'a number of machines or a percentage up to 100%',
  parse(text: string): RollPolicy['surge'] | undefined {
    const match = /^([1-9]\d*)(%?)$/.exec(text);
    const number = Number(match?.[1]);
    if (!match || (match[2] === '%' && number > 100)) return undefined;
    return match[2] === '%' ? { percent: number } : { count: number };
  },
} as const satisfies OptionValueType<RollPolicy['surge']>;

/** Options of `pinion cluster roll`. */
export const rollOptions = {
  'dry-run': { type: 'flag', description: 'show what would be replaced, and change nothing' },
  yes: yesOption,
  only: {
    type: 'list',
    valueName: 'UNITS',
    description: 'units to replace, such as control-plane-a or the name of a pool',
    defaultText: 'all',
  },
  surge: {
    type: 'parsed',
    valueType: surgeType,
    description: 'number or percentage of machines of a pool to replace at once',
    defaultText: '10%',
  },
  'in-place': { type: 'flag', description: 'let a pool that cannot grow remove old machines first' },
  'accept-outage': {
    type: 'flag',
    description: 'replace a control plane node even if etcd loses its quorum in the meantime',
  },
  canary: {
    type: 'string',
    valueName: 'PROJECT',
    description: 'project of the canary whose gate is checked; if set, the canary must exist',
    defaultText: canaryProject,
  },
  'ignore-canary': { type: 'flag', description: 'continue even if the last canary run failed or is too old' },
  evict: {
    type: 'list',
    valueName: 'PODS',
    choices: drainWaitKinds,
    description: `pods to evict instead of waiting for them: ${drainWaitKinds.join(', ')}`,
  },
  'job-timeout': { type: 'duration', defaultText: '24h', description: 'time to wait for pods of Jobs' },
  'pod-timeout': { type: 'duration', defaultText: '1h', description: 'time to wait for other pods to terminate' },
  timeout: { type: 'duration', defaultText: '20m', description: 'time to wait for a new machine to become ready' },
  kubernetes: {
    type: 'string',
    valueName: 'VERSION',
    description: 'Kubernetes version of the new images, if the launch templates do not specify it',
  },
  region: {
    type: 'string',
    valueName: 'REGION',
    required: true,
    environment: 'AWS_REGION',
    description: 'AWS region',
  },
  ...clusterOptions,
  output: {
    type: 'choice',
    short: 'o',
    choices: ['text', 'json'],
    defaultText: 'text',
    description: 'output format of --dry-run',
    requires: 'dry-run',
  },
} as const satisfies OptionSpecs;

/** Values of `rollOptions`. */
export type RollOptions = OptionValues<typeof rollOptions>;

/** Returns the policy of a roll. */
export function rollPolicy(options: RollOptions): RollPolicy {
  const defaults = defaultRollPolicy;
  return {
    ...defaults,
    ...(options.only !== undefined && { only: options.only }),
    surge: options.surge ?? defaults.surge,
    inPlace: options['in-place'],
    acceptOutage: options['accept-outage'],
    machineTimeout: options.timeout ?? defaults.machineTimeout,
    drain: {
      evict: drainWaitKinds.filter((kind) => options.evict?.includes(kind)),
      podTimeout: options['pod-timeout'] ?? defaults.drain.podTimeout,
      jobTimeout: options['job-timeout'] ?? defaults.drain.jobTimeout,
    },
  };
}
