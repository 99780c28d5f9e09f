import { metadataKeys, manager } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import { type BlockingIssue, type PlanInput } from './plan-step';
import { setsOfService } from './sets-of-service';

/** Ownership of an existing object with a desired name. */
export type Ownership = 'owned' | 'adoptable' | 'ownedByPredecessor' | BlockingIssue;

/**
 * Classifies an object: `owned`; `adoptable`, if the custom resource requests it; `ownedByPredecessor`, a deleted owner
 * of the same name; or a blocking issue, if the object of another client has the name.
 */
export function classifyOwnership(child: Child, desired: KubernetesObject, hash: string, input: PlanInput): Ownership {
  const { owner, adopt, unowned } = input;
  const { controller } = child;
  if (controller?.uid === owner.uid) return 'owned';
  if (controller !== undefined) {
    const isPredecessor =
      controller.kind === owner.kind && controller.name === owner.name && controller.apiVersion === owner.apiVersion;
    return isPredecessor ? 'ownedByPredecessor' : nameConflict(child, input, false);
  }
  // The hash includes the owner: only the owner reference was removed.
  if (child.applied === hash) return 'owned';
  if (unowned?.has(`${child.kind}/${child.name}`) && isOfWorkload(child, desired)) return 'owned';
  return adopt ? 'adoptable' : nameConflict(child, input, true);
}

/** Returns whether an object that intentionally has no owner was created for this workload. */
const isOfWorkload = ({ managedBy, workload }: Child, { metadata: { labels = {} } }: KubernetesObject): boolean =>
  managedBy === manager &&
  workload !== undefined &&
  workload.kind === labels[metadataKeys.kind] &&
  workload.label === labels[metadataKeys.workload];

function nameConflict(child: Child, input: PlanInput, adoptable: boolean): BlockingIssue {
  const { kind, name } = child;
  const remedy = remedyOf(child, input, adoptable);
  return {
    reason: 'NameConflict',
    kind,
    name,
    message: `${kind} ${name} exists and belongs to ${ownerOf(child)}. ${remedy}`,
    owner: 'application',
  };
}

/** Returns the remedy. The Platform has a fixed name and adopts nothing. */
function remedyOf(child: Child, { owner, desired }: PlanInput, adoptable: boolean): string {
  const { kind, name } = owner;
  const [ownerName, childName] = [`${kind} ${name}`, `${child.kind} ${child.name}`];
  if (kind === 'Platform') return `Remove it or give it another name: ${ownerName} needs ${childName} for itself.`;
  const rename = renameOf(child, name, ownerName, desired);
  return adoptable
    ? `Set spec.adopt: true to take it over, or ${rename}.`
    : `${rename.charAt(0).toUpperCase()}${rename.slice(1)}, or remove the other owner.`;
}

/** Returns how an object gets another name. The name of some objects is a field of the spec. */
function renameOf(child: Child, name: string, ownerName: string, desired: PlanInput['desired']): string {
  // The field cannot change: it is the domain of the members.
  if (child.kind === 'Service' && setsOfService(child.name, desired).length > 0)
    return `recreate ${ownerName} with another name of its headless Service (spec.membersService)`;
  return child.name.startsWith(name) ? `give ${ownerName} another name` : `use another name in ${ownerName}`;
}

function ownerOf({ controller, managedBy, managers = [] }: Child): string {
  if (controller) return `${controller.kind} ${controller.name}`;
  if (managedBy !== undefined) return `another client: it is managed by ${managedBy} and has no owner`;
  if (managers.length > 0) return `another client: it was written by ${managers.join(', ')}`;
  return 'another client';
}
