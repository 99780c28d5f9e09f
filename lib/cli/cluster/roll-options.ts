import { parseDuration } from '../../api';
import { patientKinds, type RollPolicy, usualRollPolicy } from '../../operations';
import { type Arguments, listOf, UsageError } from '../arguments';
import { clusterOptions } from '../cluster-connection';

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
  evict: { type: 'string', several: patientKinds },
  'job-patience': { type: 'string' },
  'pod-patience': { type: 'string' },
  patience: { type: 'string' },
  kubernetes: { type: 'string' },
  region: { type: 'string' },
  output: { type: 'string', short: 'o', values: ['text', 'json'] },
} as const;

/** A command line of `pinion cluster roll`. */
export type RollArguments = Arguments<keyof typeof rollOptions>;

/** What a roll may do by its command line. */
export function rollPolicy({ texts, flags }: RollArguments): RollPolicy {
  const usual = usualRollPolicy;
  return {
    ...usual,
    ...(texts.only !== undefined && { only: listOf(texts.only) }),
    surge: texts.surge === undefined ? usual.surge : surgeOf(texts.surge),
    inPlace: flags['in-place'] === true,
    acceptOutage: flags['accept-outage'] === true,
    machinePatience: duration('patience', texts.patience, usual.machinePatience),
    drain: {
      evict: patientKinds.filter((kind) => listOf(texts.evict).includes(kind)),
      podPatience: duration('pod-patience', texts['pod-patience'], usual.drain.podPatience),
      jobPatience: duration('job-patience', texts['job-patience'], usual.drain.jobPatience),
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
