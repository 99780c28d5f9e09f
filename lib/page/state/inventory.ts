import { type Change, type Deployment, type ProjectView, type WorkloadView } from '../../contract';
import { applyEntries, type Collection, type CollectionEntry, emptyCollection } from './collection';

/** Projects, workloads and deployments that the caller may see. */
export interface Inventory {
  readonly projects: Collection<ProjectView>;
  readonly workloads: Collection<WorkloadView>;
  /** Deployments that were listed, opened or changed while the page was open; not all of them. */
  readonly deployments: Collection<Deployment>;
}

/** Inventory before the first listing. */
export const emptyInventory: Inventory = {
  projects: emptyCollection(),
  workloads: emptyCollection(),
  deployments: emptyCollection(),
};

type WorkloadName = Pick<WorkloadView, 'project' | 'target' | 'kind' | 'name'>;

/** Returns the key of a project on a cluster. */
export const projectKey = ({ name, target }: Pick<ProjectView, 'name' | 'target'>): string => `${target}/${name}`;

/** Returns the key of a workload on a cluster. */
export const workloadKey = ({ project, target, kind, name }: WorkloadName): string =>
  `${target}/${project}/${kind}/${name}`;

/** Returns the collection entry of a project. */
export const projectEntry = (item: ProjectView): CollectionEntry<ProjectView> => ({ key: projectKey(item), item });

/** Returns the collection entry of a workload. */
export const workloadEntry = (item: WorkloadView): CollectionEntry<WorkloadView> => ({ key: workloadKey(item), item });

/** Returns the collection entry of a deployment. */
export const deploymentEntry = (item: Deployment): CollectionEntry<Deployment> => ({ key: item.id, item });

/** Applies changes to the inventory in their order. */
export function applyChanges(inventory: Inventory, changes: readonly Change[]): Inventory {
  const projects: CollectionEntry<ProjectView>[] = [];
  const workloads: CollectionEntry<WorkloadView>[] = [];
  const deployments: CollectionEntry<Deployment>[] = [];
  for (const change of changes) {
    if (change.type === 'workload') workloads.push(workloadEntry(change.workload));
    else if (change.type === 'workloadGone') workloads.push({ key: workloadKey(change.workload), item: undefined });
    else if (change.type === 'project') projects.push(projectEntry(change.project));
    else if (change.type === 'projectGone') projects.push({ key: projectKey(change.project), item: undefined });
    else deployments.push(deploymentEntry(change.deployment));
  }
  return {
    projects: applyEntries(inventory.projects, projects),
    workloads: applyEntries(inventory.workloads, workloads),
    deployments: applyEntries(inventory.deployments, deployments),
  };
}
