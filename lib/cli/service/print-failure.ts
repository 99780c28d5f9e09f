import { isError, type Problem } from '../../api';
import { type RequestFailed } from '../../contract';
import { exitCodes, type ExitCode } from '../command/exit-codes';
import { type Io } from '../io/io';
import { problemLines } from '../output/tally';
import { previewText } from './preview-text';
import { onOneLine, printable } from './printable';

/** Prints why the service rejected a request: problems with their remedies, and exceeded quotas. */
export async function printFailure({ failure, retryAfter }: RequestFailed, isJson: boolean, io: Io): Promise<ExitCode> {
  const { status, title, detail, preview } = failure;
  const isUnavailable = status === 401 || status === 408 || status === 429 || status >= 500;
  if (isJson) await io.write(`${JSON.stringify({ failure }, null, 2)}\n`);
  const hint =
    status === 401
      ? '; the token was rejected: it may have expired or have the wrong audience'
      : retryAfter === undefined
        ? ''
        : `; retry in ${Math.ceil(retryAfter / 1000)} s`;
  io.writeError(`pinion: ${onOneLine(detail ?? title)}${hint}\n`);
  printProblems(serviceProblems(failure.problems), io);
  if (preview && !isJson) io.writeError(previewText(preview));
  return isUnavailable ? exitCodes.unavailable : exitCodes.failure;
}

/** Prints problems in the format of all commands. */
export function printProblems(problems: readonly Problem[], io: Io): void {
  for (const line of problemLines(problems)) io.writeError(printable(line));
}

/** Returns problems of the service as problems of the library; undefined members are absent. */
export const serviceProblems = (
  problems: readonly { readonly [M in keyof Problem]?: unknown }[] = [],
): readonly Problem[] => problems as readonly Problem[];

/** Returns whether any problem is an error. */
export const hasErrors = (problems: readonly Problem[]): boolean => problems.some(isError);
