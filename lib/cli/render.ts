import { isError, type Problem } from '../api';
import { type KubernetesObject } from '../expand';
import { UsageError } from './arguments';
import { Examiner } from './examination';
import { exitCodes, type ExitCode } from './exit-codes';
import { HeldOutput } from './held-output';
import { readInputs, type InputDocument, type InputDocuments } from './input-documents';
import { inputHelp, inputOptions } from './input-options';
import { type Io } from './io';
import { knownCluster, type KnownCluster } from './known-cluster';
import { type Format } from './object-text';
import { OutputFolder } from './output-folder';
import { Progress } from './progress';
import { inReadingOrder, problemLines, Tally } from './tally';
import { verb } from './verb';

const help = `pinion render [options] INPUT...

Writes the native objects that documents become, in the order in which they are applied; documents of other API
groups pass through unchanged. Where anything is wrong, nothing is written. Problems and the summary go to standard error.

${inputHelp}
  --as-resource     write the custom resources instead, for clusters where the controller expands them
  --output-dir DIR  write one file per document into DIR, all or none
  -o, --output      yaml or json (one List)
  -q, --quiet       no warnings and no summary
`;

/** `pinion render`: what documents become. */
export const render = verb({
  help,
  options: {
    ...inputOptions,
    output: { type: 'string', short: 'o', values: ['yaml', 'json'] },
    'as-resource': { type: 'boolean' },
    'output-dir': { type: 'string' },
  },
  async run({ words, texts, flags }, io) {
    if (words.length === 0) throw new UsageError('render needs files, folders or - for standard input');
    const tally = new Tally(io);
    const inputs = await readInputs(words, io);
    const known = await knownCluster(inputs, texts.platform, io);
    const format: Format = texts.output === 'json' ? 'json' : 'yaml';
    const folder = texts['output-dir'];
    const job: Job = { inputs, known, tally, io, asResource: flags['as-resource'] === true };
    const problems = await (folder === undefined ? toOutput(job, format) : toFolder(job, folder, format));
    tally.count(problems);
    const told = flags.quiet ? problems.filter(isError) : problems;
    for (const piece of problemLines(inReadingOrder(told, inputs.files))) io.tell(piece);
    if (!flags.quiet) io.tell(tally.line(known.origin));
    return endOf(job);
  },
});

interface Job {
  readonly inputs: InputDocuments;
  readonly known: KnownCluster;
  readonly tally: Tally;
  readonly io: Io;
  readonly asResource: boolean;
}

function endOf({ inputs, known, tally }: Job): ExitCode {
  if (inputs.inaccessible || known.inaccessible) return exitCodes.inaccessible;
  return tally.errors > 0 ? exitCodes.problems : exitCodes.fine;
}

type Take = (document: InputDocument, objects: readonly KubernetesObject[], index: number) => void;

/** Examines all documents, and hands on what they become as long as nothing is wrong. */
async function examineAll({ inputs, known, tally, io, asResource }: Job, take: Take): Promise<Problem[]> {
  const problems: Problem[] = [...known.problems, ...inputs.problems];
  const examiner = new Examiner({ cluster: known.cluster, asResource });
  const progress = new Progress(io, inputs.documents.length, 'rendered');
  let isRight = !problems.some(isError);
  for (const [index, document] of inputs.documents.entries()) {
    const examined = examiner.examine(document);
    problems.push(...examined.problems);
    if (document.is === 'workload') tally.workloads++;
    if (examined.objects) tally.objects += examined.objects.length;
    else isRight = false;
    if (isRight && examined.objects) take(document, examined.objects, index);
    await progress.reach(index);
  }
  progress.end();
  return problems;
}

/** What is too large to hold back is made a second time once all is known to be right. */
async function toOutput(job: Job, format: Format): Promise<Problem[]> {
  const output = new HeldOutput(job.io, format);
  let next = 0;
  const problems = await examineAll(job, (_, objects, index) => {
    if (next === index && output.hold(objects)) next = index + 1;
  });
  if (problems.some(isError)) return problems;
  await output.release();
  const again = new Examiner({ cluster: job.known.cluster, asResource: job.asResource });
  for (const document of job.inputs.documents.slice(next)) await output.write(again.objectsOf(document, []) ?? []);
  await output.end();
  return problems;
}

async function toFolder(job: Job, path: string, format: Format): Promise<Problem[]> {
  const folder = new OutputFolder(path, format, job.io);
  try {
    const problems = await examineAll(job, (document, objects) => folder.add(document, objects));
    if (problems.some(isError)) folder.abandon();
    else folder.commit();
    return problems;
  } catch (error) {
    folder.abandon();
    throw error;
  }
}
