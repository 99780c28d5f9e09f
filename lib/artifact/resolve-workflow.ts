import {
  examine,
  formatPath,
  isError,
  isWorkloadKind,
  notOfType,
  readProperty,
  type FieldPath,
  type Problem,
  type PropertyValue,
  type Source,
  type Workflow,
  type Workload,
} from '../api';
import { examineExpansion, type Cluster } from '../expand';
import { contentFormat, type ArtifactContent, type ArtifactResource } from './artifact-content';
import { buildProperties, type Build } from './build-properties';
import { filled } from './hole';
import { findHoles, type Hole } from './workflow-holes';
import { nameOf, wordsOf, type WorkloadDocument } from './workload-document';

/** All that an artifact is made of. */
export interface WorkflowInputs extends Build {
  readonly workflow: Workflow;
  /** Where fields of the workflow were written. */
  readonly locate?: (path: FieldPath) => Source;
  readonly documents: readonly WorkloadDocument[];
  /** Workloads are looked at in this cluster; only their own form is looked at where it is left out. */
  readonly cluster?: Cluster | undefined;
}

/**
 * Fills the holes of a workflow's documents, and checks what becomes of them in each stage as every other door does.
 *
 * Pure: equal inputs give equal content. Nothing but the declared places differs from what was written.
 */
export function resolveWorkflow(inputs: WorkflowInputs): {
  readonly content?: ArtifactContent;
  readonly problems: readonly Problem[];
} {
  const { workflow, documents, version } = inputs;
  const { namespace: project, name } = workflow.metadata;
  const object = `Workflow ${project}/${name}`;
  const ofWorkflow = (problem: Problem): Problem => located({ object, ...problem }, inputs.locate);
  const problems = ownProblems(inputs).map(ofWorkflow);
  const properties = buildProperties(workflow, inputs);
  problems.push(...properties.problems.map(ofWorkflow));
  const holes = findHoles(workflow, documents, (problem) => void problems.push(ofWorkflow(problem)));
  problems.push(...documentProblems(documents, project));
  if (problems.some(isError)) return { problems };
  const stages = workflow.spec.stages.map(({ name: stage, targets, promotion, stop }, index) => {
    const values = properties.stages[index] ?? {};
    const made = documents.map((document, at) => filledDocument(document.value, at, holes, values));
    problems.push(...made.flatMap((value, at) => checked(value, at, inputs, holes)));
    return { name: stage, targets, properties: values, promotion, stop, resources: made };
  });
  const distinct = [...new Map(problems.map((problem) => [JSON.stringify(problem, plainNumbers), problem])).values()];
  if (distinct.some(isError)) return { problems: distinct };
  return { content: { format: contentFormat, project, name, version, stages }, problems: distinct };
}

const plainNumbers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

const located = (problem: Problem, locate: WorkloadDocument['locate']): Problem =>
  problem.source || !locate ? problem : { ...problem, source: locate(problem.path) };

function ownProblems({ version, commit, documents }: WorkflowInputs): Problem[] {
  const problems: Problem[] = [];
  if (readProperty('version', version) === undefined) problems.push(notOfType('version', version, ['version']));
  if (commit !== undefined && readProperty('commit', commit) === undefined)
    problems.push(notOfType('commit', commit, ['commit']));
  if (documents.length > 0) return problems;
  const [reason, remedy] = [
    'give no workload at all',
    'name files that hold custom resources, or an app that emits them',
  ];
  return [...problems, { code: 'required', path: ['spec', 'workloads'], reason, remedy }];
}

/** What is wrong with documents as members of one workflow. */
function documentProblems(documents: readonly WorkloadDocument[], project: string): Problem[] {
  const known = new Set<string>();
  return documents.flatMap((document) => {
    const [object, { kind, namespace, name }] = [nameOf(document), wordsOf(document)];
    const report = (code: Problem['code'], path: FieldPath, value: unknown, reason: string, remedy: string) => [
      located({ code, path, value, reason, remedy, object }, document.locate),
    ];
    if (!isWorkloadKind(kind))
      return report(
        'unknown-kind',
        ['kind'],
        kind,
        'is no workload',
        'let the workflow name custom resources of workloads alone',
      );
    if (namespace !== undefined && namespace !== project)
      return report(
        'contradiction',
        ['metadata', 'namespace'],
        namespace,
        `is another project than that of the workflow, ${project}`,
        'publish it by a workflow of its own project',
      );
    const isSecond = known.has(object);
    known.add(object);
    return isSecond ? report('duplicate', ['metadata', 'name'], name, 'is given twice', 'keep one of the two') : [];
  });
}

function filledDocument(
  { status: _, ...value }: WorkloadDocument['value'],
  document: number,
  holes: readonly Hole[],
  values: Readonly<Record<string, PropertyValue>>,
): ArtifactResource {
  const made = holes
    .filter((hole) => hole.document === document)
    .reduce<unknown>((whole, { path, property }) => filled(whole, path, values[property] ?? ''), value);
  return made as ArtifactResource;
}

/** What the checks of all doors say of a filled document; where a property gave the value, they say which. */
function checked(
  value: ArtifactResource,
  index: number,
  { documents, cluster }: WorkflowInputs,
  holes: readonly Hole[],
): Problem[] {
  const { completed, problems } = examine(value);
  const world = completed && cluster?.project(value.metadata.namespace);
  const expanded = world ? examineExpansion(completed as Workload, world).problems : [];
  return [...problems, ...expanded].map((problem) => {
    const hole = holes.find(
      ({ document, path }) => document === index && formatPath(path) === formatPath(problem.path),
    );
    const reason = hole ? `${problem.reason} (filled by property ${hole.property})` : problem.reason;
    return located({ ...problem, reason }, documents[index]?.locate);
  });
}
