import { isError, type Problem } from '../../../api';
import { type KubernetesObject } from '../../../expand';
import { ManifestChecker } from '../../input/manifest-checker';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { BufferedOutput } from '../../output/buffered-output';
import { type InputDocument, type InputDocuments } from '../../input/input-documents';
import { inputArgument } from '../../input/input-options';
import { manifestOptions, readManifests } from '../../input/read-manifests';
import { type Io } from '../../io/io';
import { type TargetCluster } from '../../input/target-cluster';
import { type OutputFormat } from '../../output/object-text';
import { OutputFolder } from '../../output/output-folder';
import { Progress } from '../../io/progress';
import { inReadingOrder, noteLines, problemLines, Summary } from '../../output/tally';
import { objectOutput } from '../../command/output-options';
import { defineCommand } from '../../command/command';

/** `pinion render`. */
export const renderCommand = defineCommand({
  description: `Print the native objects in the order in which to apply them. Objects of other API groups are printed unchanged. If anything is invalid, nothing is written. Problems and the summary are written to standard error.`,
  arguments: { inputs: { ...inputArgument, required: true } },
  options: {
    ...manifestOptions,
    'as-resource': {
      type: 'flag',
      description: 'write the custom resources instead, for clusters where the controller expands them',
    },
    'output-dir': {
      type: 'string',
      valueName: 'DIR',
      description: 'folder to write to, one file per manifest, all or none',
    },
    output: objectOutput,
    quiet: { type: 'flag', short: 'q', description: 'print no warnings and no summary' },
  },
  examples: [
    { command: 'pinion render apps | kubectl apply -f -' },
    { command: 'pinion render web.workflow.yaml --stage production' },
  ],
  exitCodes: { failure: 'the manifests have errors; nothing was written' },
  async run({ args, options }, io) {
    const tally = new Summary(io);
    const { inputs, known, notes } = await readManifests(args.inputs, options, io);
    const { output: format, 'output-dir': folder } = options;
    const job: Job = { inputs, known, tally, io, asResource: options['as-resource'] };
    const problems = await (folder === undefined ? toOutput(job, format) : toFolder(job, folder, format));
    tally.count(problems);
    const shown = options.quiet ? problems.filter(isError) : problems;
    for (const chunk of problemLines(inReadingOrder(shown, inputs.files))) io.writeError(chunk);
    if (!options.quiet) io.writeError(`${noteLines(notes)}${tally.text(known.origin)}${noteLines(known.notes)}`);
    return exitCodeOf(job);
  },
});

interface Job {
  readonly inputs: InputDocuments;
  readonly known: TargetCluster;
  readonly tally: Summary;
  readonly io: Io;
  readonly asResource: boolean;
}

function exitCodeOf({ inputs, known, tally }: Job): ExitCode {
  if (inputs.isUnavailable || known.isUnavailable) return exitCodes.unavailable;
  return tally.errors > 0 ? exitCodes.failure : exitCodes.success;
}

type ObjectConsumer = (document: InputDocument, objects: readonly KubernetesObject[], index: number) => void;

/** Checks all manifests, and passes their objects to `consume` until one is invalid. */
async function checkAll({ inputs, known, tally, io, asResource }: Job, consume: ObjectConsumer): Promise<Problem[]> {
  const problems: Problem[] = [...known.problems, ...inputs.problems];
  const useController = 'use --as-resource where the controller runs';
  const checker = new ManifestChecker({ cluster: known.cluster, asResource, useController });
  const progress = new Progress(io, inputs.documents.length, 'rendered');
  let isValid = !problems.some(isError);
  for (const [index, document] of inputs.documents.entries()) {
    const checked = checker.check(document);
    problems.push(...checked.problems);
    if (document.is === 'workload') tally.workloads++;
    if (checked.objects) tally.objects += checked.objects.length;
    else isValid = false;
    if (isValid && checked.objects) consume(document, checked.objects, index);
    await progress.reach(index);
  }
  progress.end();
  problems.push(...checker.finish(known));
  return problems;
}

/** Expands objects that exceed the buffer a second time, once all manifests are valid. */
async function toOutput(job: Job, format: OutputFormat): Promise<Problem[]> {
  const output = new BufferedOutput(job.io, format);
  let next = 0;
  const problems = await checkAll(job, (_, objects, index) => {
    if (next === index && output.hold(objects)) next = index + 1;
  });
  if (problems.some(isError)) return problems;
  await output.release();
  const checker = new ManifestChecker({ cluster: job.known.cluster, asResource: job.asResource });
  for (const document of job.inputs.documents.slice(next)) await output.write(checker.objectsOf(document, []) ?? []);
  await output.end();
  return problems;
}

async function toFolder(job: Job, path: string, format: OutputFormat): Promise<Problem[]> {
  const folder = new OutputFolder(path, format, job.io);
  try {
    const problems = await checkAll(job, (document, objects) => folder.add(document, objects));
    if (problems.some(isError)) folder.abandon();
    else folder.commit();
    return problems;
  } catch (error) {
    folder.abandon();
    throw error;
  }
}
