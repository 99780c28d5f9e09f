import { formatPath, nearest, type FieldPath, type Problem, type Source, type Workflow } from '../api';
import { type PlatformContext } from '../expand';
import { type ArtifactResource } from './artifact-content';
import { buildProperties, type Build } from './build-properties';
import { applySubstitutions, resolveSubstitutions } from './resolve-substitutions';
import { workflowClusterProblems } from './stage-clusters';
import { manifestProblems, withManifestSource, type WorkloadManifest } from './workload-manifest';

/** Inputs of a stage that is not published. */
export interface StageInputs extends Pick<Build, 'given'> {
  readonly workflow: Workflow;
  /** Returns the source position of a field of the workflow. */
  readonly locate?: (path: FieldPath) => Source;
  readonly documents: readonly WorkloadManifest[];
  /** Cluster whose Project lists the clusters of stages. */
  readonly cluster?: PlatformContext | undefined;
}

/** Field whose value is known only when the workflow is published. */
export interface OpenField {
  readonly path: FieldPath;
  readonly property: string;
}

/** Workload of a stage, with the values that are known before it is published. */
export interface StageResource {
  readonly value: ArtifactResource;
  readonly openFields: readonly OpenField[];
}

/**
 * Applies the substitutions of one stage of a workflow to its manifests, as publishing does. Fields of properties without
 * a value stay as they are in the manifest.
 */
export function resolveStage(
  { workflow, locate, documents, cluster, given }: StageInputs,
  stage: string,
): { readonly resources: readonly StageResource[]; readonly problems: readonly Problem[] } {
  const { namespace: project, name } = workflow.metadata;
  const object = `Workflow ${project}/${name}`;
  const index = workflow.spec.stages.findIndex((one) => one.name === stage);
  const properties = buildProperties(workflow, { given, isPartial: true });
  const found: Problem[] = [...properties.problems];
  const substitutions = resolveSubstitutions(workflow, documents, (problem) => void found.push(problem));
  const own = formatPath(['spec', 'stages', index]);
  found.push(...workflowClusterProblems(workflow, cluster).filter(({ path }) => formatPath(path).startsWith(own)));
  const problems = [
    ...found.map((problem) => withManifestSource({ object, ...problem }, locate)),
    ...manifestProblems(documents, project),
  ];
  const values = properties.stages[index] ?? {};
  const resources = documents.map(({ value }, manifest) => ({
    value: applySubstitutions(value, manifest, substitutions, values),
    openFields: substitutions.filter((one) => one.manifest === manifest && !Object.hasOwn(values, one.property)),
  }));
  return { resources, problems };
}

/** Returns why workflows have no stage of a name, with the stages that they have. */
export function unknownStage(stage: string, workflows: readonly Workflow[]): string {
  const names = [...new Set(workflows.flatMap(({ spec }) => spec.stages.map(({ name }) => name)))];
  const guess = nearest(stage, names);
  return `stage not found: ${stage}; ${guess === undefined ? '' : `did you mean ${guess}? `}the stages are ${names.join(', ')}`;
}
