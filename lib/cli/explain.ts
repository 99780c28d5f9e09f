import { examine, type Input, type Problem, type Workload } from '../api';
import { examineExpansion, originsOf, type Cluster, type ExplainedObject, type World } from '../expand';
import { UsageError } from './arguments';
import { explainedFields, explainedJson, narrowed } from './explained-fields';
import { explainedYaml } from './explained-yaml';
import { exitCodes, type ExitCode } from './exit-codes';
import { placed, readInputs, type InputDocument } from './input-documents';
import { inputHelp, inputOptions } from './input-options';
import { type Io } from './io';
import { knownCluster } from './known-cluster';
import { type Places } from './origin-text';
import { problemLines } from './tally';
import { verb } from './verb';
import { chosenWorkload } from './workload-choice';

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
export const explain = verb({
  help,
  options: {
    ...inputOptions,
    output: { type: 'string', short: 'o', values: ['text', 'json'] },
    object: { type: 'string' },
    field: { type: 'string' },
  },
  async run({ words: [wanted, ...words], texts }, io) {
    if (wanted === undefined) throw new UsageError('explain needs the name of a workload');
    const inputs = await readInputs(words.length > 0 ? words : ['.'], io);
    if (inputs.inaccessible) return refuse(inputs.problems, io, exitCodes.inaccessible);
    const known = await knownCluster(inputs, texts.platform, io);
    const document = chosenWorkload(wanted, inputs.documents);
    if (!known.cluster) {
      const code = known.inaccessible ? exitCodes.inaccessible : exitCodes.problems;
      return refuse([...known.problems, ...inputs.problems], io, code);
    }
    const found = explainedWorkload(document, known.cluster);
    if (!found.explained) return refuse(found.problems, io, exitCodes.problems);
    const places: Places = {
      kind: String(document.value['kind']),
      world: found.world,
      person: (path) => document.read.locate(path),
      cluster: (object, path) => known.locate(object, path),
    };
    const chosen = narrowed(found.explained, texts.object, texts.field);
    await print(chosen, places, { json: texts.output === 'json', fields: texts.field !== undefined }, io);
    return exitCodes.fine;
  },
});

type Found =
  | { readonly explained: readonly ExplainedObject[]; readonly world: World }
  | { readonly explained?: never; readonly problems: readonly Problem[] };

function explainedWorkload({ value, read }: InputDocument, cluster: Cluster): Found {
  const { completed, problems } = examine(value);
  if (!completed) return { problems: problems.map((problem) => placed(problem, read)) };
  const workload = completed as Workload;
  const world = cluster.project(workload.metadata.namespace);
  const expanded = examineExpansion(workload, world);
  if (!expanded.objects) return { problems: expanded.problems.map((problem) => placed(problem, read)) };
  return { explained: originsOf(value as unknown as Input, workload, world), world };
}

async function print(
  explained: readonly ExplainedObject[],
  places: Places,
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
  for (const piece of problemLines(problems)) io.tell(piece);
  return code;
}
