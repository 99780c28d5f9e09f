import { safeParseManifest, type ManifestInput, type Problem, type Workload } from '../../../api';
import {
  safeExpand,
  traceOrigins,
  type PlatformContext,
  type ExplainedObject,
  type ProjectContext,
} from '../../../expand';
import { UsageError } from '../../command/arguments';
import { explainedFields, explainedJson, selectFields } from './explained-fields';
import { explainedYaml } from './explained-yaml';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { withProblemSource, readInputs, type InputDocument } from '../../input/input-documents';
import { inputHelp, inputOptions } from '../../input/input-options';
import { type Io } from '../../io/io';
import { resolveTargetCluster } from '../../input/target-cluster';
import { type SourceLocator } from './origin-text';
import { problemLines } from '../../output/tally';
import { defineCommand } from '../../command/command';
import { selectWorkload } from './workload-choice';

const help = `pinion explain [options] WORKLOAD [INPUT...]

Says of every field that a workload becomes who set it: the person's line, a patch, the Platform, the Project, a part of
the runtime profile, a default, or the kind itself. Each comment holds for the lines below it too, up to the next one.
WORKLOAD is name, project/name, kind/name or kind/project/name. Without INPUT the working folder is read.

${inputHelp}
  --object NAME     only this object: Deployment or Deployment/cart
  --field PATH      only these fields, with all their origins: spec.replicas, containers[0].image
  -o, --output      text or json
`;

/** `pinion explain`: who set every generated field. */
export const explainCommand = defineCommand({
  help,
  options: {
    ...inputOptions,
    output: { type: 'string', short: 'o', values: ['text', 'json'] },
    object: { type: 'string' },
    field: { type: 'string' },
  },
  async run({ positionals: [wanted, ...words], values: texts }, io) {
    if (wanted === undefined) throw new UsageError('explain needs the name of a workload');
    const inputs = await readInputs(words.length > 0 ? words : ['.'], io);
    if (inputs.isUnavailable) return refuse(inputs.problems, io, exitCodes.unavailable);
    const known = await resolveTargetCluster(inputs, texts.platform, io);
    const document = selectWorkload(wanted, inputs.documents);
    if (!known.cluster) {
      const code = known.isUnavailable ? exitCodes.unavailable : exitCodes.failure;
      return refuse([...known.problems, ...inputs.problems], io, code);
    }
    const found = explainedWorkload(document, known.cluster);
    if (!found.explained) return refuse(found.problems, io, exitCodes.failure);
    const places: SourceLocator = {
      kind: String(document.value['kind']),
      world: found.world,
      person: (path) => document.read.locate(path),
      cluster: (object, path) => known.locate(object, path),
    };
    const chosen = selectFields(found.explained, texts.object, texts.field);
    await print(chosen, places, { json: texts.output === 'json', fields: texts.field !== undefined }, io);
    return exitCodes.success;
  },
});

type Found =
  | { readonly explained: readonly ExplainedObject[]; readonly world: ProjectContext }
  | { readonly explained?: never; readonly problems: readonly Problem[] };

function explainedWorkload({ value, read }: InputDocument, cluster: PlatformContext): Found {
  const { completed, problems } = safeParseManifest(value);
  if (!completed) return { problems: problems.map((problem) => withProblemSource(problem, read)) };
  const workload = completed as Workload;
  const world = cluster.project(workload.metadata.namespace);
  const expanded = safeExpand(workload, world);
  if (!expanded.objects) return { problems: expanded.problems.map((problem) => withProblemSource(problem, read)) };
  return { explained: traceOrigins(value as unknown as ManifestInput, workload, world), world };
}

async function print(
  explained: readonly ExplainedObject[],
  places: SourceLocator,
  { json, fields }: { json: boolean; fields: boolean },
  io: Io,
): Promise<void> {
  if (json) return io.write(explainedJson(explained, places));
  const dim = io.terminal.out && io.color ? (text: string) => `\u001b[2m${text}\u001b[22m` : (text: string) => text;
  const texts = explained.map((object) =>
    fields ? explainedFields(object, places, dim) : explainedYaml(object, places, dim),
  );
  await io.write(texts.join(fields ? '' : '---\n'));
}

function refuse(problems: readonly Problem[], io: Io, code: ExitCode): ExitCode {
  for (const piece of problemLines(problems)) io.writeError(piece);
  return code;
}
