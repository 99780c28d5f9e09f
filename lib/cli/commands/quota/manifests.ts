import { quotaMonitorManifests, quotaMonitorVariableProblems } from '../../../programs';
import { UsageError } from '../../command/arguments';
import { type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { printManifests } from '../../output/print-program';
import { parseProgramVariables } from '../../input/program-variables';
import { type QuotaArguments } from './quota-options';

/** `pinion quota manifests`: what runs the watcher in a cluster. */
export async function printMonitorManifests(
  words: readonly string[],
  { values }: QuotaArguments,
  io: Io,
): Promise<ExitCode> {
  if (words.length > 0) throw new UsageError(`quota manifests takes options only, not ${words[0] ?? ''}`);
  if (values.image === undefined) throw new UsageError('quota manifests needs --image IMAGE');
  const variables = parseProgramVariables(values);
  const objects = quotaMonitorManifests({ image: values.image, ...variables });
  return printManifests(objects, values.output, io, quotaMonitorVariableProblems(variables));
}
