import { metadataKeys, manager } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type OwnerReference } from '../../kube';
import { type Child } from '../observed/child';
import { type BlockingIssue, type PlanInput } from './plan-step';

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
    return isPredecessor ? 'ownedByPredecessor' : nameConflict(child, owner, false);
  }
  // The hash includes the owner: only the owner reference was removed.
  if (child.applied === hash) return 'owned';
  if (unowned?.has(`${child.kind}/${child.name}`) && isOfWorkload(child, desired)) return 'owned';
  return adopt ? 'adoptable' : nameConflict(child, owner, true);
}

/** Returns whether an object that intentionally has no owner was created for this workload. */
const isOfWorkload = ({ managedBy, workload }: Child, { metadata: { labels = {} } }: KubernetesObject): boolean =>
  managedBy === manager &&
  workload !== undefined &&
  workload.kind === labels[metadataKeys.kind] &&
  workload.label === labels[metadataKeys.workload];

function nameConflict(child: Child, owner: OwnerReference, adoptable: boolean): BlockingIssue {
  const { kind, name } = child;
  const remedy = remedyOf(`${kind} ${name}`, owner, adoptable);
  return {
    reason: 'NameConflict',
    kind,
    name,
    message: `${kind} ${name} exists and belongs to ${ownerOf(child)}. ${remedy}`,
    owner: 'application',
  };
}

/** Returns the remedy. The Platform has a fixed name and adopts nothing. */
function remedyOf(childName: string, { kind, name }: OwnerReference, adoptable: boolean): string {
  const ownerName = `${kind} ${name}`;
  if (kind === 'Platform') return `Remove it or give it another name: ${ownerName} needs ${childName} for itself.`;
  return adoptable
    ? `Set spec.adopt: true to take it over, or give ${ownerName} another name.`
    : `Give ${ownerName} another name, or remove the other owner.`;
}

function ownerOf({ controller, managedBy, managers = [] }: Child): string {
  if (controller) return `${controller.kind} ${controller.name}`;
  if (managedBy !== undefined) return `another client: it is managed by ${managedBy} and has no owner`;
  if (managers.length > 0) return `another client: it was written by ${managers.join(', ')}`;
  return 'another client';
}
