import { type ProjectContext } from '../expand';

/** Returns the context of workloads in a stage: the Platform's cluster counts as one that only this stage uses. */
export function stageContext(context: ProjectContext, stage: string): ProjectContext {
  const { project, platform } = context;
  const { cluster } = platform.spec;
  if (!project.spec.stages) return context;
  const stages = project.spec.stages.map((one) => ({
    ...one,
    clusters: one.name === stage ? [cluster] : (one.clusters ?? []).filter((other) => other !== cluster),
  }));
  return { ...context, project: { ...project, spec: { ...project.spec, stages } } };
}
