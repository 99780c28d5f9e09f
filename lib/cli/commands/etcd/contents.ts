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
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { refuseToOverwriteInputs } from '../../output/refuse-to-overwrite-inputs';
import { writeFileAtomically } from '../../output/whole-file';
import { etcdText } from './contents-text';
import { withEtcdFile } from './database-file';
import { differenceText } from './difference-text';
import { type EtcdFileOptions } from './etcd-options';

/** `pinion etcd analyze`: prints the contents of a file. */
export async function analyzeFile(file: string, options: EtcdFileOptions, io: Io): Promise<ExitCode> {
  refuseToOverwriteInputs([file], outputsOf(options), io);
  const analyzed = await readFile(file, options, io);
  if (!analyzed) return exitCodes.failure;
  const { contents } = analyzed;
  await print(options, io, contents, () => etcdText(file, contents, options.top));
  writeFlameGraphs(options, io, () => buildFrames(analyzed), file);
  return contents.isComplete ? exitCodes.success : exitCodes.failure;
}

/** `pinion etcd diff`: prints the differences between two files. */
export async function compareFiles(before: string, after: string, options: EtcdFileOptions, io: Io): Promise<ExitCode> {
  refuseToOverwriteInputs([before, after], outputsOf(options), io);
  const earlier = await readFile(before, options, io);
  const later = await readFile(after, options, io);
  if (!earlier || !later) return exitCodes.failure;
  const difference = compareContents(earlier, later);
  await print(options, io, difference, () => differenceText(before, after, difference, options.top));
  writeFlameGraphs(options, io, () => buildDiffFrames(earlier, later), `${before} to ${after}`);
  const { isComplete, isBackwards, isSameHistory } = difference;
  return isComplete && !isBackwards && isSameHistory !== false ? exitCodes.success : exitCodes.failure;
}

const outputsOf = ({ json, html, svg, speedscope: scope }: EtcdFileOptions) => ({
  json,
  html,
  svg,
  speedscope: scope,
});

/** Returns the contents of a file; if it is not a database, prints the reason and returns undefined. */
function readFile(file: string, options: EtcdFileOptions, io: Io): Promise<AnalyzedDatabase | undefined> {
  const { quota } = options;
  return withEtcdFile(file, !options['no-checksum'], io, async (bytes) => {
    const analyzed = await analyze(bytes, quota === undefined ? {} : { quota });
    if ('contents' in analyzed) return analyzed;
    io.writeError(
      `${file}: ${analyzed.isForeign ? 'not an etcd database' : 'has no intact meta page, so nothing can be read'}\n`,
    );
    for (const { page, reason } of analyzed.damage.found) io.writeError(`  page ${page}: ${reason}\n`);
    return undefined;
  });
}

/** Prints text, or everything as JSON, and writes the JSON file if it is requested. */
async function print(options: EtcdFileOptions, io: Io, all: unknown, text: () => string): Promise<void> {
  const json = (): string => `${JSON.stringify(all, null, 2)}\n`;
  if (options.json !== undefined) writeFileAtomically(options.json, json(), io);
  await io.write(options.output === 'json' ? json() : text());
}

function writeFlameGraphs(
  { html, svg, speedscope: scope }: EtcdFileOptions,
  io: Io,
  frames: () => Frame,
  title: string,
): void {
  if (html === undefined && svg === undefined && scope === undefined) return;
  const root = frames();
  if (html !== undefined) writeFileAtomically(html, flameHtml(root, title), io);
  if (svg !== undefined) writeFileAtomically(svg, flameSvg(root, title), io);
  if (scope !== undefined) writeFileAtomically(scope, `${JSON.stringify(speedscope(root, title))}\n`, io);
}
