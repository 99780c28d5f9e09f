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
} from '../etcd';
import { parseQuantity } from '../api';
import { type Arguments, UsageError } from './arguments';
import { differenceText } from './etcd-difference-text';
import { withEtcdFile } from './etcd-file';
import { etcdText } from './etcd-text';
import { exitCodes, type ExitCode } from './exit-codes';
import { type Io } from './io';
import { verb } from './verb';
import { writeWhole } from './whole-file';

const help = `pinion etcd analyze [options] FILE
pinion etcd diff [options] BEFORE AFTER

  analyze FILE       what an etcd database file or snapshot holds: by resource, namespace, project, kind, owner, writer and
                     object; pages and what could be given back; days to the quota; advice
  diff BEFORE AFTER  what came, went and grew between two files of one cluster

Files are of etcd 3.5 and 3.6: member/snap/db of a member, or what "etcdctl snapshot save" wrote. No server is asked, and
nothing is written to them. A file that an etcd writes to at the same time may look damaged: take a snapshot.

  -o, --output        text or json (all of it)
  --json FILE         all of it as JSON in a file
  --html FILE         the key space as a flame graph to look around in
  --svg FILE          the same as a picture
  --speedscope FILE   the same for speedscope
  --top COUNT         rows of each table (default: 10)
  --quota SIZE        what --quota-backend-bytes allows, such as 8Gi (default: 2Gi, as etcd has it)
  --no-checksum       leave the checksum of a snapshot uncompared

Exit code 1 where the file is damaged; what could be read is told all the same.
`;

const options = {
  output: { type: 'string', short: 'o', values: ['text', 'json'] },
  json: { type: 'string' },
  html: { type: 'string' },
  svg: { type: 'string' },
  speedscope: { type: 'string' },
  top: { type: 'string' },
  quota: { type: 'string' },
  'no-checksum': { type: 'boolean' },
} as const;

type Given = Arguments<keyof typeof options>;

/** `pinion etcd`: what an etcd database file holds, without a server. */
export const etcd = verb({
  help,
  options,
  words: ['analyze', 'diff'],
  async run(given, io) {
    const [word, ...files] = given.words;
    if (word === 'analyze') return look(files, given, io);
    if (word === 'diff') return compare(files, given, io);
    throw new UsageError(`etcd needs a word: analyze or diff${word === undefined ? '' : `, not ${word}`}`);
  },
});

async function look([file, ...more]: readonly string[], given: Given, io: Io): Promise<ExitCode> {
  if (file === undefined || more.length > 0) throw new UsageError('etcd analyze needs one file');
  const top = topOf(given);
  const found = await readFile(file, given, io);
  if (!found) return exitCodes.problems;
  const { contents } = found;
  await print(given, io, contents, () => etcdText(file, contents, top));
  picture(given, io, () => framesOf(found), file);
  return contents.isComplete ? exitCodes.fine : exitCodes.problems;
}

async function compare([before, after, ...more]: readonly string[], given: Given, io: Io): Promise<ExitCode> {
  if (before === undefined || after === undefined || more.length > 0)
    throw new UsageError('etcd diff needs two files: an earlier one and a later one');
  const top = topOf(given);
  const one = await readFile(before, given, io);
  const other = await readFile(after, given, io);
  if (!one || !other) return exitCodes.problems;
  const difference = compareContents(one, other);
  await print(given, io, difference, () => differenceText(before, after, difference, top));
  picture(given, io, () => grownFramesOf(one, other), `${before} to ${after}`);
  return difference.isComplete ? exitCodes.fine : exitCodes.problems;
}

function topOf({ texts }: Given): number {
  const top = Number(texts.top ?? 10);
  if (!Number.isInteger(top) || top < 1 || top > 1000)
    throw new UsageError('--top takes a whole number from 1 to 1000');
  return top;
}

function quotaOf({ texts }: Given): { readonly quota?: number } {
  if (texts.quota === undefined) return {};
  const quota = parseQuantity(texts.quota);
  const bytes = quota === undefined ? Number.NaN : Number(quota.nanos) / 1e9;
  if (!(bytes >= 1)) throw new UsageError(`--quota takes a size such as 8Gi, not ${texts.quota}`);
  return { quota: bytes };
}

/** What a file holds; undefined, and told why, where it is no database. */
function readFile(file: string, given: Given, io: Io): Promise<Read | undefined> {
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
async function print(given: Given, io: Io, all: unknown, text: () => string): Promise<void> {
  const json = (): string => `${JSON.stringify(all, null, 2)}\n`;
  if (given.texts.json !== undefined) writeWhole(given.texts.json, json(), io);
  await io.write(given.texts.output === 'json' ? json() : text());
}

function picture({ texts }: Given, io: Io, frames: () => Frame, title: string): void {
  const { html, svg, speedscope: scope } = texts;
  if (html === undefined && svg === undefined && scope === undefined) return;
  const root = frames();
  if (html !== undefined) writeWhole(html, flameHtml(root, title), io);
  if (svg !== undefined) writeWhole(svg, flameSvg(root, title), io);
  if (scope !== undefined) writeWhole(scope, `${JSON.stringify(speedscope(root, title))}\n`, io);
}
