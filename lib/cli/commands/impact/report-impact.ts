import { isError, type Problem } from '../../../api';
import { impactSteps, type ClusterImpact, type ImpactSide } from '../../../impact';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UsageError } from '../../command/usage-error';
import { type Io } from '../../io/io';
import { ownVersion } from '../../io/own-version';
import { Progress } from '../../io/progress';
import { problemLines } from '../../output/tally';
import { notesOfSides, type Side } from '../diff/compare-inputs';
import { readComparable, readRevisions, readSide } from '../diff/read-sides';
import { type ImpactOptions } from './impact-options';
import { impactExitCode, type ImpactReport } from './impact-report';
import { impactMarkdown } from './impact-markdown';
import { impactSide } from './impact-sides';
import { impactText } from './impact-text';

/** Prints the impact of a change. */
export async function reportImpact(inputs: readonly string[], options: ImpactOptions, io: Io): Promise<ExitCode> {
  const sides = await readComparable(options, (own) =>
    own.from === undefined ? readTwo(inputs, own, io) : readRevisions(inputs, own, io),
  );
  const [before, after] = sides.map(impactSide);
  const problems = sides.flatMap(errorsOf);
  for (const chunk of problemLines(problems)) io.writeError(chunk);
  if (sides.some(({ inputs: read, known }) => read.isUnavailable || known.isUnavailable)) return exitCodes.unavailable;
  if (problems.length > 0 || !before || !after) return exitCodes.usage;
  return printImpact(
    { clusters: [await impactWithProgress(before, after, io)], notes: notesOfSides(...sides) },
    options,
    io,
  );
}

async function readTwo(
  inputs: readonly string[],
  options: Parameters<typeof readSide>[2],
  io: Io,
): Promise<[Side, Side]> {
  const [before, after, other] = inputs;
  if (before === undefined || after === undefined || other !== undefined)
    throw new UsageError('impact report compares two inputs, BEFORE and AFTER; or use --from REVISION [INPUT...]');
  return [await readSide([before], before, options, io), await readSide([after], after, options, io)];
}

/** Problems of workloads are part of the impact. */
const errorsOf = ({ inputs, known }: Side): readonly Problem[] =>
  [...inputs.problems, ...known.problems].filter(isError);

/** Computes an impact, with a line of progress on a terminal. */
export async function impactWithProgress(before: ImpactSide, after: ImpactSide, io: Io): Promise<ClusterImpact> {
  const steps = impactSteps(before, after);
  let progress: Progress | undefined;
  try {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      const [compared, total] = value;
      progress ??= new Progress(io, total, 'compared workloads:');
      await progress.reach(compared);
    }
  } finally {
    progress?.end();
  }
}

/** Prints a report, and returns its exit code. */
export async function printImpact(
  { clusters, notes }: Pick<ImpactReport, 'clusters' | 'notes'>,
  { output, all }: Pick<ImpactOptions, 'output' | 'all'>,
  io: Io,
): Promise<ExitCode> {
  const report: ImpactReport = { pinion: ownVersion(), method: 'estimate', clusters, notes };
  const text = {
    json: () => `${JSON.stringify(report, null, 2)}\n`,
    markdown: () => impactMarkdown(report),
    text: () => impactText(report, { all }),
  }[output];
  await io.write(text());
  return impactExitCode(report);
}
