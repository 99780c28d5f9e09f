import { isError, isProtectedStage, safeParseManifest, type Problem, type Workload } from '../api';
import { imageDigestProblems, safeExpand, type ProjectContext } from '../expand';
import { type ArtifactStage } from './artifact-content';

/**
 * Reports images without a digest in a stage that its Project protects, as its clusters do. `context` is that of the
 * project on any cluster. Resources that are not valid manifests are reported as well.
 */
export function stageImageProblems(
  context: ProjectContext,
  { name, targets, resources }: Pick<ArtifactStage, 'name' | 'targets' | 'resources'>,
): Problem[] {
  const stage = context.project.spec.stages?.find((one) => one.name === name);
  const [cluster] = targets;
  if (!stage || !isProtectedStage(stage) || cluster === undefined) return [];
  const { platform } = context;
  const onTarget = { ...context, platform: { ...platform, spec: { ...platform.spec, cluster } } };
  return resources.flatMap((resource) => {
    const { manifest, problems } = safeParseManifest(resource);
    if (!manifest) return problems.filter(isError);
    const workload = manifest as Workload;
    const expanded = safeExpand(workload, onTarget);
    const found = expanded.problems.filter(({ rule }) => rule === 'image-digest');
    if (expanded.objects || found.length > 0) return found;
    // The Platform of the target may allow what this one rejects; images of patches are unknown then.
    const object = `${workload.kind} ${workload.metadata.namespace}/${workload.metadata.name}`;
    imageDigestProblems(workload, [], onTarget, (problem) => found.push({ ...problem, object }));
    return found;
  });
}
