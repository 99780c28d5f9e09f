import { ProblemsError } from '../api';
import { expandPlatform, expandProject, nodeSupport, type KubernetesObject, type PlatformContext } from '../expand';
import { type ImpactSide } from './impact-side';
import { changedObjects, writesOf, type ChangedObject, type WriteCounts } from './object-writes';

/** What a change does to the objects of the Platform or of a Project. */
export interface PlatformImpact {
  /** The manifest, such as `Project shop`. */
  readonly owner: string;
  readonly changed: readonly ChangedObject[];
  readonly writes: WriteCounts;
  /** Why its objects cannot be expanded, so that they stay as they are. */
  readonly reason?: string;
}

/** Returns the changes of objects of the Platform and of Projects; manifests without one are not listed. */
export function platformImpacts(before: ImpactSide, after: ImpactSide): readonly PlatformImpact[] {
  const projects = [...new Set([...projectsOf(before), ...projectsOf(after)])].sort();
  const of = (owner: string, objects: (cluster: PlatformContext) => readonly KubernetesObject[]) =>
    impactOf(owner, () => [objects(before.cluster), objects(after.cluster)]);
  return [
    of('Platform cluster', platformObjects),
    ...projects.map((name) => of(`Project ${name}`, (cluster) => projectObjects(name, cluster))),
  ].flatMap((impact) => (impact.changed.length > 0 || impact.reason !== undefined ? impact : []));
}

function impactOf(
  owner: string,
  objects: () => readonly [readonly KubernetesObject[], readonly KubernetesObject[]],
): PlatformImpact {
  try {
    const changed = changedObjects(...objects());
    return { owner, changed, writes: writesOf(changed) };
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    return { owner, changed: [], writes: writesOf([]), reason: error.message.split('\n')[0] ?? '' };
  }
}

const platformObjects = (cluster: PlatformContext): readonly KubernetesObject[] => [
  ...expandPlatform(cluster),
  ...(nodeSupport(cluster) as unknown as readonly KubernetesObject[]),
];

function projectObjects(name: string, cluster: PlatformContext): readonly KubernetesObject[] {
  const { assumed, project, ...names } = cluster.project(name);
  // A namespace without a Project has no objects of one.
  return assumed.includes('Project') ? [] : expandProject(project, cluster, names);
}

const projectsOf = ({ workloads, projects = [] }: ImpactSide): readonly string[] => [
  ...projects,
  ...new Set(workloads.map(({ metadata }) => metadata.namespace ?? '')),
];
