import { redactProblem, type Problem } from '../../../api';
import { UsageError } from '../../command/arguments';
import { ManifestChecker } from '../../input/manifest-checker';
import { exitCodes } from '../../command/exit-codes';
import { readInputs } from '../../input/input-documents';
import { inputHelp, inputOptions } from '../../input/input-options';
import { type Io } from '../../io/io';
import { resolveTargetCluster } from '../../input/target-cluster';
import { Progress } from '../../io/progress';
import { inReadingOrder, problemLines, Summary } from '../../output/tally';
import { defineCommand } from '../../command/command';

const help = `pinion check [options] INPUT...

Says all that is wrong with documents, one problem per line: file:line:column, severity and code, document, field,
value, reason, remedy. Problems go to standard output, the summary to standard error.

${inputHelp}
  --as-controller   allow what only the controller can do (where custom resources are applied)
  -o, --output      text or json
  -q, --quiet       no summary
`;

/** `pinion check`: all that is wrong with documents. */
export const checkCommand = defineCommand({
  help,
  options: {
    ...inputOptions,
    output: { type: 'string', short: 'o', values: ['text', 'json'] },
    'as-controller': { type: 'boolean' },
  },
  async run({ positionals, values, flags }, io) {
    if (positionals.length === 0) throw new UsageError('check needs files, folders or - for standard input');
    const tally = new Summary(io);
    const inputs = await readInputs(positionals, io);
    const known = await resolveTargetCluster(inputs, values.platform, io);
    const problems: Problem[] = [...known.problems, ...inputs.problems];
    const examiner = new ManifestChecker({ cluster: known.cluster, asController: flags['as-controller'] === true });
    const progress = new Progress(io, inputs.documents.length, 'checked');
    for (const [index, document] of inputs.documents.entries()) {
      const examined = examiner.check(document);
      if (document.is === 'workload') tally.workloads++;
      tally.objects += examined.objects?.length ?? 0;
      problems.push(...examined.problems);
      await progress.reach(index);
    }
    progress.end();
    tally.count(problems);
    const sorted = inReadingOrder(problems, inputs.files);
    if (values.output === 'json') await printJson(sorted, tally, known.origin, io);
    else for (const piece of problemLines(sorted)) await io.write(piece);
    if (values.output !== 'json' && !flags.quiet) io.writeError(tally.text(known.origin));
    if (inputs.isUnavailable || known.isUnavailable) return exitCodes.unavailable;
    return tally.errors > 0 ? exitCodes.failure : exitCodes.success;
  },
});

async function printJson(problems: readonly Problem[], tally: Summary, platform: string, io: Io): Promise<void> {
  const { workloads, objects, errors, warnings, seconds } = tally;
  let lead = '{"problems":[\n';
  for (const problem of problems) {
    await io.write(`${lead}${JSON.stringify({ severity: 'error', ...redactProblem(problem) }, plainNumbers)}`);
    lead = ',\n';
  }
  if (problems.length === 0) lead = '{"problems":[';
  const summary = { workloads, objects, errors, warnings, seconds: Number(seconds.toFixed(3)), platform };
  await io.write(`${problems.length === 0 ? lead : '\n'}],"summary":${JSON.stringify(summary)}}\n`);
}

const plainNumbers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);
