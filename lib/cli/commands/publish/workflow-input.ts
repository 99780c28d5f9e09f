import { dirname, resolve } from 'node:path';
import { safeParseWorkflow, isError, parseDuration, type Problem, type Workflow } from '../../../api';
import { type WorkloadManifest } from '../../../artifact';
import { type PlatformContext } from '../../../expand';
import { type ReadDocument } from '../../../yaml';
import { readSingleDocument } from '../../input/single-document';
import { withProblemSource, readInputs, isUnreadableFile, type InputDocuments } from '../../input/input-documents';
import { shownPath } from '../../input/input-files';
import { UnavailableError, type Io } from '../../io/io';
import { resolveTargetCluster } from '../../input/target-cluster';
import { withAppOutput } from './app-run';

/** A workflow with everything that it refers to. */
export interface LoadedWorkflow {
  /** Undefined if it has errors. */
  readonly workflow: Workflow | undefined;
  readonly read: ReadDocument | undefined;
  readonly documents: readonly WorkloadManifest[];
  readonly cluster: PlatformContext | undefined;
  /** Source of the Platform. */
  readonly origin: string;
  readonly problems: readonly Problem[];
  /** Whether a reference cannot be read. */
  readonly isInaccessible: boolean;
}

/** Reads the file of a workflow and the workloads that it refers to. Throws `UnavailableError` if the file itself cannot be read. */
export async function workflowInput(file: string, platform: string | undefined, io: Io): Promise<LoadedWorkflow> {
  const input = await readSingleDocument(file, io);
  if (input.inaccessible) throw new UnavailableError(`${file}: ${input.problems[0]?.reason ?? 'cannot be read'}`);
  const { workflow, problems } = input.document ? safeParseWorkflow(input.document.value) : { problems: [] };
  const own = [...input.problems, ...problems.map((problem) => withProblemSource(problem, input.document))];
  const nothing = { read: input.document, documents: [], cluster: undefined, origin: 'unknown', isInaccessible: false };
  if (!workflow) return { ...nothing, workflow, problems: own };
  const folder = dirname(resolve(io.cwd, file));
  return readNamed(workflow, folder, io, async (inputs, failure) => {
    if (failure) return { ...nothing, workflow, problems: [...own, withProblemSource(failure, input.document)] };
    const known = await resolveTargetCluster(inputs, platform, io);
    const named = inputs.problems.map((problem) =>
      withProblemSource(asNamed(problem, workflow, folder, io), input.document),
    );
    const problems = [...own, ...named.filter(isOfWorkload), ...known.problems];
    const isInaccessible = inputs.isUnavailable || known.isUnavailable;
    const documents = inputs.documents.flatMap(({ is, value, read }) =>
      is === 'platform' ? [] : [{ value, locate: (path: Problem['path']) => read.locate(path) }],
    );
    const { cluster, origin } = known;
    return { workflow, read: input.document, documents, cluster, origin, problems, isInaccessible };
  });
}

/** Moves the problem of an unreadable file to the field of the workflow that names the file; returns other problems unchanged. */
function asNamed(problem: Problem, { metadata, spec }: Workflow, folder: string, io: Io): Problem {
  const { source, ...rest } = problem;
  if (!isUnreadableFile(problem)) return problem;
  const { files = [] } = spec.workloads;
  const index = files.findIndex((name) => shownPath(resolve(folder, name), io) === source?.file);
  if (index < 0) return problem;
  const object = `Workflow ${metadata.namespace}/${metadata.name}`;
  // Values below "files" are not shown.
  const reason = `names ${files[index]}, which ${problem.reason}`;
  return { ...rest, object, path: ['spec', 'workloads', 'files', index], reason };
}

/** The workflow reports manifests of other API groups as errors; files of other workflows do not count. */
const isOfWorkload = (problem: Problem): boolean =>
  isError(problem) || !['unknown-kind', 'parse-error'].includes(problem.code);

function readNamed<T>(
  { spec }: Workflow,
  folder: string,
  io: Io,
  take: (inputs: InputDocuments, failure: Problem | undefined) => Promise<T>,
): Promise<T> {
  const { files = [], app } = spec.workloads;
  const read = (words: readonly string[]): Promise<InputDocuments> => readInputs(words, io);
  if (!app) return read(files.map((name) => resolve(folder, name))).then((inputs) => take(inputs, undefined));
  const milliseconds = parseDuration(app.timeout)?.millis ?? 0;
  return withAppOutput({ command: app.command, cwd: folder, milliseconds }, io, async (output, failure) =>
    take(await read([output]), failure),
  );
}
