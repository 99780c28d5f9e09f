import { isError, parseQuantity, type PlatformDocument, type Problem } from '../api';
import { allocatableOf, examinePrices, review, type PriceList, type ReviewInput } from '../quota';
import { UsageError } from './arguments';
import { capacityInput, refused } from './capacity-input';
import { exitCodes, type ExitCode } from './exit-codes';
import { readInputs, type InputDocuments } from './input-documents';
import { type Io } from './io';
import { knownCluster, type KnownCluster } from './known-cluster';
import { type GivenQuota } from './quota-options';
import { reviewText } from './quota-review-text';
import { usageOf } from './quota-usage';
import { problemLines } from './tally';

/** `pinion quota review`: what a change of quotas means for headroom, the cluster and the bill. */
export async function reviewQuotas(words: readonly string[], given: GivenQuota, io: Io): Promise<ExitCode> {
  const [old, then, ...more] = words;
  if (old === undefined || then === undefined || more.length > 0)
    throw new UsageError('quota review needs two files or folders: the Projects in force, and as they are to be');
  const before = await sideOf(old, given, io);
  const after = await sideOf(then, given, io);
  const history = await usageOf(given, io);
  if (typeof history === 'number') return history;
  const prices = await pricesOf(given, io);
  if (typeof prices === 'number') return prices;
  const nodes = await nodesOf(given, io);
  if (typeof nodes === 'number') return nodes;
  const problems = [...before.problems, ...after.problems];
  for (const piece of problemLines(problems)) io.tell(piece);
  if (before.inaccessible || after.inaccessible) return exitCodes.inaccessible;
  if (problems.some(isError) || !before.known.cluster || !after.known.cluster) return exitCodes.problems;
  const found = review({
    before: before.projects,
    after: after.projects,
    platform: { before: before.known.cluster.platform, after: after.known.cluster.platform },
    usage: history.usage,
    ...(nodes && { allocatable: nodes }),
    ...(prices && { prices }),
    ...overcommitOf(given.texts),
  });
  await io.write(given.texts.output === 'json' ? `${JSON.stringify(found, null, 2)}\n` : reviewText(found));
  for (const piece of problemLines(found.problems)) io.tell(piece);
  return found.problems.some(isError) ? exitCodes.problems : exitCodes.fine;
}

interface Side {
  readonly projects: readonly PlatformDocument<'Project'>[];
  readonly known: KnownCluster;
  readonly problems: readonly Problem[];
  readonly inaccessible: boolean;
}

async function sideOf(word: string, given: GivenQuota, io: Io): Promise<Side> {
  const inputs = await readInputs([word], io);
  const known = await knownCluster(inputs, given.texts.platform, io);
  return {
    projects: projectsAmong(inputs),
    known,
    problems: [...known.problems, ...inputs.problems],
    inaccessible: inputs.inaccessible || known.inaccessible,
  };
}

/** The Projects among inputs, completed. */
export const projectsAmong = (inputs: InputDocuments): readonly PlatformDocument<'Project'>[] =>
  inputs.documents.flatMap((document) =>
    document.is === 'platform' && document.completed.kind === 'Project' ? [document.completed] : [],
  );

async function pricesOf({ texts }: GivenQuota, io: Io): Promise<PriceList | undefined | ExitCode> {
  if (texts.prices === undefined) return undefined;
  const input = await capacityInput(texts.prices, io);
  if (!input.document) return refused(input, io);
  const { prices, problems } = examinePrices(input.document.value);
  return prices ?? refused({ ...input, problems: [...input.problems, ...problems] }, io);
}

async function nodesOf({ texts }: GivenQuota, io: Io): Promise<ReviewInput['allocatable'] | ExitCode> {
  if (texts.nodes === undefined) return undefined;
  const inputs = await readInputs([texts.nodes], io);
  const errors = inputs.problems.filter(isError);
  for (const piece of problemLines(errors)) io.tell(piece);
  if (inputs.inaccessible) return exitCodes.inaccessible;
  if (errors.length > 0) return exitCodes.problems;
  return allocatableOf(inputs.documents.map(({ value }) => value as unknown as Parameters<typeof allocatableOf>[0][0]));
}

function overcommitOf({ overcommit: text, nodes }: GivenQuota['texts']): Pick<ReviewInput, 'mostOvercommit'> {
  if (text === undefined) return {};
  if (nodes === undefined) throw new UsageError('--overcommit is held against what nodes hold: give --nodes FILE too');
  const most = /^\d+(\.\d+)?$/.test(text) ? parseQuantity(text) : undefined;
  if (!most) throw new UsageError('--overcommit takes a number, such as 1 or 1.5');
  return { mostOvercommit: most };
}
