import { isError, type Problem } from '../../../api';
import {
  prepareArtifact,
  resolveWorkflow,
  type ArtifactContent,
  type PreparedArtifact,
  type Provenance,
} from '../../../artifact';
import { UsageError } from '../../command/usage-error';
import { artifactFacts, artifactText } from '../../artifact-store/artifact-text';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { storeName, storeOptions, withStore } from '../../artifact-store/with-store';
import { ownVersion } from '../../io/own-version';
import { ciFacts, type CiFacts } from './ci-facts';
import { signerOf, type Signer } from './identity';
import { workflowInput } from './workflow-input';
import { problemLines } from '../../output/tally';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { textOutput } from '../../command/output-options';
import { platformOption } from '../../input/input-options';
import { defineCommand } from '../../command/command';

const provenanceOptions = {
  commit: { type: 'string', valueName: 'HASH', description: 'commit that was built' },
  repository: { type: 'string', valueName: 'NAME', description: 'repository of the commit' },
  ref: { type: 'string', valueName: 'REF', description: 'branch or tag of the commit' },
  issuer: { type: 'string', valueName: 'URL', description: 'token issuer of the CI system' },
  review: { type: 'string', valueName: 'URL', description: 'URL of the code review of the change' },
  run: { type: 'string', valueName: 'URL', description: 'URL of the CI run' },
} as const satisfies OptionSpecs;

const options = {
  version: {
    type: 'string',
    valueName: 'VERSION',
    required: true,
    description: 'version of the workflow to publish; its content can never change',
  },
  ...storeOptions,
  key: {
    type: 'string',
    valueName: 'FILE',
    description: 'private key to sign with, in PEM format: Ed25519, P-256 or P-384',
    defaultText: 'a GitHub Actions token',
  },
  'dry-run': { type: 'flag', description: 'show what would be published, without publishing it' },
  platform: platformOption,
  ...provenanceOptions,
  output: textOutput,
  quiet: { type: 'flag', short: 'q', description: 'print no warnings' },
} as const satisfies OptionSpecs;

type Options = OptionValues<typeof options>;

/** `pinion publish`. */
export const publishCommand = defineCommand({
  description: `Set the build properties of a workflow in its workloads, validate them, and store the signed result under its version. Only published versions can be deployed. CI runs this command with its own identity. Problems and the summary are written to standard error.

--commit, --repository, --ref, --issuer, --review and --run are read from the environment of GitHub Actions, GitLab and Jenkins.`,
  arguments: {
    workflow: { valueName: 'WORKFLOW', required: true, description: 'workflow file' },
    properties: { valueName: 'PROPERTY=VALUE', repeatable: true, description: 'build properties of the workflow' },
  },
  options,
  examples: [
    {
      command:
        'pinion publish --version 1.4.2 --platform project.yaml workflow.yaml image=registry.example.com/cart@sha256:…',
    },
  ],
  exitCodes: { failure: 'the workflow has errors, or the version exists with other content' },
  async run({ args, options: given }, io) {
    const { version } = given;
    const properties = parseProperties(args.properties);
    const isDry = given['dry-run'];
    const signer = isDry ? undefined : await signerOf(given.key, io);
    const metadata = metadataOf(given, signer, io);
    const input = await workflowInput(args.workflow, given.platform, io);
    const { workflow, read } = input;
    const resolved =
      workflow &&
      !input.problems.some(isError) &&
      resolveWorkflow({
        ...input,
        workflow,
        version,
        commit: metadata.commit,
        given: properties,
        ...(read && { locate: (path) => read.locate(path) }),
      });
    const problems = [...input.problems, ...(resolved ? resolved.problems : [])];
    if (input.isInaccessible || !resolved || !resolved.content)
      return printProblems(problems, given, io, input.isInaccessible ? exitCodes.unavailable : exitCodes.failure);
    return signer
      ? storeArtifact(resolved.content, provenanceOf(metadata, io), signer, problems, given, io)
      : printDryRun(resolved.content, problems, given, io);
  },
});

