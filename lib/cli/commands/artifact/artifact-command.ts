import { isError, type Problem } from '../../../api';
import {
  verifyArtifact,
  isReference,
  issuerKeysByDiscovery,
  prune as pruneStore,
  stageClusterProblems,
  stageImageProblems,
  stageRule,
  type ArtifactStage,
  type ArtifactStore,
  type SignedArtifact,
} from '../../../artifact';
import { type ProjectContext } from '../../../expand';
import { UsageError } from '../../command/usage-error';
import { artifactFacts, artifactText } from '../../artifact-store/artifact-text';
import { damagedVersion, listText, nothingIn } from './list-text';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { readInputs } from '../../input/input-documents';
import { type Io } from '../../io/io';
import { resolveTargetCluster, type TargetCluster } from '../../input/target-cluster';
import { textOf } from '../../output/object-text';
import { storeName, storeOptions, withStore } from '../../artifact-store/with-store';
import { problemLines } from '../../output/tally';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { textOutput } from '../../command/output-options';
import { platformOption } from '../../input/input-options';
import { defineCommand, type CommandGroup } from '../../command/command';

const listOptions = { ...storeOptions, output: textOutput } as const satisfies OptionSpecs;

const stageOption = {
  type: 'string',
  valueName: 'NAME',
  description: 'stage to show',
  defaultText: 'all stages',
} as const;

const showOptions = {
  ...storeOptions,
  stage: { ...stageOption, description: 'stage to show; required for yaml if there are several' },
  output: {
    type: 'choice',
    short: 'o',
    choices: ['text', 'json', 'yaml'],
    default: 'text',
    description: 'output format; yaml prints the objects that are applied',
  },
} as const satisfies OptionSpecs;

const verifyOptions = {
  ...storeOptions,
  stage: { ...stageOption, description: 'stage to verify' },
  platform: { ...platformOption, defaultText: 'the nearest pinion.platform.yaml' },
  output: textOutput,
} as const satisfies OptionSpecs;

const pruneOptions = {
  ...storeOptions,
  keep: {
    type: 'integer',
    min: 1,
    max: 999_999,
    required: true,
    description: 'number of versions to keep per workflow, newest first',
  },
  days: {
    type: 'integer',
    min: 0,
    max: 999_999,
    default: 30,
    description: 'keep all versions published within this many days',
  },
  'dry-run': { type: 'flag', description: 'show what would be removed, without removing it' },
  output: textOutput,
} as const satisfies OptionSpecs;

const artifactArgument = {
  artifact: {
    valueName: 'ARTIFACT',
    required: true,
    description: 'PROJECT/NAME@VERSION or sha256:DIGEST',
  },
} as const;

/** `pinion artifact`. */
export const artifactCommand: CommandGroup = {
  subcommands: {
    list: {
      summary: 'list published versions, newest first',
      load: () =>
        defineCommand({
          arguments: {
            scope: { valueName: 'PROJECT[/NAME]', description: 'project or workflow to list (default: all)' },
          },
          options: listOptions,
          run: ({ args, options }, io) => withStore(options.store, io, (store) => list(args.scope, options, store, io)),
        }),
    },
    show: {
      summary: 'show the contents and provenance of an artifact',
      load: () =>
        defineCommand({
          arguments: artifactArgument,
          options: showOptions,
          run: ({ args, options }, io) =>
            withStore(options.store, io, (store) => show(args.artifact, options, store, io)),
        }),
    },
    verify: {
      summary: 'verify that the stages of the Project accept an artifact, and show whose signature they trust',
      load: () =>
        defineCommand({
          arguments: artifactArgument,
          options: verifyOptions,
          exitCodes: { failure: 'a stage rejects the artifact' },
          run: ({ args, options }, io) =>
            withStore(options.store, io, (store) => verify(args.artifact, options, store, io)),
        }),
    },
    prune: {
      summary: 'remove the contents of old versions that are not deployed',
      load: () =>
        defineCommand({
          options: pruneOptions,
          run: ({ options }, io) => withStore(options.store, io, (store) => prune(options, store, io)),
        }),
    },
  },
};

async function list(
  scope: string | undefined,
  { output }: OptionValues<typeof listOptions>,
  store: ArtifactStore,
  io: Io,
): Promise<ExitCode> {
  if (scope !== undefined && !/^[^/@]+(\/[^/@]+)?$/.test(scope))
    throw new UsageError(`artifact list takes PROJECT or PROJECT/NAME, not ${JSON.stringify(scope)}`);
  const [{ versions, corrupt }, holders] = [await store.list(scope), await store.holders()];
  const rows = versions.map((version) => ({ ...version, deployed: holders.get(version.digest) ?? [] }));
  const shown = storeName(store, io);
  const isEmpty = rows.length === 0 && corrupt.length === 0;
  if (output === 'json') await io.write(`${JSON.stringify(rows, null, 2)}\n`);
  else await io.write(isEmpty ? nothingIn(shown, scope) : listText(rows));
  return corrupt.length === 0
    ? exitCodes.success
    : printProblems(
        corrupt.map((key) => damagedVersion(key, shown)),
        io,
      );
}

async function show(
  reference: string,
  options: OptionValues<typeof showOptions>,
  store: ArtifactStore,
  io: Io,
): Promise<ExitCode> {
  const { output } = options;
  const found = await fetchArtifact(reference, store, io);
  if (typeof found === 'number') return found;
  const stages = stagesOf(found, options.stage);
  if (output === 'yaml') {
    const [stage, second] = stages;
    if (second) throw new UsageError(`--output yaml requires --stage: ${stages.map(({ name }) => name).join(' or ')}`);
    await io.write(textOf(stage?.resources ?? [], 'yaml'));
  } else {
    const view = { ...found, content: { ...found.content, stages } };
    await io.write(output === 'json' ? `${JSON.stringify(artifactFacts(view), null, 2)}\n` : artifactText(view));
  }
  return exitCodes.success;
}

