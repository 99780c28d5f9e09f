import { isError, type Problem } from '../../../api';
import { type KubernetesObject } from '../../../expand';
import { UsageError } from '../../command/arguments';
import { ManifestChecker } from '../../input/manifest-checker';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { BufferedOutput } from '../../output/buffered-output';
import { readInputs, type InputDocument, type InputDocuments } from '../../input/input-documents';
import { inputHelp, inputOptions } from '../../input/input-options';
import { type Io } from '../../io/io';
import { resolveTargetCluster, type TargetCluster } from '../../input/target-cluster';
import { type OutputFormat } from '../../output/object-text';
import { OutputFolder } from '../../output/output-folder';
import { Progress } from '../../io/progress';
import { inReadingOrder, problemLines, Summary } from '../../output/tally';
import { defineCommand } from '../../command/command';

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
export const renderCommand = defineCommand({
  help,
  options: {
    ...inputOptions,
    output: { type: 'string', short: 'o', values: ['yaml', 'json'] },
    'as-resource': { type: 'boolean' },
    'output-dir': { type: 'string' },
  },
  async run({ positionals, values, flags }, io) {
    if (positionals.length === 0) throw new UsageError('render needs files, folders or - for standard input');
    const tally = new Summary(io);
    const inputs = await readInputs(positionals, io);
    const known = await resolveTargetCluster(inputs, values.platform, io);
    const format: OutputFormat = values.output === 'json' ? 'json' : 'yaml';
    const folder = values['output-dir'];
    const job: Job = { inputs, known, tally, io, asResource: flags['as-resource'] === true };
    const problems = await (folder === undefined ? toOutput(job, format) : toFolder(job, folder, format));
    tally.count(problems);
    const told = flags.quiet ? problems.filter(isError) : problems;
    for (const piece of problemLines(inReadingOrder(told, inputs.files))) io.writeError(piece);
    if (!flags.quiet) io.writeError(tally.text(known.origin));
    return endOf(job);
  },
});

interface Job {
  readonly inputs: InputDocuments;
  readonly known: TargetCluster;
  readonly tally: Summary;
  readonly io: Io;
  readonly asResource: boolean;
}

function endOf({ inputs, known, tally }: Job): ExitCode {
  if (inputs.isUnavailable || known.isUnavailable) return exitCodes.unavailable;
  return tally.errors > 0 ? exitCodes.failure : exitCodes.success;
}

type Take = (document: InputDocument, objects: readonly KubernetesObject[], index: number) => void;

/** Examines all documents, and hands on what they become as long as nothing is wrong. */
async function examineAll({ inputs, known, tally, io, asResource }: Job, take: Take): Promise<Problem[]> {
  const problems: Problem[] = [...known.problems, ...inputs.problems];
  const examiner = new ManifestChecker({ cluster: known.cluster, asResource });
  const progress = new Progress(io, inputs.documents.length, 'rendered');
  let isRight = !problems.some(isError);
  for (const [index, document] of inputs.documents.entries()) {
    const examined = examiner.check(document);
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
async function toOutput(job: Job, format: OutputFormat): Promise<Problem[]> {
  const output = new BufferedOutput(job.io, format);
  let next = 0;
  const problems = await examineAll(job, (_, objects, index) => {
    if (next === index && output.hold(objects)) next = index + 1;
  });
  if (problems.some(isError)) return problems;
  await output.release();
  const again = new ManifestChecker({ cluster: job.known.cluster, asResource: job.asResource });
  for (const document of job.inputs.documents.slice(next)) await output.write(again.objectsOf(document, []) ?? []);
  await output.end();
  return problems;
}

async function toFolder(job: Job, path: string, format: OutputFormat): Promise<Problem[]> {
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