function parseProperties(args: readonly string[]): Readonly<Record<string, string>> {
  const properties = args.map((arg): [string, string] => {
    const [name = '', ...value] = arg.split('=');
    if (value.length === 0) throw new UsageError(`${JSON.stringify(arg)} is not a property; use NAME=VALUE`);
    return [name, value.join('=')];
  });
  const names = properties.map(([name]) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new UsageError(`${duplicate} is set twice`);
  return Object.fromEntries(properties);
}

/** Returns the metadata of the CI run. Claims of the issuer override options, which override the environment. */
function metadataOf(options: Options, signer: Signer | undefined, io: Io): CiFacts {
  const { iss, repository, ref, sha } = signer?.claims ?? {};
  const given = Object.entries(options).filter(([name]) => Object.hasOwn(provenanceOptions, name));
  const claimed = Object.entries({ issuer: iss, repository, ref, commit: sha }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...ciFacts(io.system?.environment ?? {}), ...Object.fromEntries([...given, ...claimed]) };
}

function provenanceOf(metadata: CiFacts, io: Io): Provenance {
  const { commit, repository, ref, issuer, review, run } = metadata;
  const missing = (['commit', 'repository', 'ref', 'issuer'] as const).filter((fact) => metadata[fact] === undefined);
  if (commit === undefined || repository === undefined || ref === undefined || issuer === undefined)
    throw new UsageError(
      `the origin of the workflow is unknown; pass ${missing.map((fact) => `--${fact}`).join(', ')}`,
    );
  const published = new Date(io.system?.clock.now() ?? 0).toISOString();
  return { issuer, repository, ref, commit, review, run, published, tool: ownVersion() };
}

async function storeArtifact(
  content: ArtifactContent,
  provenance: Provenance,
  signer: Signer,
  problems: readonly Problem[],
  given: Options,
  io: Io,
): Promise<ExitCode> {
  const prepared = prepareArtifact(content, provenance);
  const envelope = await signer.sign(prepared.payload);
  return withStore(given.store, io, async (store) => {
    const isNewStore = !(await store.hasProject(content.project));
    const outcome = await store.put(prepared, envelope, provenance.published);
    if (outcome.isNew === undefined) return printProblems([...problems, ...outcome.problems], given, io);
    const outcomeText = `${outcome.isNew ? 'published' : 'published before; signed again'}\nin ${storeName(store, io)}${isNewStore ? newStoreNote : ''}`;
    const result = { text: outcomeText, isNew: outcome.isNew, store: store.name, isNewStore, provenance };
    return print(prepared, result, problems, given, io);
  });
}

/** A mistyped location creates a new folder. */
const newStoreNote =
  ', which contains nothing else of its project; check --store and PINION_STORE if that is unexpected';

/** Prints the artifact without signing or publishing it. */
function printDryRun(
  content: ArtifactContent,
  problems: readonly Problem[],
  given: Options,
  io: Io,
): Promise<ExitCode> {
  const unsigned = { issuer: '', repository: '', ref: '', commit: '', published: '', tool: '' };
  return print(prepareArtifact(content, unsigned), { text: 'would be published' }, problems, given, io);
}

interface Outcome {
  readonly text: string;
  readonly isNew?: boolean;
  readonly store?: string;
  readonly isNewStore?: boolean;
  readonly provenance?: Provenance;
}

async function print(
  prepared: PreparedArtifact,
  { text, ...outcome }: Outcome,
  problems: readonly Problem[],
  given: Options,
  io: Io,
): Promise<ExitCode> {
  if (!given.quiet) for (const chunk of problemLines(problems)) io.writeError(chunk);
  const { provenance } = outcome;
  const artifact = { ...prepared, signatures: provenance ? [{ provenance }] : [] };
  await io.write(
    given.output === 'json'
      ? `${JSON.stringify({ ...artifactFacts(artifact), ...outcome, problems }, null, 2)}\n`
      : artifactText(artifact, text),
  );
  return exitCodes.success;
}

async function printProblems(
  problems: readonly Problem[],
  given: Options,
  io: Io,
  code: ExitCode = exitCodes.failure,
): Promise<ExitCode> {
  if (given.output === 'json') await io.write(`${JSON.stringify({ problems }, null, 2)}\n`);
  else for (const chunk of problemLines(problems)) io.writeError(chunk);
  return code;
}
