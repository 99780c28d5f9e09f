import { existsSync } from 'node:fs';
import { dirname, join, resolve as resolvePath } from 'node:path';
import { platformFileName, isError, ProblemsError, type Problem, type Source } from '../../api';
import { resolvePlatform, type PlatformContext } from '../../expand';
import { withProblemSource, readInputs, type InputDocuments } from './input-documents';
import { shownPath } from './input-files';
import { manifestsBeside, type PlatformInput } from './manifests-beside';
import { type Io } from '../io/io';

/** Target cluster of a command's inputs. */
export interface TargetCluster {
  /** Undefined if its manifests have errors. */
  readonly cluster: PlatformContext | undefined;
  /** Source of the Platform, as text. */
  readonly origin: string;
  readonly problems: readonly Problem[];
  /** Whether an input could not be read. */
  readonly isUnavailable: boolean;
  /** One line each: which manifests beside the inputs are used, and which are not. */
  readonly notes: readonly string[];
  /** Those of the problems that are about manifests beside the inputs: warnings. */
  readonly besideWarnings: readonly Problem[];
  /** Manifests beside the inputs that are used. */
  readonly beside: readonly PlatformInput[];
  /** Source location of a field of a cluster manifest, by `Kind name`; undefined for built-in ones. */
  locate(object: string, path: Problem['path']): Source | undefined;
}

const keyOf = ({ manifest }: PlatformInput): string => `${manifest.kind} ${manifest.metadata.name}`;

/** Options of the target cluster. */
interface TargetClusterOptions {
  /** Whether manifests in the folders of the inputs are used. @default false */
  readonly looksBeside?: boolean;
  /** Keys of those that are not. @default - none */
  readonly exceptBeside?: ReadonlySet<string> | undefined;
}

/**
 * Resolves the target cluster from the inputs and options.
 *
 * The file of `--platform` wins over the inputs; without one, and without a Platform among the inputs, the nearest
 * `pinion.platform.yaml` in the working directory or above is used, else with `looksBeside` manifests in the folders of the
 * inputs, else the built-in Platform.
 */
export async function resolveTargetCluster(
  inputs: InputDocuments,
  platformFile: string | undefined,
  io: Io,
  { looksBeside = false, exceptBeside }: TargetClusterOptions = {},
): Promise<TargetCluster> {
  const inputDocuments = inputs.documents.filter((document) => document.is === 'platform');
  const platform = inputDocuments.find(({ manifest }) => manifest.kind === 'Platform');
  const isNamed = platform !== undefined || inputs.problems.some(concernsPlatform);
  const file =
    platformFile !== undefined ? resolvePath(io.cwd, platformFile) : isNamed ? undefined : findPlatformFile(io.cwd);
  const fileInputs = file === undefined ? undefined : await readInputs([file], io, true);
  const fileDocuments = (fileInputs?.documents ?? []).filter((document) => document.is === 'platform');
  const [first, second] =
    platformFile === undefined ? [inputDocuments, fileDocuments] : [fileDocuments, inputDocuments];
  const firstKeys = new Set(first.map(keyOf));
  const all = [...first, ...second.filter((document) => !firstKeys.has(keyOf(document)))];
  const problems = [...(fileInputs?.problems ?? []), ...duplicates(first)];
  const reads = new Map(all.map((document) => [keyOf(document), document.read]));
  const isUnresolved =
    fileInputs?.isUnavailable === true ||
    problems.some(isError) ||
    inputs.problems.some((problem) => isError(problem) && concernsPlatform(problem));
  const known = problems.length;
  const named = isUnresolved ? undefined : resolveOrReport(all, problems);
  const beside =
    named && looksBeside && platformFile === undefined
      ? await manifestsBeside(inputs, named, io, { except: exceptBeside, platformFile: file })
      : undefined;
  const added = beside?.documents ?? [];
  const besideWarnings = beside?.warnings ?? [];
  // Its name conflicts are those of all manifests.
  if (added.length > 0) problems.length = known;
  for (const document of added) reads.set(keyOf(document), document.read);
  const chosen = [...all, ...added].find(({ manifest }) => manifest.kind === 'Platform');
  return {
    cluster: added.length === 0 ? named : resolveOrReport([...all, ...added], problems),
    notes: beside?.notes ?? [],
    beside: added,
    besideWarnings,
    origin: chosen
      ? chosen.read.locate([]).file
      : isUnresolved
        ? 'unknown'
        : `built-in (no ${file === undefined ? platformFileName : 'Platform in ' + shownPath(file, io)} found)`,
    problems: [
      ...problems.map((problem) => withProblemSource(problem, reads.get(problem.object ?? ''))),
      ...besideWarnings,
    ],
    isUnavailable: fileInputs?.isUnavailable === true,
    locate: (object, path) => reads.get(object)?.locate(path),
  };
}

/** Returns whether a problem concerns a Platform or RuntimeProfile; built-in ones must not replace an invalid one. */
const concernsPlatform = ({ object }: Problem): boolean =>
  object !== undefined && /^(Platform|RuntimeProfile) /.test(object);

function resolveOrReport(documents: readonly PlatformInput[], problems: Problem[]): PlatformContext | undefined {
  try {
    const cluster = resolvePlatform(documents.map(({ manifest }) => manifest));
    problems.push(...cluster.nameConflicts);
    return cluster;
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** Reports duplicate manifests, except Platforms, which `resolve` reports. */
function duplicates(documents: readonly PlatformInput[]): Problem[] {
  const known = new Set<string>();
  return documents.flatMap((document) => {
    const key = keyOf(document);
    const isSecond = known.has(key) && document.manifest.kind !== 'Platform';
    known.add(key);
    if (!isSecond) return [];
    const [reason, remedy] = ['is defined twice', 'keep one of the two'];
    const problem: Problem = { code: 'duplicate', path: ['metadata', 'name'], reason, remedy, object: key };
    return [withProblemSource({ ...problem, value: document.manifest.metadata.name }, document.read)];
  });
}

/** Returns the nearest `pinion.platform.yaml` in a folder or above. */
export function findPlatformFile(folder: string): string | undefined {
  const file = join(folder, platformFileName);
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? undefined : findPlatformFile(dirname(folder));
}
