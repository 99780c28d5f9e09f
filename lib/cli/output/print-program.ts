import { isError, type Problem } from '../../api';
import { programProblems } from '../../programs';
import { exitCodes, type ExitCode } from '../command/exit-codes';
import { type Io } from '../io/io';
import { textOf } from './object-text';
import { problemLines } from './tally';

/** Prints the manifests of a program; if there are problems, prints those only. */
export async function printManifests(
  objects: Parameters<typeof programProblems>[0],
  output: string | undefined,
  io: Io,
  others: readonly Problem[] = [],
): Promise<ExitCode> {
  const problems = [...programProblems(objects), ...others];
  for (const piece of problemLines(problems)) io.writeError(piece);
  if (problems.some(isError)) return exitCodes.failure;
  await io.write(textOf(objects, output === 'json' ? 'json' : 'yaml'));
  return exitCodes.success;
}
