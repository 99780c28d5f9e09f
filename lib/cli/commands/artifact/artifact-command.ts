import { isError, type PlatformManifest, type Problem } from '../../../api';
import {
  verifyArtifact,
  isReference,
  issuerKeysByDiscovery,
  prune as pruneStore,
  stageRule,
  type ArtifactStage,
  type ArtifactStore,
  type SignedArtifact,
} from '../../../artifact';
import { type Arguments, UsageError } from '../../command/arguments';
import { artifactFacts, artifactText } from '../../artifact-store/artifact-text';
import { damagedVersion, listText, nothingIn } from './list-text';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { readInputs } from '../../input/input-documents';
import { type Io } from '../../io/io';
import { resolveTargetCluster } from '../../input/target-cluster';
import { textOf } from '../../output/object-text';
import { storeName, storeHelp, storeOptions, withStore } from '../../artifact-store/with-store';
import { problemLines } from '../../output/tally';
import { defineCommand } from '../../command/command';
import { resolveSubcommand } from '../../command/resolve-subcommand';

const help = `pinion artifact list [options] [PROJECT[/NAME]]
pinion artifact show [options] ARTIFACT
pinion artifact verify [options] ARTIFACT
pinion artifact prune --keep COUNT [options]

  list      versions that were published, the newest first
  show      what an artifact holds and where it says it comes from; -o yaml is what is applied
  verify    whether the stages of its Project accept it, and whose signature they trust
  prune     removes the contents of old versions, but of none that is deployed anywhere

ARTIFACT is PROJECT/NAME@VERSION, or sha256: and its digest.

${storeHelp}
  --stage NAME      show, verify: only this stage (with yaml: required if there are several)
  --platform FILE   verify: documents of the cluster, with the Project that says whose signatures a stage accepts
                    (default: the nearest pinion.platform.yaml)
  --keep COUNT      prune: number of newest versions of each workflow to keep
  --days COUNT      prune: days for which every version is kept (default: 30)
  --dry-run         prune: remove nothing; say what would be removed
  -o, --output      text or json; show: yaml too
`;

const options = {
  ...storeOptions,
  stage: { type: 'string' },
  platform: { type: 'string' },
  keep: { type: 'string' },
  days: { type: 'string' },
  'dry-run': { type: 'boolean' },
  output: { type: 'string', short: 'o', values: ['text', 'json', 'yaml'] },
} as const;

type Given = Arguments<keyof typeof options>;
type Run = (words: readonly string[], given: Given, store: ArtifactStore, io: Io) => Promise<ExitCode>;

const list: Run = async ([of, ...more], given, store, io) => {
  if (more.length > 0) throw new UsageError('artifact list takes one project, or one workflow as PROJECT/NAME');
  if (of !== undefined && !/^[^/@]+(\/[^/@]+)?$/.test(of))
    throw new UsageError(`artifact list takes one project, or one workflow as PROJECT/NAME, not ${of}`);
  const [{ versions, damaged }, holders] = [await store.listing(of), await store.holders()];
  const rows = versions.map((one) => ({ ...one, deployed: holders.get(one.digest) ?? [] }));
  const shown = storeName(store, io);
  const isEmpty = rows.length === 0 && damaged.length === 0;
  if (given.values.output === 'json') await io.write(`${JSON.stringify(rows, null, 2)}\n`);
  else await io.write(isEmpty ? nothingIn(shown, of) : listText(rows));
  return damaged.length === 0
    ? exitCodes.success
    : told(
        damaged.map((key) => damagedVersion(key, shown)),
        io,
      );
};

const show: Run = async (words, given, store, io) => {
  const found = await retrieved(words, 'show', store, io);
  if (typeof found === 'number') return found;
  const stages = stagesOf(found, given);
  if (given.values.output === 'yaml') {
    const [stage, second] = stages;
    if (second) throw new UsageError(`give --stage: ${stages.map(({ name }) => name).join(' or ')}`);
    await io.write(textOf(stage?.resources ?? [], 'yaml'));
  } else {
    const view = { ...found, content: { ...found.content, stages } };
    await io.write(
      given.values.output === 'json' ? `${JSON.stringify(artifactFacts(view), null, 2)}\n` : artifactText(view),
    );
  }
  return exitCodes.success;
};

const verify: Run = async (words, given, store, io) => {
  const found = await retrieved(words, 'verify', store, io);
  if (typeof found === 'number') return found;
  const known = await resolveTargetCluster(await readInputs([], io), given.values.platform, io);
  if (known.isUnavailable || !known.cluster)
    return told(known.problems, io, known.isUnavailable ? exitCodes.unavailable : exitCodes.failure);
  const world = known.cluster.project(found.content.project);
  if (world.assumed.includes('Project'))
    return told([...known.problems, unknownProject(found.content.project, known.origin)], io);
  const results = await Promise.all(stagesOf(found, given).map((stage) => judged(found, stage, world.project)));
  if (given.values.output === 'json') await io.write(`${JSON.stringify(results, null, 2)}\n`);
  else
    for (const { stage, accepted, by, problems } of results) {
      const word = by === undefined ? 'not protected' : `${by.repository} ${by.ref} (${by.issuer})`;
      const verdict = accepted ? `accepted, ${word}` : 'refused';
      await io.write(`stage ${stage}: ${verdict}\n${[...problemLines(problems)].join('')}`);
    }
  return results.every(({ accepted }) => accepted) ? exitCodes.success : exitCodes.failure;
};

