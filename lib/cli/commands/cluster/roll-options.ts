import { parseDuration } from '../../../api';
import { drainWaitKinds, type RollPolicy, defaultRollPolicy } from '../../../operations';
import { type Arguments, splitList, UsageError } from '../../command/arguments';
import { clusterOptions } from '../../cluster/cluster-connection';

/** Options of `pinion cluster roll`. */
export const rollOptions = {
  ...clusterOptions,
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  only: { type: 'string' },
  surge: { type: 'string' },
  'in-place': { type: 'boolean' },
  'accept-outage': { type: 'boolean' },
  canary: { type: 'string' },
  'ignore-canary': { type: 'boolean' },
  evict: { type: 'string', listOf: drainWaitKinds },
  'job-timeout': { type: 'string' },
  'pod-timeout': { type: 'string' },
  timeout: { type: 'string' },
  kubernetes: { type: 'string' },
  region: { type: 'string' },
  output: { type: 'string', short: 'o', values: ['text', 'json'] },
} as const;

/** A command line of `pinion cluster roll`. */
export type RollArguments = Arguments<keyof typeof rollOptions>;

/** What a roll may do by its command line. */
export function rollPolicy({ values, flags }: RollArguments): RollPolicy {
  const usual = defaultRollPolicy;
  return {
    ...usual,
    ...(values.only !== undefined && { only: splitList(values.only) }),
    surge: values.surge === undefined ? usual.surge : surgeOf(values.surge),
    inPlace: flags['in-place'] === true,
    acceptOutage: flags['accept-outage'] === true,
    machineTimeout: duration('timeout', values.timeout, usual.machineTimeout),
    drain: {
      evict: drainWaitKinds.filter((kind) => splitList(values.evict).includes(kind)),
      podTimeout: duration('pod-timeout', values['pod-timeout'], usual.drain.podTimeout),
      jobTimeout: duration('job-timeout', values['job-timeout'], usual.drain.jobTimeout),
    },
  };
}

function surgeOf(text: string): RollPolicy['surge'] {
  const found = /^([1-9]\d*)(%?)$/.exec(text);
  const number = Number(found?.[1]);
  if (!found || (found[2] === '%' && number > 100))
    throw new UsageError(`--surge takes a number of machines or a percentage up to 100%, not ${JSON.stringify(text)}`);
  return found[2] === '%' ? { percent: number } : { count: number };
}

function duration(option: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const milliseconds = parseDuration(text)?.millis;
  if (milliseconds === undefined || milliseconds <= 0)
    throw new UsageError(`--${option} takes a duration such as 90m or 6h, not ${JSON.stringify(text)}`);
  return milliseconds;
}
