import { dirname, resolve } from 'node:path';
import { safeParseWorkflow, isError, type Problem, type Workflow } from '../../../api';
import { type WorkloadManifest } from '../../../artifact';
import { type PlatformContext } from '../../../expand';
import { type ReadDocument } from '../../../yaml';
import { readSingleDocument } from '../../input/single-document';
import { withProblemSource } from '../../input/input-documents';
import { UnavailableError, type Io } from '../../io/io';
import { resolveTargetCluster } from '../../input/target-cluster';
import { atWorkflowField, readWorkloads } from '../../input/workflow-workloads';

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

/** Returns whether to report a problem: the workflow itself reports manifests of other API groups, and problems of other workflows are ignored. */
const concernsWorkload = (problem: Problem): boolean =>
  isError(problem) || !['unknown-kind', 'parse-error'].includes(problem.code);
