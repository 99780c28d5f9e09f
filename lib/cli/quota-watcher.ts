import { watchObjects, watchVariableProblems } from '../programs';
import { UsageError } from './arguments';
import { type ExitCode } from './exit-codes';
import { type Io } from './io';
import { writeProgram } from './program-objects';
import { programVariables } from './program-variables';
import { type GivenQuota } from './quota-options';

/** `pinion quota watcher`: what runs the watcher in a cluster. */
export async function quotaWatcher(words: readonly string[], { texts }: GivenQuota, io: Io): Promise<ExitCode> {
  if (words.length > 0) throw new UsageError(`quota watcher takes options only, not ${words[0] ?? ''}`);
  if (texts.image === undefined) throw new UsageError('quota watcher needs --image IMAGE');
  const variables = programVariables(texts);
  const objects = watchObjects({ image: texts.image, ...variables });
  return writeProgram(objects, texts.output, io, watchVariableProblems(variables));
}
