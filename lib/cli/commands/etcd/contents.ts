import {
  analyze,
  compareContents,
  flameHtml,
  flameSvg,
  buildFrames,
  buildDiffFrames,
  speedscope,
  type Frame,
  type AnalyzedDatabase,
} from '../../../etcd';
import { UsageError } from '../../command/arguments';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { refuseToOverwriteInputs } from '../../output/kept-files';
import { writeFileAtomically } from '../../output/whole-file';
import { etcdText } from './contents-text';
import { withEtcdFile } from './database-file';
import { differenceText } from './difference-text';
import { type EtcdArguments, quotaOption } from './etcd-options';

/** `pinion etcd analyze`: what one file holds. */
export async function analyzeFile([file, ...more]: readonly string[], given: EtcdArguments, io: Io): Promise<ExitCode> {
  if (file === undefined || more.length > 0) throw new UsageError('etcd analyze needs one file');
  refuseToOverwriteInputs([file], outputsOf(given), io);
  const top = topOf(given);
  const found = await readFile(file, given, io);
  if (!found) return exitCodes.failure;
  const { contents } = found;
  await print(given, io, contents, () => etcdText(file, contents, top));
  picture(given, io, () => buildFrames(found), file);
  return contents.isComplete ? exitCodes.success : exitCodes.failure;
}

/** `pinion etcd diff`: what changed between two files. */
export async function compareFiles(
  [before, after, ...more]: readonly string[],
  given: EtcdArguments,
  io: Io,
): Promise<ExitCode> {
  if (before === undefined || after === undefined || more.length > 0)
    throw new UsageError('etcd diff needs two files: an earlier one and a later one');
  refuseToOverwriteInputs([before, after], outputsOf(given), io);
  const top = topOf(given);
  const one = await readFile(before, given, io);
  const other = await readFile(after, given, io);
  if (!one || !other) return exitCodes.failure;
  const difference = compareContents(one, other);
  await print(given, io, difference, () => differenceText(before, after, difference, top));
  picture(given, io, () => buildDiffFrames(one, other), `${before} to ${after}`);
  const { isComplete, isBackwards, isOneHistory } = difference;
  return isComplete && !isBackwards && isOneHistory !== false ? exitCodes.success : exitCodes.failure;
}

const outputsOf = ({ values: { json, html, svg, speedscope: scope } }: EtcdArguments) => ({
  json,
  html,
  svg,
  speedscope: scope,
});

function topOf({ values }: EtcdArguments): number {
  const top = Number(values.top ?? 10);
  if (!Number.isInteger(top) || top < 1 || top > 1000)
    throw new UsageError('--top takes a whole number from 1 to 1000');
  return top;
}

/** What a file holds; undefined, and told why, where it is no database. */
function readFile(file: string, given: EtcdArguments, io: Io): Promise<AnalyzedDatabase | undefined> {
  const quota = quotaOption(given);
  return withEtcdFile(file, given.flags['no-checksum'] !== true, io, async (bytes) => {
    const found = await analyze(bytes, quota);
    if ('contents' in found) return found;
    io.writeError(
      `${file}: ${found.isForeign ? 'is no etcd database' : 'has no whole meta page, and nothing can be found without'}\n`,
    );
    for (const { page, reason } of found.damage.found) io.writeError(`  page ${page}: ${reason}\n`);
    return undefined;
  });
}

/** What a command prints: text for a person, or all of it as JSON; and all of it into a file where that is asked for. */
async function print(given: EtcdArguments, io: Io, all: unknown, text: () => string): Promise<void> {
  const json = (): string => `${JSON.stringify(all, null, 2)}\n`;
  if (given.values.json !== undefined) writeFileAtomically(given.values.json, json(), io);
  await io.write(given.values.output === 'json' ? json() : text());
}

function picture({ values }: EtcdArguments, io: Io, frames: () => Frame, title: string): void {
  const { html, svg, speedscope: scope } = values;
  if (html === undefined && svg === undefined && scope === undefined) return;
  const root = frames();
  if (html !== undefined) writeFileAtomically(html, flameHtml(root, title), io);
  if (svg !== undefined) writeFileAtomically(svg, flameSvg(root, title), io);
  if (scope !== undefined) writeFileAtomically(scope, `${JSON.stringify(speedscope(root, title))}\n`, io);
}