async function verify(
  reference: string,
  options: OptionValues<typeof verifyOptions>,
  store: ArtifactStore,
  io: Io,
): Promise<ExitCode> {
  const { output } = options;
  const found = await fetchArtifact(reference, store, io);
  if (typeof found === 'number') return found;
  const known = await resolveTargetCluster(await readInputs([], io), options.platform, io);
  if (known.isUnavailable || !known.cluster)
    return printProblems(known.problems, io, known.isUnavailable ? exitCodes.unavailable : exitCodes.failure);
  const context = known.cluster.project(found.content.project);
  if (context.assumed.includes('Project'))
    return printProblems([...known.problems, unknownProject(found.content.project, known.origin)], io);
  const verified = await Promise.all(stagesOf(found, options.stage).map((stage) => verifyStage(found, stage, context)));
  const results = verified.map((result) => ({
    ...result,
    problems: result.problems.map((problem) => atStage(problem, result.stage, context.project, known)),
  }));
  if (output === 'json') await io.write(`${JSON.stringify(results, null, 2)}\n`);
  else
    for (const { stage, accepted, by, problems } of results) {
      const publisher = by === undefined ? 'not protected' : `${by.repository} ${by.ref} (${by.issuer})`;
      const result = accepted ? `accepted, ${publisher}` : 'rejected';
      await io.write(`stage ${stage}: ${result}\n${[...problemLines(problems)].join('')}`);
    }
  return results.every(({ accepted }) => accepted) ? exitCodes.success : exitCodes.failure;
}

async function prune(
  { keep, days, output, 'dry-run': isDry }: OptionValues<typeof pruneOptions>,
  store: ArtifactStore,
  io: Io,
): Promise<ExitCode> {
  const now = io.system?.clock.now() ?? 0;
  const removed = await pruneStore(store, { versions: keep, age: days * 24 * 3_600_000 }, now, isDry);
  const lines = removed.map((digest) => `${digest}\n`).join('');
  await io.write(output === 'json' ? `${JSON.stringify({ removed, isDry }, null, 2)}\n` : lines);
  if (output !== 'json') io.writeError(`${removed.length} ${isDry ? 'would be removed' : 'removed'}\n`);
  return exitCodes.success;
}

/** Returns an artifact after printing its problems; an exit code if it cannot be loaded. */
async function fetchArtifact(reference: string, store: ArtifactStore, io: Io): Promise<SignedArtifact | ExitCode> {
  if (!isReference(reference)) throw invalidReference(reference);
  const found = await store.get(reference);
  return found.artifact && !found.problems.some(isError)
    ? (printProblems(found.problems, io), found.artifact)
    : printProblems(found.problems, io);
}

function invalidReference(word: string): UsageError {
  if (isReference(`${word}@1`))
    return new UsageError(`${word} has no version; use ${word}@VERSION ("pinion artifact list ${word}" lists them)`);
  return new UsageError(`${JSON.stringify(word)} is not an artifact; use PROJECT/NAME@VERSION or sha256:DIGEST`);
}

function printProblems(problems: readonly Problem[], io: Io, code: ExitCode = exitCodes.failure): ExitCode {
  for (const chunk of problemLines(problems)) io.writeError(chunk);
  return code;
}

function stagesOf({ content, reference }: SignedArtifact, stage: string | undefined): readonly ArtifactStage[] {
  const stages = content.stages.filter(({ name }) => stage === undefined || name === stage);
  if (stages.length > 0) return stages;
  const names = content.stages.map(({ name }) => name).join(', ');
  throw new UsageError(`${reference} has no stage ${stage}; use ${names}`);
}

/** Returns a problem of the signatures at the stage of the Project that rejects them, with its location. */
function atStage(problem: Problem, stage: string, project: ProjectContext['project'], known: TargetCluster): Problem {
  const index = project.spec.stages?.findIndex(({ name }) => name === stage) ?? -1;
  if (problem.code !== 'untrusted-artifact' || index < 0) return problem;
  const object = `Project ${project.metadata.name}`;
  const path = ['spec', 'stages', index];
  const source = known.locate(object, path);
  return { ...problem, object, path, ...(source && { source }) };
}

/** Verifies an artifact for one stage. */
async function verifyStage(found: SignedArtifact, stage: ArtifactStage, context: ProjectContext) {
  const { name } = stage;
  const { project } = context;
  const { rule, problems: stageProblems } = stageRule(project, name);
  const problems = [...stageProblems, ...stageClusterProblems(project, stage)];
  if (!rule || problems.length > 0) return { stage: name, accepted: false, problems };
  const acceptance = await verifyArtifact(found, rule, issuerKeysByDiscovery());
  const images = stageImageProblems(context, stage);
  if (!acceptance.accepted || images.length > 0)
    return { stage: name, accepted: false, problems: [...images, ...(acceptance.accepted ? [] : acceptance.problems)] };
  return { stage: name, accepted: true, by: acceptance.publisher, provenance: acceptance.provenance, problems: [] };
}

const unknownProject = (value: string, origin: string): Problem => ({
  code: 'unknown-reference',
  path: [],
  value,
  reason: `not found; platform: ${origin}`,
  remedy: 'pass the manifests of the cluster with --platform; "pinion platform pull" writes them',
});
