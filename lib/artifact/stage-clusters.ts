import { isProtectedStage, type PlatformManifest, type Problem, type Workflow } from '../api';
import { type PlatformContext } from '../expand';

/** Stage of a workflow or artifact with the clusters that it deploys to. */
interface StageTargets {
  readonly name: string;
  readonly targets: readonly string[];
}

/**
 * Reports targets that a stage may not deploy to by its Project: clusters that it does not list, and clusters of
 * protected stages. Paths are relative to the stage. A stage that the Project does not list is not reported here.
 */
export function stageClusterProblems(
  { metadata, spec }: PlatformManifest<'Project'>,
  { name, targets }: StageTargets,
): Problem[] {
  const { stages = [] } = spec;
  const own = stages.find((stage) => stage.name === name);
  if (!own) return [];
  return targets.flatMap((target, index): Problem[] => {
    const owner = stages.find((stage) => isProtectedStage(stage) && stage.clusters?.includes(target));
    if (owner === own || (!owner && !own.clusters && !isProtectedStage(own)) || own.clusters?.includes(target))
      return [];
    const reason = owner
      ? `belongs to stage ${owner.name} of the Project, which is protected; stage ${name} may not deploy there`
      : `is not a cluster of stage ${name} in the Project`;
    const remedy = own.clusters
      ? `use ${own.clusters.join(' or ')}, or ask the platform team to change spec.stages of the Project`
      : 'use a cluster that no protected stage owns, or ask the platform team to change spec.stages of the Project';
    return [
      {
        code: 'not-available',
        object: `Project ${metadata.name}`,
        path: ['targets', index],
        value: target,
        reason,
        remedy,
      },
    ];
  });
}

/** Reports targets of a workflow's stages that they may not deploy to, if the Project is known. */
export function workflowClusterProblems({ metadata, spec }: Workflow, cluster: PlatformContext | undefined): Problem[] {
  const { namespace, name } = metadata;
  const context = cluster?.project(namespace);
  if (!context || context.assumed.includes('Project')) return [];
  return spec.stages.flatMap((stage, index) =>
    stageClusterProblems(context.project, stage).map((problem) => ({
      ...problem,
      object: `Workflow ${namespace}/${name}`,
      path: ['spec', 'stages', index, ...problem.path],
    })),
  );
}
