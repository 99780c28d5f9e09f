import { keys, manager } from '../api';
import { type KubernetesObject } from '../expand';
import { type Child } from './child';
import { type Obstacle, type PlanInput } from './plan-step';

/** Whose an object of a wanted name is. */
export type Standing = 'ours' | 'free' | 'leaving' | Obstacle;

/**
 * Whose an object is: ours; free to be taken over, as the custom resource asks; about to go with an owner of the same name
 * that is gone; or that of somebody else, which stands in the way.
 */
export function standingOf(child: Child, desired: KubernetesObject, hash: string, input: PlanInput): Standing {
  const { owner, adopt, unowned } = input;
  const { controller } = child;
  if (controller?.uid === owner.uid) return 'ours';
  if (controller !== undefined) {
    const namesake =
      controller.kind === owner.kind && controller.name === owner.name && controller.apiVersion === owner.apiVersion;
    return namesake ? 'leaving' : nameTaken(child, false);
  }
  // The hash is of the object with its owner: only the owner reference was taken away.
  if (child.applied === hash) return 'ours';
  if (unowned?.has(`${child.kind}/${child.name}`) && isOfWorkload(child, desired)) return 'ours';
  return adopt ? 'free' : nameTaken(child, true);
}

/** Whether an object that has no owner by intention was made for this workload. */
const isOfWorkload = ({ managedBy, workload }: Child, { metadata: { labels = {} } }: KubernetesObject): boolean =>
  managedBy === manager &&
  workload !== undefined &&
  workload.kind === labels[keys.kind] &&
  workload.label === labels[keys.workload];

function nameTaken(child: Child, adoptable: boolean): Obstacle {
  const { kind, name } = child;
  const remedy = adoptable
    ? 'Set spec.adopt: true to take it over, or give the workload another name.'
    : 'Give the workload another name, or remove the other owner.';
  return {
    reason: 'NameTaken',
    kind,
    name,
    message: `${kind} ${name} exists and belongs to ${ownerOf(child)}. ${remedy}`,
    owner: 'application',
  };
}

function ownerOf({ controller, managedBy, managers = [] }: Child): string {
  if (controller) return `${controller.kind} ${controller.name}`;
  if (managedBy !== undefined) return `somebody else: it is managed by ${managedBy} and has no owner`;
  if (managers.length > 0) return `somebody else: it was written by ${managers.join(', ')}`;
  return 'somebody else';
}
