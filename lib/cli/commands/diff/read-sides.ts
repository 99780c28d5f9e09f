import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { UsageError } from '../../command/usage-error';
import { readInputs } from '../../input/input-documents';
import { assumedKeys, includesKey, manifestKey } from '../../input/manifests-beside';
import { readManifests, type ReadOptions } from '../../input/read-manifests';
import { type Io } from '../../io/io';
import { type Side } from './compare-inputs';
import { type DiffOptions } from './diff-options';
import { git } from './git';
import { withRevision } from './revision-files';

/** Options of a side. */
export type SideOptions = Pick<DiffOptions, 'from' | 'to' | 'to-stage' | 'platform' | 'stage' | 'set'> &
  Pick<ReadOptions, 'exceptBeside'>;

/**
 * Reads two sides. A manifest beside the inputs of only one side, where the other one assumes it, is not used: it would
 * show as a difference of each workload.
 */
export async function readComparable(
  options: Omit<SideOptions, 'exceptBeside'>,
  read: (options: SideOptions) => Promise<[Side, Side]>,
): Promise<[Side, Side]> {
  const [before, after] = await read(options);
  const exceptBeside = new Set([...onlyBeside(before, after), ...onlyBeside(after, before)]);
  return exceptBeside.size === 0 ? [before, after] : read({ ...options, exceptBeside });
}

/** Returns the keys of manifests beside the inputs of a side that the other one assumes. */
function onlyBeside({ known }: Side, { inputs, known: { cluster } }: Side): string[] {
  const assumed = cluster ? assumedKeys(inputs, cluster) : new Set<string>();
  return known.beside.map(manifestKey).filter((key) => includesKey(assumed, key));
}

/** Reads the side of files in the work tree. */
export async function readSide(args: readonly string[], label: string, options: SideOptions, io: Io): Promise<Side> {
  const read = await readManifests(args, options, io);
  const { platform, stage } = options;
  return { ...read, label, isPlatformNamed: platform !== undefined, ...(stage !== undefined && { stage }) };
}

/** Reads two stages of the same inputs. */
export async function readStages(args: readonly string[], options: SideOptions, io: Io): Promise<[Side, Side]> {
  const { stage, 'to-stage': toStage } = options;
  const read = (name: string | undefined): Promise<Side> =>
    readSide(args, `stage ${name}`, { ...options, ...(name !== undefined && { stage: name }) }, io);
  return [await read(stage), await read(toStage)];
}

/** Reads the inputs at the revision `--from`, and at `--to` or in the work tree. */
export async function readRevisions(args: readonly string[], options: SideOptions, io: Io): Promise<[Side, Side]> {
  const { from = '', to } = options;
  const inputs = args.length > 0 ? args : ['.'];
  if (inputs.includes('-')) throw new UsageError('--from cannot compare standard input; name files of the repository');
  const before = await readRevision(from, inputs, options, io);
  const after = await (to === undefined ? readWorkTree(inputs, options, io) : readRevision(to, inputs, options, io));
  const missing = inputs.find((_, index) => !before.isPresent[index] && !after.isPresent[index]);
  if (missing !== undefined)
    throw new UsageError(`${missing} exists neither in ${before.side.label} nor in ${after.side.label}`);
  return [before.side, after.side];
}

/** A side, and which of the inputs exist there. */
interface RevisionSide {
  readonly side: Side;
  readonly isPresent: readonly boolean[];
}

async function readWorkTree(inputs: readonly string[], options: SideOptions, io: Io): Promise<RevisionSide> {
  const isPresent = inputs.map((path) => existsSync(resolve(io.cwd, path)));
  const present = inputs.filter((_, index) => isPresent[index]);
  const side = await readSide(present, 'the work tree', withoutStageIfEmpty(options, present), io);
  const top = (await git(['rev-parse', '--show-toplevel'], io, io.cwd)).toString().replace(/\n$/, '');
  const { origin } = side.known;
  const known = { ...side.known, origin: origin.startsWith(`${top}/`) ? relative(top, origin) : origin };
  return { side: { ...side, known }, isPresent };
}

/** The temporary folder of a revision is removed once its manifests are in memory. */
const readRevision = (
  revision: string,
  inputs: readonly string[],
  options: SideOptions,
  io: Io,
): Promise<RevisionSide> =>
  withRevision(revision, io, async (files) => {
    const located = inputs.map((path) => files.locate(path));
    const present = located.filter((path) => path !== undefined);
    const platform =
      options.platform === undefined
        ? undefined
        : (files.locate(options.platform) ?? resolve(io.cwd, options.platform));
    const own = withoutStageIfEmpty({ ...options, ...(platform !== undefined && { platform }) }, present);
    if (own.stage !== undefined) await refuseApps(present, revision, files.io);
    const side = await readSide(present, `revision ${revision}`, own, files.io);
    const known = { ...side.known, origin: files.shown(side.known.origin) };
    const shownFile = (file: string): string => `${revision}:${files.shown(file)}`;
    return { side: { ...side, known, shownFile }, isPresent: located.map((path) => path !== undefined) };
  });

/** A workflow that a revision does not have yet has no stage there. */
function withoutStageIfEmpty(options: SideOptions, present: readonly string[]): SideOptions {
  if (present.length > 0) return options;
  const { stage: _, ...rest } = options;
  return rest;
}

/** An app of another revision is not run: it needs its packages, and could do anything. */
async function refuseApps(paths: readonly string[], revision: string, io: Io): Promise<void> {
  const { workflows } = await readInputs(paths, io);
  const found = workflows.find(({ workflow }) => workflow.spec.workloads.app !== undefined)?.workflow;
  if (found)
    throw new UsageError(
      `Workflow ${found.metadata.namespace}/${found.metadata.name} runs an app, which diff does not do at revision ${revision}; run the app at both revisions, and compare the folders: pinion diff BEFORE AFTER`,
    );
}
