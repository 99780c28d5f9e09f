import { isError, type Problem } from '../../../api';
import {
  prepareArtifact,
  resolveWorkflow,
  type ArtifactContent,
  type PreparedArtifact,
  type Provenance,
} from '../../../artifact';
import { type Arguments, UsageError } from '../../command/arguments';
import { artifactFacts, artifactText } from '../../artifact-store/artifact-text';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { storeName, storeHelp, storeOptions, withStore } from '../../artifact-store/with-store';
import { ownVersion } from '../../io/own-version';
import { ciFacts, type CiFacts } from './ci-facts';
import { signerOf, type Signer } from './identity';
import { workflowInput } from './workflow-input';
import { problemLines } from '../../output/tally';
import { defineCommand } from '../../command/command';

const help = `pinion publish --version VERSION [options] WORKFLOW [PROPERTY=VALUE...]

Fills the build properties of a workflow into the workloads that it names, checks them, and keeps the result in the
artifact store, signed, under its version, for ever. Only what is published can be deployed. CI runs it, under its own
identity. Problems and the summary go to standard error.

  --version VERSION  version of the workflow to publish; its content never changes afterwards
${storeHelp}
  --key FILE         private key that signs (PEM; Ed25519, P-256 or P-384; default: a token of the CI, GitHub Actions)
  --dry-run          publish nothing; say what would be published
  --platform FILE    documents of the cluster, as for check
  -o, --output       text or json, on standard output
  -q, --quiet        no warnings

Where it comes from; what GitHub Actions, GitLab and Jenkins say in their environment need not be given:

  --commit HASH --repository NAME --ref REF --issuer URL --review URL --run URL
`;

const facts = ['commit', 'repository', 'ref', 'issuer', 'review', 'run'] as const;
const options = {
  ...storeOptions,
  version: { type: 'string' },
  key: { type: 'string' },
  platform: { type: 'string' },
  commit: { type: 'string' },
  repository: { type: 'string' },
  ref: { type: 'string' },
  issuer: { type: 'string' },
  review: { type: 'string' },
  run: { type: 'string' },
  'dry-run': { type: 'boolean' },
  output: { type: 'string', short: 'o', values: ['text', 'json'] },
  quiet: { type: 'boolean', short: 'q' },
} as const;

type Given = Arguments<keyof typeof options>;

/** `pinion publish`: from a workflow and its build properties to a signed artifact. */
export const publishCommand = defineCommand({
  help,
  options,
  async run(given, io) {
    const { file, version, properties } = parseArgumentsOf(given);
    const isDry = given.flags['dry-run'] === true;
    const signer = isDry ? undefined : await signerOf(given.values.key, io);
    const known = factsOf(given, signer, io);
    const input = await workflowInput(file, given.values.platform, io);
    const { workflow, read } = input;
    const resolved =
      workflow &&
      !input.problems.some(isError) &&
      resolveWorkflow({
        ...input,
        workflow,
        version,
        commit: known.commit,
        given: properties,
        ...(read && { locate: (path) => read.locate(path) }),
      });
    const problems = [...input.problems, ...(resolved ? resolved.problems : [])];
    if (input.isInaccessible || !resolved || !resolved.content)
      return refused(problems, given, io, input.isInaccessible ? exitCodes.unavailable : exitCodes.failure);
    return signer
      ? keep(resolved.content, provenanceOf(known, io), signer, problems, given, io)
      : show(resolved.content, problems, given, io);
  },
});

function parseArgumentsOf({ positionals, values }: Given): {
  file: string;
  version: string;
  properties: Record<string, string>;
} {
  const [file, ...rest] = positionals;
  if (file === undefined) throw new UsageError('publish needs the file of a workflow');
  if (values.version === undefined) throw new UsageError('publish needs --version');
  const properties = rest.map((word): [string, string] => {
    const [name = '', ...value] = word.split('=');
    if (value.length === 0) throw new UsageError(`${word} is no property; write NAME=VALUE`);
    return [name, value.join('=')];
  });
  const names = properties.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`${twice} is given twice`);
  return { file, version: values.version, properties: Object.fromEntries(properties) };
}

