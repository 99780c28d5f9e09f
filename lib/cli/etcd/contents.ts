import {
  analyze,
  compareContents,
  flameHtml,
  flameSvg,
  framesOf,
  grownFramesOf,
  speedscope,
  type Frame,
  type Read,
} from '../../etcd';
import { UsageError } from '../arguments';
import { exitCodes, type ExitCode } from '../exit-codes';
import { type Io } from '../io';
import { keepInputs } from '../kept-files';
import { writeWhole } from '../whole-file';
import { etcdText } from './contents-text';
import { withEtcdFile } from './database-file';
import { differenceText } from './difference-text';
import { type EtcdArguments, quotaOf } from './etcd-options';

/** `pinion etcd analyze`: what one file holds. */
export async function analyzeFile([file, ...more]: readonly string[], given: EtcdArguments, io: Io): Promise<ExitCode> {
  if (file === undefined || more.length > 0) throw new UsageError('etcd analyze needs one file');
  keepInputs([file], outputsOf(given), io);
  const top = topOf(given);
  const found = await readFile(file, given, io);
  if (!found) return exitCodes.problems;
  const { contents } = found;
  await print(given, io, contents, () => etcdText(file, contents, top));
  picture(given, io, () => framesOf(found), file);
  return contents.isComplete ? exitCodes.fine : exitCodes.problems;
}

/** `pinion etcd diff`: what changed between two files. */
export async function compareFiles(
  [before, after, ...more]: readonly string[],
  given: EtcdArguments,
  io: Io,
): Promise<ExitCode> {
  if (before === undefined || after === undefined || more.length > 0)
    throw new UsageError('etcd diff needs two files: an earlier one and a later one');
  keepInputs([before, after], outputsOf(given), io);
  const top = topOf(given);
  const one = await readFile(before, given, io);
  const other = await readFile(after, given, io);
  if (!one || !other) return exitCodes.problems;
  const difference = compareContents(one, other);
  await print(given, io, difference, () => differenceText(before, after, difference, top));
  picture(given, io, () => grownFramesOf(one, other), `${before} to ${after}`);
  const { isComplete, isBackwards, isOneHistory } = difference;
  return isComplete && !isBackwards && isOneHistory !== false ? exitCodes.fine : exitCodes.problems;
}

const outputsOf = ({ texts: { json, html, svg, speedscope: scope } }: EtcdArguments) => ({
  json,
  html,
  svg,
  speedscope: scope,
});

function topOf({ texts }: EtcdArguments): number {
  const top = Number(texts.top ?? 10);
  if (!Number.isInteger(top) || top < 1 || top > 1000)
    throw new UsageError('--top takes a whole number from 1 to 1000');
  return top;
}

/** What a file holds; undefined, and told why, where it is no database. */
function readFile(file: string, given: EtcdArguments, io: Io): Promise<Read | undefined> {
  const quota = quotaOf(given);
  return withEtcdFile(file, given.flags['no-checksum'] !== true, io, async (bytes) => {
    const found = await analyze(bytes, quota);
    if ('contents' in found) return found;
    io.tell(
      `${file}: ${found.isForeign ? 'is no etcd database' : 'has no whole meta page, and nothing can be found without'}\n`,
    );
    for (const { page, reason } of found.damage.found) io.tell(`  page ${page}: ${reason}\n`);
    return undefined;
  });
}

/** What a command prints: text for a person, or all of it as JSON; and all of it into a file where that is asked for. */
async function print(given: EtcdArguments, io: Io, all: unknown, text: () => string): Promise<void> {
  const json = (): string => `${JSON.stringify(all, null, 2)}\n`;
  if (given.texts.json !== undefined) writeWhole(given.texts.json, json(), io);
  await io.write(given.texts.output === 'json' ? json() : text());
}

function picture({ texts }: EtcdArguments, io: Io, frames: () => Frame, title: string): void {
  const { html, svg, speedscope: scope } = texts;
  if (html === undefined && svg === undefined && scope === undefined) return;
  const root = frames();
  if (html !== undefined) writeWhole(html, flameHtml(root, title), io);
  if (svg !== undefined) writeWhole(svg, flameSvg(root, title), io);
  if (scope !== undefined) writeWhole(scope, `${JSON.stringify(speedscope(root, title))}\n`, io);
}
