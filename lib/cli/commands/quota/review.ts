import { isError, type PlatformManifest, type Problem } from '../../../api';
import { allocatableOf, safeParsePriceList, review, type PriceList, type ReviewInput } from '../../../quota';
import { readSingleDocument, printRejected } from '../../input/single-document';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { readInputs, type InputDocuments } from '../../input/input-documents';
import { type Io } from '../../io/io';
import { resolveTargetCluster, type TargetCluster } from '../../input/target-cluster';
import { type ReviewOptions } from './quota-options';
import { reviewText } from './review-text';
import { readUsage } from './known-usage';
import { problemLines } from '../../output/tally';

/** `pinion quota review`: prints the effect of a quota change on headroom, the cluster and cost. */
export async function reviewQuotas(
  oldInput: string,
  newInput: string,
  options: ReviewOptions,
  io: Io,
): Promise<ExitCode> {
  const before = await readSide(oldInput, options, io);
  const after = await readSide(newInput, options, io);
  const history = await readUsage(options, io);
  if (typeof history === 'number') return history;
  const prices = await pricesOf(options, io);
  if (typeof prices === 'number') return prices;
  const nodes = await nodesOf(options, io);
  if (typeof nodes === 'number') return nodes;
  const problems = [...before.problems, ...after.problems];
  for (const chunk of problemLines(problems)) io.writeError(chunk);
  if (before.inaccessible || after.inaccessible) return exitCodes.unavailable;
  if (problems.some(isError) || !before.known.cluster || !after.known.cluster) return exitCodes.failure;
  const result = review({
    before: before.projects,
    after: after.projects,
    platform: { before: before.known.cluster.platform, after: after.known.cluster.platform },
    usage: history.usage,
    ...(nodes && { allocatable: nodes }),
    ...(prices && { prices }),
    ...(options.overcommit !== undefined && { maxOvercommit: options.overcommit }),
  });
  await io.write(options.output === 'json' ? `${JSON.stringify(result, null, 2)}\n` : reviewText(result));
  for (const chunk of problemLines(result.problems)) io.writeError(chunk);
  return result.problems.some(isError) ? exitCodes.failure : exitCodes.success;
}

interface Side {
  readonly projects: readonly PlatformManifest<'Project'>[];
  readonly known: TargetCluster;
  readonly problems: readonly Problem[];
  readonly inaccessible: boolean;
}

async function readSide(input: string, options: ReviewOptions, io: Io): Promise<Side> {
  const inputs = await readInputs([input], io);
  const known = await resolveTargetCluster(inputs, options.platform, io);
  return {
    projects: projectsAmong(inputs),
    known,
    problems: [...known.problems, ...inputs.problems],
    inaccessible: inputs.isUnavailable || known.isUnavailable,
  };
}

/** Returns the parsed Projects in the inputs. */
export const projectsAmong = (inputs: InputDocuments): readonly PlatformManifest<'Project'>[] =>
  inputs.documents.flatMap((document) =>
    document.is === 'platform' && document.manifest.kind === 'Project' ? [document.manifest] : [],
  );

async function pricesOf(options: ReviewOptions, io: Io): Promise<PriceList | undefined | ExitCode> {
  if (options.prices === undefined) return undefined;
  const input = await readSingleDocument(options.prices, io);
  if (!input.document) return printRejected(input, io);
  const { prices, problems } = safeParsePriceList(input.document.value);
  return prices ?? printRejected({ ...input, problems: [...input.problems, ...problems] }, io);
}

async function nodesOf(options: ReviewOptions, io: Io): Promise<ReviewInput['allocatable'] | ExitCode> {
  if (options.nodes === undefined) return undefined;
  const inputs = await readInputs([options.nodes], io);
  const errors = inputs.problems.filter(isError);
  for (const chunk of problemLines(errors)) io.writeError(chunk);
  if (inputs.isUnavailable) return exitCodes.unavailable;
  if (errors.length > 0) return exitCodes.failure;
  return allocatableOf(inputs.documents.map(({ value }) => value as unknown as Parameters<typeof allocatableOf>[0][0]));
}