/** What the issuer says goes before what the command line says, and that before the environment. */
function factsOf({ values }: Given, signer: Signer | undefined, io: Io): CiFacts {
  const { iss, repository, ref, sha } = signer?.claims ?? {};
  const given = Object.entries(values).filter(([name]) => (facts as readonly string[]).includes(name));
  const claimed = Object.entries({ issuer: iss, repository, ref, commit: sha }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...ciFacts(io.system?.environment ?? {}), ...Object.fromEntries([...given, ...claimed]) };
}

function provenanceOf(known: CiFacts, io: Io): Provenance {
  const { commit, repository, ref, issuer, review, run } = known;
  const missing = (['commit', 'repository', 'ref', 'issuer'] as const).filter((fact) => known[fact] === undefined);
  if (commit === undefined || repository === undefined || ref === undefined || issuer === undefined)
    throw new UsageError(
      `it is not known where this comes from; give ${missing.map((fact) => `--${fact}`).join(', ')}`,
    );
  const published = new Date(io.system?.clock.now() ?? 0).toISOString();
  return { issuer, repository, ref, commit, review, run, published, tool: ownVersion() };
}

async function keep(
  content: ArtifactContent,
  provenance: Provenance,
  signer: Signer,
  problems: readonly Problem[],
  given: Given,
  io: Io,
): Promise<ExitCode> {
  const prepared = prepareArtifact(content, provenance);
  const envelope = await signer.sign(prepared.payload);
  return withStore(given.values.store, io, async (store) => {
    const isNewStore = !(await store.knows(content.project));
    const outcome = await store.put(prepared, envelope, provenance.published);
    if (outcome.isNew === undefined) return refused([...problems, ...outcome.problems], given, io);
    const said = `${outcome.isNew ? 'published' : 'was published before, signed once more'}\nin ${storeName(store, io)}${isNewStore ? unexpected : ''}`;
    const told = { said, isNew: outcome.isNew, store: store.name, isNewStore, provenance };
    return print(prepared, told, problems, given, io);
  });
}

/** What a mistyped place is found out by: a folder that is not there is made. */
const unexpected =
  ', where nothing of its project was published before: compare --store and PINION_STORE if that is a surprise';

/** What would be published; who would sign it is not asked. */
function show(content: ArtifactContent, problems: readonly Problem[], given: Given, io: Io): Promise<ExitCode> {
  const unsigned = { issuer: '', repository: '', ref: '', commit: '', published: '', tool: '' };
  return print(prepareArtifact(content, unsigned), { said: 'would be published' }, problems, given, io);
}

interface Outcome {
  readonly said: string;
  readonly isNew?: boolean;
  readonly store?: string;
  readonly isNewStore?: boolean;
  readonly provenance?: Provenance;
}

async function print(
  prepared: PreparedArtifact,
  { said, ...outcome }: Outcome,
  problems: readonly Problem[],
  given: Given,
  io: Io,
): Promise<ExitCode> {
  if (!given.flags.quiet) for (const piece of problemLines(problems)) io.writeError(piece);
  const { provenance } = outcome;
  const about = { ...prepared, signatures: provenance ? [{ provenance }] : [] };
  await io.write(
    given.values.output === 'json'
      ? `${JSON.stringify({ ...artifactFacts(about), ...outcome, problems }, null, 2)}\n`
      : artifactText(about, said),
  );
  return exitCodes.success;
}

async function refused(
  problems: readonly Problem[],
  given: Given,
  io: Io,
  code: ExitCode = exitCodes.failure,
): Promise<ExitCode> {
  if (given.values.output === 'json') await io.write(`${JSON.stringify({ problems }, null, 2)}\n`);
  else for (const piece of problemLines(problems)) io.writeError(piece);
  return code;
}
