import { redactProblem, type Problem } from '../../../api';
import { isImportable } from '../import/kinds/native-kinds';
import { workflowClusterProblems } from '../../../artifact';
import { ManifestChecker } from '../../input/manifest-checker';
import { exitCodes } from '../../command/exit-codes';
import { readInputs, withProblemSource, type InputDocument } from '../../input/input-documents';
import { standardInput } from '../../input/input-files';
import { inputArgument, platformOption } from '../../input/input-options';
import { type Io } from '../../io/io';
import { resolveTargetCluster } from '../../input/target-cluster';
import { Progress } from '../../io/progress';
import { inReadingOrder, problemLines, Summary } from '../../output/tally';
import { textOutput } from '../../command/output-options';
import { defineCommand } from '../../command/command';

/** `pinion check`. */
export const checkCommand = defineCommand({
  description: `Print one problem per line: file:line:column, severity and code, object, field, value, what is wrong, and how to fix it. Problems are written to standard output, the summary to standard error.`,
  arguments: { inputs: { ...inputArgument, required: true } },
  options: {
    platform: platformOption,
    'as-controller': {
      type: 'flag',
      description: 'allow features that require the controller, for manifests that are applied as custom resources',
    },
    output: textOutput,
    quiet: { type: 'flag', short: 'q', description: 'print no summary' },
  },
  examples: [{ command: 'pinion check shop.yaml' }],
  exitCodes: { failure: 'the manifests have errors' },
  async run({ args, options }, io) {
    const tally = new Summary(io);
    const inputs = await readInputs(args.inputs, io);
    const known = await resolveTargetCluster(inputs, options.platform, io);
    const problems: Problem[] = [...known.problems, ...inputs.problems];
    const checker = new ManifestChecker({ cluster: known.cluster, asController: options['as-controller'] });
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
    tally.count(problems);
    const sorted = inReadingOrder(problems, inputs.files);
    if (options.output === 'json') await printJson(sorted, tally, known.origin, io);
    else for (const chunk of problemLines(sorted)) await io.write(chunk);
    if (options.output !== 'json' && !options.quiet)
      io.writeError(`${tally.text(known.origin)}${importOffers(inputs.documents)}`);
    if (inputs.isUnavailable || known.isUnavailable) return exitCodes.unavailable;
    return tally.errors > 0 ? exitCodes.failure : exitCodes.success;
  },
});

/** Returns a line for each file with native objects that could be workloads, at most `maxOffers`. */
function importOffers(documents: readonly InputDocument[]): string {
  const counts = new Map<string, number>();
  for (const { is, value, read } of documents)
    if (is === 'foreign' && isImportable(value['kind'])) {
      const { file } = read.locate([]);
      counts.set(file, (counts.get(file) ?? 0) + 1);
    }
  counts.delete(standardInput);
  const offers = [...counts].map(([file, count]) => {
    const objects = count === 1 ? '1 native object could be a workload' : `${count} native objects could be workloads`;
    return `${objects}: pinion import -f ${/^[\w./-]+$/.test(file) ? file : `'${file}'`}\n`;
  });
  const more = offers.length - maxOffers;
  return (
    offers.slice(0, maxOffers).join('') + (more > 0 ? `${more} more ${more === 1 ? 'file' : 'files'} of them\n` : '')
  );
}

const maxOffers = 3;

async function printJson(problems: readonly Problem[], tally: Summary, platform: string, io: Io): Promise<void> {
  const { workloads, objects, errors, warnings, seconds } = tally;
  let prefix = '{"problems":[\n';
  for (const problem of problems) {
    await io.write(`${prefix}${JSON.stringify({ severity: 'error', ...redactProblem(problem) }, plainNumbers)}`);
    prefix = ',\n';
  }
  if (problems.length === 0) prefix = '{"problems":[';
  const summary = { workloads, objects, errors, warnings, seconds: Number(seconds.toFixed(3)), platform };
  await io.write(`${problems.length === 0 ? prefix : '\n'}],"summary":${JSON.stringify(summary)}}\n`);
}

const plainNumbers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);