const prune: Run = async (words, given, store, io) => {
  if (words.length > 0) throw new UsageError('artifact prune looks at the whole store and takes no name');
  const [versions, days] = [countOf('keep', given.values.keep), countOf('days', given.values.days ?? '30')];
  const now = io.system?.clock.now() ?? 0;
  const isDry = given.flags['dry-run'] === true;
  const gone = await pruneStore(store, { versions, age: days * 24 * 3_600_000 }, now, isDry);
  const said = gone.map((digest) => `${digest}\n`).join('');
  await io.write(given.values.output === 'json' ? `${JSON.stringify({ removed: gone, isDry }, null, 2)}\n` : said);
  if (given.values.output !== 'json') io.writeError(`${gone.length} ${isDry ? 'would be removed' : 'removed'}\n`);
  return exitCodes.success;
};

const words: Readonly<Record<string, { readonly takes: readonly string[]; readonly run: Run }>> = {
  list: { takes: ['store', 'output'], run: list },
  show: { takes: ['store', 'stage', 'output'], run: show },
  verify: { takes: ['store', 'stage', 'platform', 'output'], run: verify },
  prune: { takes: ['store', 'keep', 'days', 'dry-run', 'output'], run: prune },
};

/** `pinion artifact`: what was published. */
export const artifactCommand = defineCommand({
  help,
  options,
  subcommands: Object.keys(words),
  async run(given, io) {
    const [word, ...rest] = given.positionals;
    const { run } = resolveSubcommand('artifact', words, given);
    if (given.values.output === 'yaml' && word !== 'show') throw new UsageError(`artifact ${word} prints text or json`);
    return withStore(given.values.store, io, (store) => run(rest, given, store, io));
  },
});

function countOf(option: string, text: string | undefined): number {
  if (text === undefined || !/^\d{1,6}$/.test(text) || (option === 'keep' && Number(text) === 0))
    throw new UsageError(`artifact prune needs --${option} with a whole number${option === 'keep' ? ' above 0' : ''}`);
  return Number(text);
}

/** The artifact that is named, what is odd about it told; where there is none, how the process should end. */
async function retrieved(
  [reference, ...more]: readonly string[],
  word: string,
  store: ArtifactStore,
  io: Io,
): Promise<SignedArtifact | ExitCode> {
  if (reference === undefined || more.length > 0)
    throw new UsageError(`artifact ${word} needs one artifact, as PROJECT/NAME@VERSION`);
  if (!isReference(reference)) throw noReference(reference);
  const found = await store.get(reference);
  return found.artifact && !found.problems.some(isError)
    ? (told(found.problems, io), found.artifact)
    : told(found.problems, io);
}

function noReference(word: string): UsageError {
  if (isReference(`${word}@1`))
    return new UsageError(
      `${word} lacks its version; write ${word}@VERSION ("pinion artifact list ${word}" lists them)`,
    );
  return new UsageError(
    `${JSON.stringify(word)} is no artifact; write PROJECT/NAME@VERSION, or sha256: and its digest`,
  );
}

function told(problems: readonly Problem[], io: Io, code: ExitCode = exitCodes.failure): ExitCode {
  for (const piece of problemLines(problems)) io.writeError(piece);
  return code;
}

function stagesOf({ content, reference }: SignedArtifact, { values }: Given): readonly ArtifactStage[] {
  const stages = content.stages.filter(({ name }) => values.stage === undefined || name === values.stage);
  if (stages.length > 0) return stages;
  const names = content.stages.map(({ name }) => name).join(', ');
  throw new UsageError(`${reference} has no stage ${values.stage}; it has ${names}`);
}

/** Whether one stage accepts an artifact. */
async function judged(found: SignedArtifact, { name }: ArtifactStage, project: PlatformManifest<'Project'>) {
  const { rule, problems } = stageRule(project, name);
  if (!rule) return { stage: name, accepted: false, problems };
  const acceptance = await verifyArtifact(found, rule, issuerKeysByDiscovery());
  return acceptance.accepted
    ? { stage: name, accepted: true, by: acceptance.publisher, provenance: acceptance.provenance, problems: [] }
    : { stage: name, accepted: false, problems: acceptance.problems };
}

const unknownProject = (value: string, origin: string): Problem => ({
  code: 'unknown-reference',
  path: [],
  value,
  reason: `is no Project that is known here; platform: ${origin}`,
  remedy: 'give the documents of the cluster by --platform; "pinion platform pull" writes them',
});
