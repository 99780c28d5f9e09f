import { isError, type Problem } from '../../api';
import { type RequestFailed } from '../../contract';
import { exitCodes, type ExitCode } from '../exit-codes';
import { type Io } from '../io';
import { problemLines } from '../tally';
import { checkText } from './check-text';
import { onOneLine, printable } from './printable';

/** Says what the service refuses: its problems with their remedies, and the numbers where they are short. */
export async function tellFailure({ failure, retryAfter }: RequestFailed, isJson: boolean, io: Io): Promise<ExitCode> {
  const { status, title, detail, check } = failure;
  const isAway = status === 401 || status === 408 || status === 429 || status >= 500;
  if (isJson) await io.write(`${JSON.stringify({ failure }, null, 2)}\n`);
  const hint =
    status === 401
      ? '; the token is not accepted: it may have expired, or be meant for somebody else'
      : retryAfter === undefined
        ? ''
        : `; it wants to be asked again in ${Math.ceil(retryAfter / 1000)} s`;
  io.tell(`pinion: ${onOneLine(detail ?? title)}${hint}\n`);
  tellProblems(problemsOf(failure.problems), io);
  if (check && !isJson) io.tell(checkText(check));
  return isAway ? exitCodes.inaccessible : exitCodes.problems;
}

/** Says problems as every verb does. */
export function tellProblems(problems: readonly Problem[], io: Io): void {
  for (const piece of problemLines(problems)) io.tell(printable(piece));
}

/** Problems of the service as those of the library; members that are undefined are absent. */
export const problemsOf = (problems: readonly { readonly [M in keyof Problem]?: unknown }[] = []): readonly Problem[] =>
  problems as readonly Problem[];

/** Whether any of them stops the work. */
export const hasErrors = (problems: readonly Problem[]): boolean => problems.some(isError);
