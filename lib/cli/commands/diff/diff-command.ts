import { isError } from '../../../api';
import { withConnection } from '../../cluster/cluster-connection';
import { defineCommand } from '../../command/command';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UsageError } from '../../command/usage-error';
import { type Io } from '../../io/io';
import { problemLines } from '../../output/tally';
import { isArtifactReference } from '../../service/reference-word';
import { compareInputs, type InputDiff, type Side } from './compare-inputs';
import { compareWithCluster } from './compare-with-cluster';
import { diffMarkdown } from './diff-markdown';
import { diffOptions, type DiffOptions } from './diff-options';
import { diffText } from './diff-text';
import { inputDiffView } from './diff-view';
import { previewDeployment } from './preview-deployment';
import { readComparable, readRevisions, readSide, readStages, type SideOptions } from './read-sides';

const forms =
  'pinion diff BEFORE AFTER, pinion diff --from REVISION [INPUT...], pinion diff --live INPUT..., pinion diff WORKFLOW --stage STAGE --to-stage STAGE, or pinion diff PROJECT/WORKFLOW@VERSION --to STAGE';

/** `pinion diff`. */
export const diffCommand = defineCommand({
  description: `Show what changes between two versions of manifests: each workload with its fields before and after, which objects differ, whether pods restart, and because of which field of the workload, Project, Platform or RuntimeProfile. "+" marks what is added, "-" what is removed, "~" what is changed. Nothing is deployed, and values that could be secrets are not shown.

Compare two files or folders (BEFORE AFTER), the inputs at a git revision with another revision or the work tree (--from), the inputs with a cluster (--live), or two stages of a workflow (--stage and --to-stage). For a published artifact (PROJECT/WORKFLOW@VERSION with --to STAGE), the submission service compares it with what is deployed, and its requests with the remaining quota.`,
  arguments: {
    inputs: {
      valueName: 'INPUT',
      description: 'files, folders (all *.yaml, *.yml and *.json files in them), or one PROJECT/WORKFLOW@VERSION',
      repeatable: true,
    },
  },
  options: diffOptions,
  examples: [
    { command: 'pinion diff --from origin/main apps' },
    { command: 'pinion diff --live apps' },
    { command: 'pinion diff web.workflow.yaml --stage staging --to-stage production' },
    { command: 'pinion diff shop/web@1.4.2 --to production' },
  ],
  exitCodes: {
    success: 'compared; with --exit-code: nothing would change',
    failure: 'with --exit-code: something would change; or the deployment of an artifact would be rejected',
    usage: 'usage error, or a manifest has errors',
    unavailable:
      'an input or the cluster cannot be read or reached; with --live --exit-code: also if an object is not compared',
  },
  async run({ args: { inputs }, options }, io) {
    const [first] = inputs;
    if (isServiceForm(first, options)) return previewDeployment(inputs, options, io);
    if (options.live) {
      if (inputs.length === 0) throw new UsageError('--live requires INPUT: manifests to compare with the cluster');
      const side = await readSide(inputs, 'the inputs', options, io);
      if (side.inputs.problems.some(isError)) return print(compareInputs(side, side), [side], options, io);
      return withConnection(options, io, async (connection) =>
        print(await compareWithCluster(side, connection), [side], options, io),
      );
    }
    const [before, after] = await readComparable(options, (own) => readTwo(inputs, own, io));
    return print(compareInputs(before, after), [before, after], options, io);
  },
});

/** A stage without a revision belongs to an artifact; a wrong one is reported there. */
const isServiceForm = (first: string | undefined, { from, to, live }: DiffOptions): boolean =>
  from === undefined && !live && first !== undefined && (to !== undefined || isArtifactReference(first));

async function readTwo(inputs: readonly string[], options: SideOptions, io: Io): Promise<[Side, Side]> {
  if (options.from !== undefined) return readRevisions(inputs, options, io);
  if (options.to !== undefined) throw new UsageError('--to requires --from REVISION, or PROJECT/WORKFLOW@VERSION');
  if (options['to-stage'] !== undefined) {
    if (inputs.length === 0) throw new UsageError('--to-stage requires INPUT: the file of a workflow');
    return readStages(inputs, options, io);
  }
  const [before, after, other] = inputs;
  if (before === undefined || after === undefined || other !== undefined)
    throw new UsageError(`diff compares two inputs; use ${forms}`);
  return [await readSide([before], before, options, io), await readSide([after], after, options, io)];
}

async function print(diff: InputDiff, sides: readonly Side[], options: DiffOptions, io: Io): Promise<ExitCode> {
  const isUnavailable = sides.some(({ inputs, known }) => inputs.isUnavailable || known.isUnavailable);
  for (const chunk of problemLines(diff.problems)) io.writeError(chunk);
  if (isUnavailable) return exitCodes.unavailable;
  if (diff.problems.some(isError)) return exitCodes.usage;
  const view = inputDiffView(diff);
  if (options.json || options.output === 'json') {
    const { problems: _, ...document } = diff;
    await io.write(`${JSON.stringify(document, null, 2)}\n`);
  } else await io.write(options.output === 'markdown' ? diffMarkdown(view) : diffText(view, io));
  if (options['exit-code'] && diff.notCompared > 0) return exitCodes.unavailable;
  return options['exit-code'] && diff.changes.length > 0 ? exitCodes.failure : exitCodes.success;
}
