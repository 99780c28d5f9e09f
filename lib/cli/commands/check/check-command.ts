import { redactProblem, type Problem } from '../../../api';
import { workflowClusterProblems } from '../../../artifact';
import { ManifestChecker } from '../../input/manifest-checker';
import { liveOptions, withConnection, type ClusterConnection } from '../../cluster/cluster-connection';
import { readLiveNeighbors } from '../../cluster/live-neighbors';
import { liveTarget } from '../../cluster/live-target';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { withProblemSource } from '../../input/input-documents';
import { inputArgument } from '../../input/input-options';
import { manifestOptions, readManifests, type ReadManifests } from '../../input/read-manifests';
import { type Io } from '../../io/io';
import { Progress } from '../../io/progress';
import { inReadingOrder, noteLines, problemLines, Summary } from '../../output/tally';
import { textOutput } from '../../command/output-options';
import { defineCommand } from '../../command/command';
import { importOffers } from './import-offers';

const checkOptions = {
  ...manifestOptions,
  live: {
    type: 'flag',
    description:
      'also compare host names, paths and access peers with the cluster of the kubeconfig, and use its Platform and Projects unless --platform or an input gives a Platform; nothing is changed',
  },
  ...liveOptions,
  'as-controller': {
    type: 'flag',
    description: 'allow features that require the controller, for manifests that are applied as custom resources',
  },
  output: textOutput,
  quiet: { type: 'flag', short: 'q', description: 'print no summary' },
} as const satisfies OptionSpecs;

/** `pinion check`. */
export const checkCommand = defineCommand({
  description: `Print one problem per line: file:line:column, severity and code, object, field, value, what is wrong, and how to fix it. Problems are written to standard output, the summary to standard error.`,
  arguments: { inputs: { ...inputArgument, required: true } },
  options: checkOptions,
  examples: [
    { command: 'pinion check shop.yaml' },
    { command: 'pinion check shop.yaml --live' },
    { command: 'pinion check web.workflow.yaml --stage production' },
  ],
  exitCodes: {
    failure: 'the manifests have errors',
    unavailable: 'an input or the cluster cannot be read or reached',
  },
  async run({ args, options }, io) {
    const read = await readManifests(args.inputs, options, io);
    const checked = options.live
      ? await withConnection(options, io, async (connection) => {
          const isPlatformNamed = options.platform !== undefined;
          const known = await liveTarget(read, { isPlatformNamed, stage: options.stage }, connection);
          return checkManifests({ ...read, known }, options, io, connection);
        })
      : await checkManifests(read, options, io);
    return printChecked(checked, args.inputs, options, io);
  },
});

type CheckOptions = OptionValues<typeof checkOptions>;

/** Checked manifests. */
interface Checked extends ReadManifests {
  readonly problems: readonly Problem[];
  readonly tally: Summary;
}

async function checkManifests(
  { inputs, known, notes: notesOfInputs }: ReadManifests,
  options: CheckOptions,
  io: Io,
  connection?: ClusterConnection,
): Promise<Checked> {
  const tally = new Summary(io);
  const notes = [...notesOfInputs];
  const problems: Problem[] = [...known.problems, ...inputs.problems];
  const checker = new ManifestChecker({
    cluster: known.cluster,
    asController: options['as-controller'],
    useController: 'use --as-controller if the controller expands it',
  });
  for (const { workflow, read } of inputs.workflows)
    problems.push(
      ...workflowClusterProblems(workflow, known.cluster).map((problem) => withProblemSource(problem, read)),
    );
  const progress = new Progress(io, inputs.documents.length, 'checked');
  for (const [index, document] of inputs.documents.entries()) {
    const checked = checker.check(document);
    if (document.is === 'workload') tally.workloads++;
    tally.objects += checked.objects?.length ?? 0;
    problems.push(...checked.problems);
    await progress.reach(index);
  }
  progress.end();
  problems.push(
    ...(connection
      ? await checker.finishLive(known, (set) => readLiveNeighbors(set, connection, notes))
      : checker.finish(known)),
  );
  tally.count(problems);
  return { inputs, known, notes, problems, tally };
}

async function printChecked(
  { inputs, known, notes, problems, tally }: Checked,
  args: readonly string[],
  options: CheckOptions,
  io: Io,
): Promise<ExitCode> {
  const sorted = inReadingOrder(problems, inputs.files);
  if (options.output === 'json') await printJson(sorted, [...notes, ...known.notes], tally, known.origin, io);
  else for (const chunk of problemLines(sorted)) await io.write(chunk);
  if (options.output !== 'json' && !options.quiet)
    io.writeError(
      `${noteLines(notes)}${tally.text(known.origin)}${noteLines(known.notes)}${importOffers(inputs.documents, args, io)}`,
    );
  if (inputs.isUnavailable || known.isUnavailable) return exitCodes.unavailable;
  return tally.errors > 0 ? exitCodes.failure : exitCodes.success;
}

async function printJson(
  problems: readonly Problem[],
  notes: readonly string[],
  tally: Summary,
  platform: string,
  io: Io,
): Promise<void> {
  const { workloads, objects, errors, warnings, seconds } = tally;
  let prefix = '{"problems":[\n';
  for (const problem of problems) {
    await io.write(`${prefix}${JSON.stringify({ severity: 'error', ...redactProblem(problem) }, plainNumbers)}`);
    prefix = ',\n';
  }
  if (problems.length === 0) prefix = '{"problems":[';
  const counts = { workloads, objects, errors, warnings, seconds: Number(seconds.toFixed(3)), platform };
  const summary = { ...counts, ...(notes.length > 0 && { notes }) };
  await io.write(`${problems.length === 0 ? prefix : '\n'}],"summary":${JSON.stringify(summary)}}\n`);
}

const plainNumbers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);
