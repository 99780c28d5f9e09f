import {
  safeParseManifest,
  formatPath,
  isError,
  notOfType,
  readProperty,
  type FieldPath,
  type Problem,
  type Source,
  type Workflow,
  type Workload,
} from '../api';
import { safeExpand, type PlatformContext, type ProjectContext } from '../expand';
import { contentFormat, type ArtifactContent, type ArtifactResource } from './artifact-content';
import { buildProperties, type Build } from './build-properties';
import { stageContext } from './stage-context';
import { workflowClusterProblems } from './stage-clusters';
import { applySubstitutions, resolveSubstitutions, type Substitution } from './resolve-substitutions';
import { manifestProblems, withManifestSource, type WorkloadManifest } from './workload-manifest';

/** Inputs of an artifact. */
export interface WorkflowInputs extends Build {
  readonly version: string;
  readonly workflow: Workflow;
  /** Returns the source position of a field of the workflow. */
  readonly locate?: (path: FieldPath) => Source;
  readonly documents: readonly WorkloadManifest[];
  /** Cluster to expand workloads for. @default - workloads are only validated */
  readonly cluster?: PlatformContext | undefined;
}

/**
 * Applies the substitutions of a workflow to its manifests, and validates and expands the result of each stage.
 *
 * Pure: equal inputs give equal content. Only the declared fields differ from the manifests.
 */
export function resolveWorkflow(inputs: WorkflowInputs): {
  readonly content?: ArtifactContent;
  readonly problems: readonly Problem[];
} {
  const { workflow, documents, version } = inputs;
  const { namespace: project, name } = workflow.metadata;
  const object = `Workflow ${project}/${name}`;
  const inWorkflow = (problem: Problem): Problem => withManifestSource({ object, ...problem }, inputs.locate);
  const problems = [...inputProblems(inputs), ...workflowClusterProblems(workflow, inputs.cluster)].map(inWorkflow);
  const properties = buildProperties(workflow, inputs);
  problems.push(...properties.problems.map(inWorkflow));
  const substitutions = resolveSubstitutions(workflow, documents, (problem) => void problems.push(inWorkflow(problem)));
  problems.push(...manifestProblems(documents, project));
  if (problems.some(isError)) return { problems };
  const stages = workflow.spec.stages.map(({ name: stage, targets, promotion, stop }, index) => {
    const values = properties.stages[index] ?? {};
    const resources = documents.map(({ value }, at) => applySubstitutions(value, at, substitutions, values));
    const known = inputs.cluster?.project(project);
    const context = known && stageContext(known, stage);
    problems.push(
      ...resources.flatMap((value, at) => validateResource(value, at, inputs.documents[at], context, substitutions)),
    );
    return { name: stage, targets, properties: values, promotion, stop, resources };
  });
  const distinct = [...new Map(problems.map((problem) => [JSON.stringify(problem, plainNumbers), problem])).values()];
  if (distinct.some(isError)) return { problems: distinct };
  return { content: { format: contentFormat, project, name, version, stages }, problems: distinct };
}

const plainNumbers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

function inputProblems({ version, commit, documents }: WorkflowInputs): Problem[] {
  const problems: Problem[] = [];
  if (readProperty('version', version) === undefined) problems.push(notOfType('version', version, ['version']));
  if (commit !== undefined && readProperty('commit', commit) === undefined)
    problems.push(notOfType('commit', commit, ['commit']));
  if (documents.length > 0) return problems;
  const [reason, remedy] = ['has no workloads', 'list files with workload manifests, or an app that emits them'];
  return [...problems, { code: 'required', path: ['spec', 'workloads'], reason, remedy }];
}

/** Validates and expands a resource; names the property that set an invalid value. */
function validateResource(
  value: ArtifactResource,
  index: number,
  document: WorkloadManifest | undefined,
  context: ProjectContext | undefined,
  substitutions: readonly Substitution[],
): Problem[] {
  const { manifest: parsed, problems } = safeParseManifest(value);
  const expanded = parsed && context ? safeExpand(parsed as Workload, context).problems : [];
  return [...problems, ...expanded].map((problem) => {
    const substitution = substitutions.find(
      ({ manifest, path }) => manifest === index && formatPath(path) === formatPath(problem.path),
    );
    const reason = substitution ? `${problem.reason} (set by property ${substitution.property})` : problem.reason;
    return withManifestSource({ ...problem, reason }, document?.locate);
  });
}
