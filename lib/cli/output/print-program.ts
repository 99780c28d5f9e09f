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
  extraProblems: readonly Problem[] = [],
): Promise<ExitCode> {
  const problems = [...programProblems(objects), ...extraProblems];
  for (const chunk of problemLines(problems)) io.writeError(chunk);
  if (problems.some(isError)) return exitCodes.failure;
  await io.write(textOf(objects, output === 'json' ? 'json' : 'yaml'));
  return exitCodes.success;
}
