import { parseManifest, type ManifestInput, type PlatformManifest } from '../api';
import { nodeSupport, uncontestedNames, type PlatformContext, type ProjectContext } from '../expand';
import { workloadKeyOf, type ImpactDocument, type ImpactSide } from './impact-side';

/**
 * Returns a side with what the Platform itself creates for the parts of its profile on nodes: daemons and their Project.
 * `earlier` are the daemons of the other side, which it no longer has.
 */
export function withPlatformParts(side: ImpactSide, earlier: readonly ImpactDocument[] = []): ImpactSide {
  const daemons = platformWorkloads(side.cluster);
  const written = new Map(side.workloads.map((document) => [workloadKeyOf(document), document]));
  const stored = new Map(written);
  for (const daemon of earlier) written.delete(workloadKeyOf(daemon));
  for (const daemon of daemons) {
    const key = workloadKeyOf(daemon);
    written.set(key, { ...(stored.get(key) ?? daemon), spec: daemon.spec });
  }
  return { ...side, cluster: withOwnProject(side.cluster), workloads: [...written.values()] };
}

/** Returns the workloads that the Platform creates. */
export const platformWorkloads = (cluster: PlatformContext): readonly ImpactDocument[] =>
  nodeSupport(cluster).filter(({ kind }) => kind !== 'Project');

function withOwnProject(cluster: PlatformContext): PlatformContext {
  const manifest = nodeSupport(cluster).find((one): one is ManifestInput<'Project'> => one.kind === 'Project');
  if (!manifest) return cluster;
  const own = contextOf(parseManifest(manifest), cluster);
  return { ...cluster, project: (name) => (name === own.project.metadata.name ? own : cluster.project(name)) };
}

const contextOf = (project: PlatformManifest<'Project'>, cluster: PlatformContext): ProjectContext => {
  const context = cluster.project(project.metadata.name);
  const assumed = context.assumed.filter((kind) => kind !== 'Project');
  return { ...context, ...uncontestedNames(project, cluster.platform), project, assumed };
};
