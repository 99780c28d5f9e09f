import { dirname, resolve } from 'node:path';
import { formatPath, isError, nearest, type Problem } from '../../api';
import { resolveStage, stageContext, unknownStage, type OpenField } from '../../artifact';
import { type PlatformContext, type ProjectContext } from '../../expand';
import { UsageError } from '../command/usage-error';
import { type Io } from '../io/io';
import { nameOf, withProblemSource, type InputDocument, type InputDocuments } from './input-documents';
import { atWorkflowField, readWorkloads } from './workflow-workloads';

type ReadWorkflow = InputDocuments['workflows'][number];
type Values = Readonly<Record<string, string>>;
type StageChoice = { stage: string; cluster: PlatformContext | undefined; given: Values };

/** A workflow with its workloads. */
interface LoadedWorkflow extends ReadWorkflow {
  readonly workloads: readonly InputDocument[];
}

/** Manifests of a stage: those of the cluster at first, and the workloads once the cluster is known. */
export interface StageManifests {
  readonly inputs: InputDocuments;
  resolve(cluster: PlatformContext | undefined, set: Values): { inputs: InputDocuments; notes: readonly string[] };
}

/**
 * Reads the workloads of all workflows that have a stage. Throws a `UsageError` if none of the inputs is such a workflow;
 * other manifests, except those of the cluster, are skipped.
 */
export async function readStage(given: InputDocuments, stage: string, io: Io): Promise<StageManifests> {
  const workflows = given.workflows.filter(({ workflow }) => workflow.spec.stages.some(({ name }) => name === stage));
  const found: InputDocuments = { ...given, problems: [...given.problems], files: [...given.files], workflows: [] };
  if (workflows.length === 0 && !given.problems.some(isError)) {
    if (given.workflows.length > 0)
      throw new UsageError(
        unknownStage(
          stage,
          given.workflows.map(({ workflow }) => workflow),
        ),
      );
    throw new UsageError(
      `--stage requires a workflow among the inputs: a manifest of kind Workflow with the stage ${stage}`,
    );
  }
  const loaded: LoadedWorkflow[] = [];
  for (const one of workflows) loaded.push(await loadWorkflow(one, found, io));
  const platforms = [...given.documents, ...loaded.flatMap(({ workloads }) => workloads)].filter(
    ({ is }) => is === 'platform',
  );
  const documents = [...new Map(platforms.map((document) => [positionOf(document), document])).values()];
  return {
    inputs: { ...found, documents },
    resolve: (cluster, set) => {
      if (loaded.length > 1) refuseUnknown(set, given.workflows);
      const workloads = loaded.flatMap((one) => {
        const declared = Object.entries(set).filter(([name]) => Object.hasOwn(one.workflow.spec.properties, name));
        const values = loaded.length === 1 ? set : Object.fromEntries(declared);
        return stageDocuments(one, { stage, cluster, given: values }, found);
      });
      const notes = [
        ...workloads.flatMap((document) => (document.openFields ?? []).map((field) => openNote(document, field))),
        ...leftOut(given, loaded, stage),
      ];
      return { inputs: { ...found, documents: [...documents, ...workloads] }, notes };
    },
  };
}

/** Throws a `UsageError` for values of properties that none of several workflows declares; one alone reports them itself. */
function refuseUnknown(set: Values, workflows: readonly ReadWorkflow[]): void {
  const known = [...new Set(workflows.flatMap(({ workflow }) => Object.keys(workflow.spec.properties)))];
  const unknown = Object.keys(set).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const problems = unknown.map((value) => {
    const guess = nearest(value, known);
    const declared = known.length > 0 ? `the properties are ${known.join(', ')}` : 'they declare no properties';
    const remedy = `${guess === undefined ? '' : `did you mean ${guess}? `}${declared}`;
    return { subject: '--set', reason: 'must name a property of one of the workflows', value, remedy };
  });
  throw new UsageError(...problems);
}

/** Reads the workloads of a workflow, and adds the problems of its files. */
async function loadWorkflow({ workflow, read }: ReadWorkflow, found: InputDocuments, io: Io): Promise<LoadedWorkflow> {
  const folder = dirname(resolve(io.cwd, read.locate([]).file));
  return readWorkloads(workflow, folder, io, (inputs, failure) => {
    const problems = [...inputs.problems, ...(failure ? [failure] : [])].map((problem) =>
      withProblemSource(atWorkflowField(problem, workflow, folder, io), read),
    );
    const known = new Set(found.problems.map(problemKey));
    found.problems.push(...problems.filter((problem) => !known.has(problemKey(problem))));
    found.files.push(...inputs.files);
    found.isUnavailable ||= inputs.isUnavailable;
    return Promise.resolve({ workflow, read, workloads: inputs.documents });
  });
}

const problemKey = ({ source, path, reason }: Problem): string => JSON.stringify([source, path, reason]);

/** Returns the workloads of a stage as publishing would resolve them, and adds their problems. */
function stageDocuments(
  { workflow, read, workloads }: LoadedWorkflow,
  { stage, cluster, given }: StageChoice,
  found: InputDocuments,
): InputDocument[] {
  const originals = workloads.filter(({ is }) => is !== 'platform');
  const { resources, problems } = resolveStage(
    {
      workflow,
      locate: (path) => read.locate(path),
      documents: originals.map((one) => ({ value: one.value, locate: (path) => one.read.locate(path) })),
      cluster,
      given,
    },
    stage,
  );
  found.problems.push(...problems);
  return originals.flatMap((original, index): InputDocument[] => {
    const { value, openFields = [] } = resources[index] ?? {};
    return value === undefined || original.is !== 'workload' ? [] : [{ ...original, value, openFields }];
  });
}

const positionOf = ({ read }: InputDocument): string => {
  const { file, line } = read.locate([]);
  return `${file}:${line}`;
};

const openNote = ({ value }: InputDocument, { path, property }: OpenField): string =>
  `${nameOf(value)}: ${formatPath(path)} is set when publishing (property ${property}); --set ${property}=VALUE sets it here`;

/** Returns the note of manifests that do not belong to the stage. */
function leftOut(given: InputDocuments, loaded: readonly LoadedWorkflow[], stage: string): string[] {
  const own = new Set(loaded.flatMap(({ workloads }) => workloads.map(positionOf)));
  const { length } = given.documents.filter((document) => document.is !== 'platform' && !own.has(positionOf(document)));
  const others = given.workflows.length - loaded.length;
  return [
    ...(others > 0 ? [`${others} ${others === 1 ? 'workflow has' : 'workflows have'} no stage ${stage}`] : []),
    ...(length > 0
      ? [
          `${length} ${length === 1 ? 'manifest is' : 'manifests are'} in no workflow with the stage ${stage}, and skipped`,
        ]
      : []),
  ];
}

/** Returns a cluster as the workloads of a stage see it. */
export function inStage(cluster: PlatformContext, stage: string): PlatformContext {
  const contexts = new Map<string, ProjectContext>();
  const project = (name: string): ProjectContext => {
    const context = contexts.get(name) ?? stageContext(cluster.project(name), stage);
    contexts.set(name, context);
    return context;
  };
  return { ...cluster, project };
}
