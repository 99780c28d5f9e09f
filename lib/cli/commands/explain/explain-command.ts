import { safeParseManifest, type ManifestInput, type Problem, type Workload } from '../../../api';
import {
  safeExpand,
  traceOrigins,
  type PlatformContext,
  type ExplainedObject,
  type ProjectContext,
} from '../../../expand';
import { explainedFields, explainedJson, selectFields } from './explained-fields';
import { explainedYaml } from './explained-yaml';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { withProblemSource, readInputs, type InputDocument } from '../../input/input-documents';
import { inputArgument, platformOption } from '../../input/input-options';
import { type Io } from '../../io/io';
import { resolveTargetCluster } from '../../input/target-cluster';
import { type SourceLocator } from './origin-text';
import { problemLines } from '../../output/tally';
import { textOutput } from '../../command/output-options';
import { defineCommand } from '../../command/command';
import { selectWorkload } from './workload-choice';

/** `pinion explain`. */
export const explainCommand = defineCommand({
  description: `Show what set each field: a line of the manifest, a patch, the Platform, the Project, a part of the runtime profile, a default, or the kind itself. Each comment also applies to the lines below it, up to the next comment.`,
  arguments: {
    workload: {
      valueName: 'WORKLOAD',
      required: true,
      description: 'NAME, PROJECT/NAME, KIND/NAME or KIND/PROJECT/NAME',
    },
    inputs: { ...inputArgument, description: `${inputArgument.description} (default: the working directory)` },
  },
  options: {
    platform: platformOption,
    object: {
      type: 'string',
      valueName: 'NAME',
      description: 'object to show, such as Deployment or Deployment/cart',
      defaultText: 'all',
    },
    field: {
      type: 'string',
      valueName: 'PATH',
      description: 'fields to show, with all their origins, such as spec.replicas or containers[0].image',
      defaultText: 'all',
    },
    output: textOutput,
  },
  examples: [{ command: 'pinion explain cart shop.yaml --object Deployment' }],
  async run({ args, options }, io) {
    const inputs = await readInputs(args.inputs.length > 0 ? args.inputs : ['.'], io);
    if (inputs.isUnavailable) return printProblems(inputs.problems, io, exitCodes.unavailable);
    const known = await resolveTargetCluster(inputs, options.platform, io, { looksBeside: true });
    const document = selectWorkload(args.workload, inputs.documents);
    if (!known.cluster) {
      const code = known.isUnavailable ? exitCodes.unavailable : exitCodes.failure;
      return printProblems([...known.problems, ...inputs.problems], io, code);
    }
    const result = explainedWorkload(document, known.cluster);
    if (!result.explained) return printProblems(result.problems, io, exitCodes.failure);
    const locator: SourceLocator = {
      kind: String(document.value['kind']),
      context: result.context,
      user: (path) => document.read.locate(path),
      cluster: (object, path) => known.locate(object, path),
    };
    const selected = selectFields(result.explained, options.object, options.field);
    await print(selected, locator, { json: options.output === 'json', fields: options.field !== undefined }, io);
    return exitCodes.success;
  },
});

type ExplainResult =
  | { readonly explained: readonly ExplainedObject[]; readonly context: ProjectContext }
  | { readonly explained?: never; readonly problems: readonly Problem[] };

function explainedWorkload({ value, read }: InputDocument, cluster: PlatformContext): ExplainResult {
  const { manifest, problems } = safeParseManifest(value);
  if (!manifest) return { problems: problems.map((problem) => withProblemSource(problem, read)) };
  const workload = manifest as Workload;
  const context = cluster.project(workload.metadata.namespace);
  const expanded = safeExpand(workload, context);
  if (!expanded.objects) return { problems: expanded.problems.map((problem) => withProblemSource(problem, read)) };
  return { explained: traceOrigins(value as unknown as ManifestInput, workload, context), context };
}

async function print(
  explained: readonly ExplainedObject[],
  locator: SourceLocator,
  { json, fields }: { json: boolean; fields: boolean },
  io: Io,
): Promise<void> {
  if (json) return io.write(explainedJson(explained, locator));
  const dim = io.terminal.out && io.color ? (text: string) => `\u001b[2m${text}\u001b[22m` : (text: string) => text;
  const texts = explained.map((object) =>
    fields ? explainedFields(object, locator, dim) : explainedYaml(object, locator, dim),
  );
  await io.write(texts.join(fields ? '' : '---\n'));
}

function printProblems(problems: readonly Problem[], io: Io, code: ExitCode): ExitCode {
  for (const chunk of problemLines(problems)) io.writeError(chunk);
  return code;
}
