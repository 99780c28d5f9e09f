import { type Change, type Deployment, type ProjectView, type WorkloadView } from '../contract';
import { type Collection, emptyCollection, type Entry, takeChanges } from './collection';

/** All that the page knows of what the caller may see. */
export interface Inventory {
  readonly projects: Collection<ProjectView>;
  readonly workloads: Collection<WorkloadView>;
  /** Those that were listed, opened or changed while the page was open; never all that there were. */
  readonly deployments: Collection<Deployment>;
}

/** An inventory before anything was asked for. */
export const emptyInventory: Inventory = {
  projects: emptyCollection(),
  workloads: emptyCollection(),
  deployments: emptyCollection(),
};

type WorkloadName = Pick<WorkloadView, 'project' | 'target' | 'kind' | 'name'>;

/** Key of a project on a cluster. */
export const projectKey = ({ name, target }: Pick<ProjectView, 'name' | 'target'>): string => `${target}/${name}`;

/** Key of a workload on a cluster. */
export const workloadKey = ({ project, target, kind, name }: WorkloadName): string =>
  `${target}/${project}/${kind}/${name}`;

/** A project, as an entry of its collection. */
export const projectEntry = (item: ProjectView): Entry<ProjectView> => ({ key: projectKey(item), item });

/** A workload, as an entry of its collection. */
export const workloadEntry = (item: WorkloadView): Entry<WorkloadView> => ({ key: workloadKey(item), item });

/** A deployment, as an entry of its collection. */
export const deploymentEntry = (item: Deployment): Entry<Deployment> => ({ key: item.id, item });

/** The inventory after changes, in their order. */
export function applyChanges(inventory: Inventory, changes: readonly Change[]): Inventory {
  const projects: Entry<ProjectView>[] = [];
  const workloads: Entry<WorkloadView>[] = [];
  const deployments: Entry<Deployment>[] = [];
  for (const change of changes) {
    if (change.type === 'workload') workloads.push(workloadEntry(change.workload));
    else if (change.type === 'workloadGone') workloads.push({ key: workloadKey(change.workload), item: undefined });
    else if (change.type === 'project') projects.push(projectEntry(change.project));
    else if (change.type === 'projectGone') projects.push({ key: projectKey(change.project), item: undefined });
    else deployments.push(deploymentEntry(change.deployment));
  }
  return {
    projects: takeChanges(inventory.projects, projects),
    workloads: takeChanges(inventory.workloads, workloads),
    deployments: takeChanges(inventory.deployments, deployments),
  };
}
