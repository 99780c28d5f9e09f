import { metadataKeys, manager } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type OwnerReference } from '../../kube';
import { type Child } from '../observed/child';
import { type BlockingIssue, type PlanInput } from './plan-step';

/** Ownership of an existing object with a desired name. */
export type Ownership = 'ours' | 'free' | 'leaving' | BlockingIssue;

/**
 * Classifies an object: `ours`; `free` to be adopted, as the custom resource requests; `leaving` with a deleted owner
 * of the same name; or that of another client, which blocks the name.
 */
export function classifyOwnership(child: Child, desired: KubernetesObject, hash: string, input: PlanInput): Ownership {
  const { owner, adopt, unowned } = input;
  const { controller } = child;
  if (controller?.uid === owner.uid) return 'ours';
  if (controller !== undefined) {
    const namesake =
      controller.kind === owner.kind && controller.name === owner.name && controller.apiVersion === owner.apiVersion;
    return namesake ? 'leaving' : nameTaken(child, owner, false);
  }
  // The hash includes the owner: only the owner reference was removed.
  if (child.applied === hash) return 'ours';
  if (unowned?.has(`${child.kind}/${child.name}`) && isOfWorkload(child, desired)) return 'ours';
  return adopt ? 'free' : nameTaken(child, owner, true);
}

/** Returns whether an object that intentionally has no owner was created for this workload. */
const isOfWorkload = ({ managedBy, workload }: Child, { metadata: { labels = {} } }: KubernetesObject): boolean =>
  managedBy === manager &&
  workload !== undefined &&
  workload.kind === labels[metadataKeys.kind] &&
  workload.label === labels[metadataKeys.workload];

function nameTaken(child: Child, owner: OwnerReference, adoptable: boolean): BlockingIssue {
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
function remedyOf(taken: string, { kind, name }: OwnerReference, adoptable: boolean): string {
  const document = `${kind} ${name}`;
  if (kind === 'Platform') return `Remove it or give it another name: ${document} needs ${taken} for itself.`;
  return adoptable
    ? `Set spec.adopt: true to take it over, or give ${document} another name.`
    : `Give ${document} another name, or remove the other owner.`;
}

function ownerOf({ controller, managedBy, managers = [] }: Child): string {
  if (controller) return `${controller.kind} ${controller.name}`;
  if (managedBy !== undefined) return `another client: it is managed by ${managedBy} and has no owner`;
  if (managers.length > 0) return `another client: it was written by ${managers.join(', ')}`;
  return 'another client';
}
