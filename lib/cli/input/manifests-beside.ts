import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { escapeRegExp, group, isError, type Problem } from '../../api';
import { type PlatformContext } from '../../expand';
import { groupBy } from '../output/group-by';
import { readInputs, type InputDocument, type InputDocuments } from './input-documents';
import { shownPath, standardInput } from './input-files';
import { type Io } from '../io/io';

/** How many files of a folder are looked at, and how much of each. */
const maxFiles = 200;
const maxBytes = 65_536;

const platformKind = /^kind:\s*["']?(Platform|RuntimeProfile|Project)["']?\s*$/m;
const ownGroup = new RegExp(`^apiVersion:\\s*["']?${escapeRegExp(group)}/`, 'm');

/** Document of the platform. */
export type PlatformInput = Extract<InputDocument, { is: 'platform' }>;

/** Manifests of the cluster that were found beside the inputs. */
export interface ManifestsBeside {
  readonly documents: readonly PlatformInput[];
  /** One line for each that is used, and for each that is not used because of `except`. */
  readonly notes: readonly string[];
  /** Files with errors, and manifests with the same name. */
  readonly warnings: readonly Problem[];
}

/** Options that exclude manifests. */
interface BesideOptions {
  /** Keys of manifests that are not used. @default - none */
  readonly except?: ReadonlySet<string> | undefined;
  /** File of the Platform, which was already read. @default - none */
  readonly platformFile?: string | undefined;
}

/**
 * Returns the Platform, RuntimeProfile and Projects in the folders of the inputs, if those of the inputs are assumed. Of
 * two with the same name, neither is used; nor are those whose keys are in `except`.
 */
export async function manifestsBeside(
  inputs: InputDocuments,
  cluster: PlatformContext,
  io: Io,
  { except = new Set(), platformFile }: BesideOptions = {},
): Promise<ManifestsBeside> {
  const needed = assumedKeys(inputs, cluster);
  if (needed.size === 0) return { documents: [], notes: [], warnings: [] };
  const documents: PlatformInput[] = [];
  const warnings: Problem[] = [];
  for (const { path, kind } of filesBeside(inputs, platformFile, io)) {
    const shown = shownPath(path, io);
    const read = await readInputs([path], io);
    const found = read.documents.filter((document): document is PlatformInput => document.is === 'platform');
    const isNeeded = ({ object }: Problem): boolean => object === undefined || includesKey(needed, object);
    if (read.problems.some((problem) => isError(problem) && isNeeded(problem))) warnings.push(brokenFile(shown, kind));
    else documents.push(...found.map((document) => ({ ...document, context: true })));
  }
  const found = [...groupBy(documents, manifestKey)].filter(([key]) => includesKey(needed, key));
  const usable = found.filter(([key]) => !except.has(key));
  const ofOneSide = found.filter(([key]) => except.has(key)).flatMap(([, ones]) => ones.map(oneSideNote));
  const used = usable.flatMap(([, [first, second]]) => (first && !second ? [first] : []));
  warnings.push(...usable.flatMap(([, ones]) => (ones.length > 1 ? ones.map(ambiguous) : [])));
  return { documents: used, notes: [...used.map(usedNote), ...ofOneSide], warnings };
}

/** Returns a key by which manifests of different clusters with the same role are equal: a cluster has one Platform. */
export const manifestKey = ({ manifest: { kind, metadata } }: PlatformInput): string =>
  kind === 'Platform' ? kind : `${kind} ${metadata.name}`;

/** Returns whether keys include a key of a manifest, or all of its kind. */
export const includesKey = (keys: ReadonlySet<string>, key: string): boolean =>
  keys.has(key) || keys.has(key.split(' ', 1)[0] ?? '');

const fileOf = ({ read }: PlatformInput): string => read.locate([]).file;

/** Returns the note that a manifest is used. */
export const usedNote = (document: PlatformInput): string => `${fileOf(document)}: ${manifestKey(document)} is used`;
const oneSideNote = (document: PlatformInput): string =>
  `${fileOf(document)}: ${manifestKey(document)} is not used, because the other side has none; pass it with --platform to use it for both`;

const brokenFile = (file: string, kind: string): Problem => ({
  code: 'parse-error',
  path: [],
  reason: `has errors, so its ${kind} is not used`,
  remedy: `run pinion check ${file}`,
  severity: 'warning',
  source: { file, line: 1, column: 1 },
});

const ambiguous = ({ manifest: { kind, metadata }, read }: PlatformInput): Problem => ({
  code: 'duplicate',
  path: ['metadata', 'name'],
  value: metadata.name,
  reason: 'is in several files beside the inputs, so none is used',
  remedy: 'name the one to use as an input too',
  severity: 'warning',
  object: `${kind} ${metadata.name}`,
  source: read.locate(['metadata', 'name']),
});

/** Returns the keys of what is assumed for the workloads of the inputs. A Platform needs its RuntimeProfile. */
export function assumedKeys({ documents }: InputDocuments, cluster: PlatformContext): ReadonlySet<string> {
  const needed = new Set<string>();
  for (const { is, value } of documents) {
    const { namespace } = (value['metadata'] ?? {}) as { readonly namespace?: unknown };
    if (is !== 'workload' || typeof namespace !== 'string') continue;
    const { assumed } = cluster.project(namespace);
    if (assumed.includes('Project')) needed.add(`Project ${namespace}`);
    if (assumed.includes('Platform')) for (const kind of ['Platform', 'RuntimeProfile']) needed.add(kind);
  }
  return needed;
}

/** Lists the files in the folders of the inputs that have manifests of the cluster and were not read. */
function filesBeside(
  { files }: InputDocuments,
  platformFile: string | undefined,
  io: Io,
): readonly { readonly path: string; readonly kind: string }[] {
  const inputs = files.filter((file) => file !== standardInput).map((file) => resolve(io.cwd, file));
  const folders = new Set(inputs.map((path) => dirname(path)));
  const read = new Set([...inputs, platformFile]);
  return [...folders]
    .flatMap(yamlFiles)
    .filter((path) => !read.has(path))
    .flatMap((path) => {
      const kind = platformKindIn(path);
      return kind === undefined ? [] : [{ path, kind }];
    });
}

function yamlFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const names = entries.map(({ name }) => name).filter((name) => /^[^.].*\.ya?ml$/i.test(name));
    return names
      .sort()
      .slice(0, maxFiles)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Returns the first kind of the platform in a file; undefined if it has none or cannot be read. */
function platformKindIn(path: string): string | undefined {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(maxBytes);
      const text = buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, maxBytes, 0));
      return ownGroup.test(text) ? platformKind.exec(text)?.[1] : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
