import { discreet, type Problem } from '../api';
import { UsageError } from './arguments';
import { Examiner } from './examination';
import { exitCodes } from './exit-codes';
import { readInputs } from './input-documents';
import { inputHelp, inputOptions } from './input-options';
import { type Io } from './io';
import { knownCluster } from './known-cluster';
import { Progress } from './progress';
import { inReadingOrder, problemLines, Tally } from './tally';
import { verb } from './verb';

const help = `pinion check [options] INPUT...

Says all that is wrong with documents, one problem per line: file:line:column, severity and code, document, field,
value, reason, remedy. Problems go to standard output, the summary to standard error.

${inputHelp}
  --as-controller   allow what only the controller can do (where custom resources are applied)
  -o, --output      text or json
  -q, --quiet       no summary
`;

/** `pinion check`: all that is wrong with documents. */
export const check = verb({
  help,
  options: {
    ...inputOptions,
    output: { type: 'string', short: 'o', values: ['text', 'json'] },
    'as-controller': { type: 'boolean' },
  },
  async run({ words, texts, flags }, io) {
    if (words.length === 0) throw new UsageError('check needs files, folders or - for standard input');
    const tally = new Tally(io);
    const inputs = await readInputs(words, io);
    const known = await knownCluster(inputs, texts.platform, io);
    const problems: Problem[] = [...known.problems, ...inputs.problems];
    const examiner = new Examiner({ cluster: known.cluster, asController: flags['as-controller'] === true });
    const progress = new Progress(io, inputs.documents.length, 'checked');
    for (const [index, document] of inputs.documents.entries()) {
      const examined = examiner.examine(document);
      if (document.is === 'workload') tally.workloads++;
      tally.objects += examined.objects?.length ?? 0;
      problems.push(...examined.problems);
      await progress.reach(index);
    }
    progress.end();
    tally.count(problems);
    const sorted = inReadingOrder(problems, inputs.files);
    if (texts.output === 'json') await printJson(sorted, tally, known.origin, io);
    else for (const piece of problemLines(sorted)) await io.write(piece);
    if (texts.output !== 'json' && !flags.quiet) io.tell(tally.line(known.origin));
    if (inputs.inaccessible || known.inaccessible) return exitCodes.inaccessible;
    return tally.errors > 0 ? exitCodes.problems : exitCodes.fine;
  },
});

async function printJson(problems: readonly Problem[], tally: Tally, platform: string, io: Io): Promise<void> {
  const { workloads, objects, errors, warnings, seconds } = tally;
  let lead = '{"problems":[\n';
  for (const problem of problems) {
    await io.write(`${lead}${JSON.stringify({ severity: 'error', ...discreet(problem) }, plainNumbers)}`);
    lead = ',\n';
  }
  if (problems.length === 0) lead = '{"problems":[';
  const summary = { workloads, objects, errors, warnings, seconds: Number(seconds.toFixed(3)), platform };
  await io.write(`${problems.length === 0 ? lead : '\n'}],"summary":${JSON.stringify(summary)}}\n`);
}

const plainNumbers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);
