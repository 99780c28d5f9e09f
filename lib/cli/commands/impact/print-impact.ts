import { impactSteps, type ClusterImpact, type ImpactSide } from '../../../impact';
import { type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { ownVersion } from '../../io/own-version';
import { Progress } from '../../io/progress';
import { type ImpactOptions } from './impact-options';
import { impactExitCode, type ImpactReport } from './impact-report';
import { impactMarkdown } from './impact-markdown';
import { impactText } from './impact-text';

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
  found: Omit<ImpactReport, 'pinion' | 'method'>,
  { output, all }: Pick<ImpactOptions, 'output' | 'all'>,
  io: Io,
): Promise<ExitCode> {
  const report: ImpactReport = { pinion: ownVersion(), method: 'estimate', ...found };
  const text = {
    json: () => `${JSON.stringify(report, null, 2)}\n`,
    markdown: () => impactMarkdown(report),
    text: () => impactText(report, { all }),
  }[output];
  await io.write(text());
  return impactExitCode(report);
}
