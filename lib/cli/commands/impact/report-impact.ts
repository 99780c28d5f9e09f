import { isError, type Problem } from '../../../api';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UsageError } from '../../command/usage-error';
import { type Io } from '../../io/io';
import { problemLines } from '../../output/tally';
import { notesOfSides, type Side } from '../diff/compare-inputs';
import { readComparable, readRevisions, readSide } from '../diff/read-sides';
import { type ImpactOptions } from './impact-options';
import { type DefinitionReport } from '../crds/definition-report';
import { reportOnClusters } from './report-on-clusters';
import { definitionVerdict, pinionDefinitionsOf, refuseUnusedPruning } from './definition-verdict';
import { impactSide, refuseHiddenPlatforms, withoutWorkloads } from './impact-sides';
import { impactWithProgress, printImpact } from './print-impact';

/** Prints the impact of a change. */
export async function reportImpact(inputs: readonly string[], options: ImpactOptions, io: Io): Promise<ExitCode> {
  if (options.live || options.snapshot || options.context) return reportOnClusters(inputs, options, io);
  const sides = await readComparable(options, (own) =>
    own.from === undefined ? readTwo(inputs, own, io) : readRevisions(inputs, own, io),
  );
  const [before, after] = sides.map(impactSide);
  const problems = sides.flatMap(errorsOf);
  for (const chunk of problemLines(problems)) io.writeError(chunk);
  if (sides.some(({ inputs: read, known }) => read.isUnavailable || known.isUnavailable)) return exitCodes.unavailable;
  if (problems.length > 0 || !before || !after) return exitCodes.usage;
  refuseHiddenPlatforms(...sides);
  const unread = [...(after.unread ?? []), ...withoutWorkloads(before, after)];
  const definitions = verdictOf(sides, options);
  const impact = await impactWithProgress(before, { ...after, unread }, io);
  return printImpact(
    { clusters: [{ ...impact, ...(definitions && { definitions }) }], notes: notesOf(...sides) },
    options,
    io,
  );
}

/** Returns the verdict on the definitions of pinion among the inputs; undefined if neither side has one. */
function verdictOf(sides: readonly [Side, Side], options: ImpactOptions): DefinitionReport | undefined {
  const allowed = options['allow-pruning'] ?? [];
  const [before, after] = sides.map(({ inputs }) => pinionDefinitionsOf(inputs.documents.map(({ value }) => value)));
  if (!before || !after) return undefined;
  const title = `${sides[0].label} (old) → ${sides[1].label} (new)`;
  const isCompared = before.length + after.length > 0;
  const report = isCompared ? definitionVerdict({ before, after, title }, allowed) : undefined;
  refuseUnusedPruning([report], allowed);
  return report;
}

async function readTwo(
  inputs: readonly string[],
  options: Parameters<typeof readSide>[2],
  io: Io,
): Promise<[Side, Side]> {
  const [before, after, other] = inputs;
  if (before === undefined || after === undefined || other !== undefined)
    throw new UsageError(
      'impact report compares two inputs, BEFORE and AFTER; or use --from REVISION [INPUT...], --snapshot FILE or --live',
    );
  return [await readSide([before], before, options, io), await readSide([after], after, options, io)];
}

/** Returns the notes of both sides, always with the Platforms. */
function notesOf(before: Side, after: Side): string[] {
  const { origin } = before.known;
  return [...notesOfSides(before, after), ...(origin === after.known.origin ? [`platform: ${origin}`] : [])];
}

/** Problems of workloads are part of the impact. */
const errorsOf = ({ inputs, known }: Side): readonly Problem[] =>
  [...inputs.problems, ...known.problems].filter(isError);
