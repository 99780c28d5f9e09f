import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  isError,
  safeParseManifest,
  safeParseWorkflow,
  group,
  isPlatformKind,
  isWorkflow,
  isWorkloadKind,
  type PlatformManifest,
  type Problem,
  type Source,
  type Workflow,
  workflowKind,
} from '../../api';
import { type OpenField } from '../../artifact';
import { readDocuments, type ReadDocument } from '../../yaml';
import { inputFiles, isPlatformFile, isToolFile, readInput, type InputFile } from './input-files';
import { UnavailableError, type Io } from '../io/io';

type Value = Readonly<Record<string, unknown>>;

/** Input document and its type; `openFields` are set when publishing. */
export type InputDocument = Readonly<{ value: Value; read: ReadDocument; openFields?: readonly OpenField[] }> &
  /** `openFields` are set when publishing, so their values may be invalid here. */
  (
    | { readonly is: 'workload' | 'foreign'; readonly openFields?: readonly OpenField[] }
    /** `context` if it only identifies the cluster. */
    | { readonly is: 'platform'; readonly manifest: PlatformManifest; readonly context: boolean }
  );

/** Contents of the inputs, in order. */
export interface InputDocuments {
  readonly documents: InputDocument[];
  readonly problems: Problem[];
  /** Those of the problems that are about files or documents that cannot be read, so that their kind is unknown. */
  readonly unread: Problem[];
  /** Valid workflows among the inputs, which create no objects. */
  readonly workflows: { readonly workflow: Workflow; readonly read: ReadDocument }[];
  /** Files in the order read, as shown in messages. */
  readonly files: string[];
  /** Whether an input could not be read. */
  isUnavailable: boolean;
}

const unreadableFile = 'name a file or folder that can be read';

/** Returns whether a problem reports an unreadable file, not invalid content. */
export const isUnreadableFile = ({ code, remedy }: Problem): boolean =>
  code === 'parse-error' && remedy === unreadableFile;

/** Reads and classifies the inputs named by arguments. Invalid content is reported as problems and never throws. */
export async function readInputs(args: readonly string[], io: Io, context = false): Promise<InputDocuments> {
  const found: InputDocuments = {
    documents: [],
    problems: [],
    unread: [],
    workflows: [],
    files: [],
    isUnavailable: false,
  };
  for (const file of inputFiles(args, io)) {
    found.files.push(file.shown);
    try {
      const { documents, problems } = readDocuments(await readInput(file, io), file.shown);
      found.problems.push(...problems);
      found.unread.push(...problems.filter(isError));
      for (const read of documents) classifyDocument(read, file, context || isPlatformFile(file), found);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      found.isUnavailable = true;
      const source = { file: file.shown, line: 1, column: 1 };
      const { message: reason } = error;
      const problem: Problem = { code: 'parse-error', path: [], reason, remedy: unreadableFile, source };
      found.problems.push(problem);
      found.unread.push(problem);
    }
  }
  return found;
}

function classifyDocument(read: ReadDocument, file: InputFile, context: boolean, found: InputDocuments): void {
  const value = read.value as Value;
  const report = (problem: Problem) => void found.problems.push(withProblemSource(problem, read));
  if (isForeign(value)) {
    if (context) report(notPlatformObject(value));
    else found.documents.push({ is: 'foreign', value, read });
  } else if (file.isDiscovered && value['kind'] === undefined && value['apiVersion'] === undefined) {
    if (!isToolFile(file)) report(notAManifest);
  } else if (isWorkflow(value)) {
    const { workflow, problems } = safeParseWorkflow(value);
    problems.forEach(report);
    if (workflow && !context) found.workflows.push({ workflow, read });
    if (workflow && file.path !== undefined && !context) missingFiles(workflow, dirname(file.path)).forEach(report);
  } else if (isWorkloadKind(value['kind'])) {
    if (context) report(notPlatformKind(value['kind']));
    else found.documents.push({ is: 'workload', value, read });
  } else {
    const { manifest, problems } = safeParseManifest(value);
    problems.forEach(report);
    if (manifest && isPlatformKind(manifest.kind))
      found.documents.push({ is: 'platform', value, read, context, manifest: manifest as PlatformManifest });
  }
}

/** Returns warnings for missing files named by a workflow; the build that creates them may not have run yet. */
const missingFiles = ({ metadata, spec }: Workflow, folder: string): Problem[] =>
  (spec.workloads.files ?? []).flatMap((name, index) =>
    existsSync(resolve(folder, name))
      ? []
      : {
          code: 'parse-error',
          path: ['spec', 'workloads', 'files', index],
          reason: `names ${name}, which does not exist next to the workflow`,
          remedy: 'correct the path, or create the file before publishing',
          severity: 'warning',
          object: `${workflowKind} ${metadata.namespace}/${metadata.name}`,
        },
  );

/** Returns whether a manifest belongs to another API group; a pinion kind with a wrong version does not count. */
function isForeign({ apiVersion, kind }: Value): boolean {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || apiVersion === '' || kind === '') return false;
  if (apiVersion.split('/')[0] === group || kind.startsWith('Pinterest') || isWorkloadKind(kind)) return false;
  return !isPlatformKind(kind) || apiVersion.includes('/');
}

const notAManifest: Problem = {
  code: 'unknown-kind',
  path: [],
  reason: 'has neither apiVersion nor kind, and is skipped',
  remedy: 'name the manifests explicitly, or move other files out of the folder',
  severity: 'warning',
};

const notPlatformKind = (kind: unknown): Problem => ({
  code: 'unknown-kind',
  path: ['kind'],
  value: kind,
  reason: 'is not a platform kind',
  remedy: 'use only Platform, RuntimeProfile and Project manifests',
});

const notPlatformObject = (value: Value): Problem => ({
  ...notPlatformKind(value['kind']),
  severity: 'warning',
  object: nameOf(value),
});

/** Returns the name of any document as shown in problems: `Kind namespace/name`. */
export function nameOf({ kind, metadata }: Value): string {
  const { namespace, name } = (metadata ?? {}) as Value;
  return `${String(kind)} ${[namespace, name].filter((part) => typeof part === 'string').join('/') || '(without a name)'}`;
}

/** Returns a problem with the source location of its cause. */
export function withProblemSource(
  problem: Problem,
  read: { locate(path: Problem['path']): Source } | undefined,
): Problem {
  return problem.source || !read ? problem : { ...problem, source: read.locate(problem.path) };
}
