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

/** A workflow with its workloads and target cluster. */
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

/** Reads the file of a workflow and its workloads. Throws `UnavailableError` if the file itself cannot be read. */
export async function workflowInput(file: string, platform: string | undefined, io: Io): Promise<LoadedWorkflow> {
  const input = await readSingleDocument(file, io);
  if (input.inaccessible) throw new UnavailableError(`${file}: ${input.problems[0]?.reason ?? 'cannot be read'}`);
  const { workflow, problems } = input.document ? safeParseWorkflow(input.document.value) : { problems: [] };
  const ownProblems = [...input.problems, ...problems.map((problem) => withProblemSource(problem, input.document))];
  const empty = { read: input.document, documents: [], cluster: undefined, origin: 'unknown', isInaccessible: false };
  if (!workflow) return { ...empty, workflow, problems: ownProblems };
  const folder = dirname(resolve(io.cwd, file));
  return readWorkloads(workflow, folder, io, async (inputs, failure) => {
    if (failure) return { ...empty, workflow, problems: [...ownProblems, withProblemSource(failure, input.document)] };
    const known = await resolveTargetCluster(inputs, platform, io);
    const inputProblems = inputs.problems.map((problem) =>
      withProblemSource(atWorkflowField(problem, workflow, folder, io), input.document),
    );
    const problems = [...ownProblems, ...inputProblems.filter(concernsWorkload), ...known.problems];
    const isInaccessible = inputs.isUnavailable || known.isUnavailable;
    const documents = inputs.documents.flatMap(({ is, value, read }) =>
      is === 'platform' ? [] : [{ value, locate: (path: Problem['path']) => read.locate(path) }],
    );
    const { cluster, origin } = known;
    return { workflow, read: input.document, documents, cluster, origin, problems, isInaccessible };
  });
}

/** Moves the problem of an unreadable file to the field of the workflow that names the file; returns other problems unchanged. */
function atWorkflowField(problem: Problem, { metadata, spec }: Workflow, folder: string, io: Io): Problem {
  const { source, ...rest } = problem;
  if (!isUnreadableFile(problem)) return problem;
  const { files = [] } = spec.workloads;
  const index = files.findIndex((name) => shownPath(resolve(folder, name), io) === source?.file);
  if (index < 0) return problem;
  const object = `Workflow ${metadata.namespace}/${metadata.name}`;
  // Values under "files" are not shown.
  const reason = `names ${files[index]}, which ${problem.reason}`;
  return { ...rest, object, path: ['spec', 'workloads', 'files', index], reason };
}

/** Returns whether to report a problem: the workflow itself reports manifests of other API groups, and problems of other workflows are ignored. */
const concernsWorkload = (problem: Problem): boolean =>
  isError(problem) || !['unknown-kind', 'parse-error'].includes(problem.code);

function readWorkloads<T>(
  { spec }: Workflow,
  folder: string,
  io: Io,
  action: (inputs: InputDocuments, failure: Problem | undefined) => Promise<T>,
): Promise<T> {
  const { files = [], app } = spec.workloads;
  const read = (args: readonly string[]): Promise<InputDocuments> => readInputs(args, io);
  if (!app) return read(files.map((name) => resolve(folder, name))).then((inputs) => action(inputs, undefined));
  const milliseconds = parseDuration(app.timeout)?.millis ?? 0;
  return withAppOutput({ command: app.command, cwd: folder, milliseconds }, io, async (output, failure) =>
    action(await read([output]), failure),
  );
}
