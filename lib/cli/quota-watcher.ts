import { watchObjects } from '../programs';
import { watchRules } from '../quota';
import { writeYaml } from '../yaml';
import { UsageError } from './arguments';
import { exitCodes, type ExitCode } from './exit-codes';
import { type Io } from './io';
import { textOf } from './object-text';
import { type GivenQuota } from './quota-options';

/** `pinion quota watcher`: what runs the watcher in a cluster, or what watches it. */
export async function quotaWatcher(words: readonly string[], { texts, flags }: GivenQuota, io: Io): Promise<ExitCode> {
  if (words.length > 0) throw new UsageError(`quota watcher takes options only, not ${words[0] ?? ''}`);
  if ((texts.image === undefined) === (flags.rules === undefined))
    throw new UsageError('quota watcher needs --image IMAGE or --rules');
  const isJson = texts.output === 'json';
  if (texts.image !== undefined) await io.write(textOf(watchObjects({ image: texts.image }), isJson ? 'json' : 'yaml'));
  else await io.write(isJson ? `${JSON.stringify(watchRules(), null, 2)}\n` : writeYaml(watchRules()));
  return exitCodes.fine;
}
