import { isError, parseQuantity, type PlatformManifest, type Problem } from '../../../api';
import { allocatableOf, safeParsePriceList, review, type PriceList, type ReviewInput } from '../../../quota';
import { UsageError } from '../../command/arguments';
import { readSingleDocument, printRejected } from '../../input/single-document';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { readInputs, type InputDocuments } from '../../input/input-documents';
import { type Io } from '../../io/io';
import { resolveTargetCluster, type TargetCluster } from '../../input/target-cluster';
import { type QuotaArguments } from './quota-options';
import { reviewText } from './review-text';
import { readUsage } from './known-usage';
import { problemLines } from '../../output/tally';

/** `pinion quota review`: what a change of quotas means for headroom, the cluster and the bill. */
export async function reviewQuotas(words: readonly string[], given: QuotaArguments, io: Io): Promise<ExitCode> {
  const [old, then, ...more] = words;
  if (old === undefined || then === undefined || more.length > 0)
    throw new UsageError('quota review needs two files or folders: the Projects in force, and as they are to be');
  const before = await sideOf(old, given, io);
  const after = await sideOf(then, given, io);
  const history = await readUsage(given, io);
  if (typeof history === 'number') return history;
  const prices = await pricesOf(given, io);
  if (typeof prices === 'number') return prices;
  const nodes = await nodesOf(given, io);
  if (typeof nodes === 'number') return nodes;
  const problems = [...before.problems, ...after.problems];
  for (const piece of problemLines(problems)) io.writeError(piece);
  if (before.inaccessible || after.inaccessible) return exitCodes.unavailable;
  if (problems.some(isError) || !before.known.cluster || !after.known.cluster) return exitCodes.failure;
  const found = review({
    before: before.projects,
    after: after.projects,
    platform: { before: before.known.cluster.platform, after: after.known.cluster.platform },
    usage: history.usage,
    ...(nodes && { allocatable: nodes }),
    ...(prices && { prices }),
    ...overcommitOf(given.values),
  });
  await io.write(given.values.output === 'json' ? `${JSON.stringify(found, null, 2)}\n` : reviewText(found));
  for (const piece of problemLines(found.problems)) io.writeError(piece);
  return found.problems.some(isError) ? exitCodes.failure : exitCodes.success;
}

interface Side {
  readonly projects: readonly PlatformManifest<'Project'>[];
  readonly known: TargetCluster;
  readonly problems: readonly Problem[];
  readonly inaccessible: boolean;
}

async function sideOf(word: string, given: QuotaArguments, io: Io): Promise<Side> {
  const inputs = await readInputs([word], io);
  const known = await resolveTargetCluster(inputs, given.values.platform, io);
  return {
    projects: projectsAmong(inputs),
    known,
    problems: [...known.problems, ...inputs.problems],
    inaccessible: inputs.isUnavailable || known.isUnavailable,
  };
}

/** The Projects among inputs, completed. */
export const projectsAmong = (inputs: InputDocuments): readonly PlatformManifest<'Project'>[] =>
  inputs.documents.flatMap((document) =>
    document.is === 'platform' && document.completed.kind === 'Project' ? [document.completed] : [],
  );

async function pricesOf({ values }: QuotaArguments, io: Io): Promise<PriceList | undefined | ExitCode> {
  if (values.prices === undefined) return undefined;
  const input = await readSingleDocument(values.prices, io);
  if (!input.document) return printRejected(input, io);
  const { prices, problems } = safeParsePriceList(input.document.value);
  return prices ?? printRejected({ ...input, problems: [...input.problems, ...problems] }, io);
}

async function nodesOf({ values }: QuotaArguments, io: Io): Promise<ReviewInput['allocatable'] | ExitCode> {
  if (values.nodes === undefined) return undefined;
  const inputs = await readInputs([values.nodes], io);
  const errors = inputs.problems.filter(isError);
  for (const piece of problemLines(errors)) io.writeError(piece);
  if (inputs.isUnavailable) return exitCodes.unavailable;
  if (errors.length > 0) return exitCodes.failure;
  return allocatableOf(inputs.documents.map(({ value }) => value as unknown as Parameters<typeof allocatableOf>[0][0]));
}

function overcommitOf({ overcommit: text, nodes }: QuotaArguments['values']): Pick<ReviewInput, 'maxOvercommit'> {
  if (text === undefined) return {};
  if (nodes === undefined) throw new UsageError('--overcommit is held against what nodes hold: give --nodes FILE too');
  const most = /^\d+(\.\d+)?$/.test(text) ? parseQuantity(text) : undefined;
  if (!most) throw new UsageError('--overcommit takes a number, such as 1 or 1.5');
  return { maxOvercommit: most };
}
