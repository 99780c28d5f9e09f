import { type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import { statusNumber } from '../observed/child-status';
import { type PlanInput } from './plan-step';
import { specOf } from './spec-of';

/**
 * Returns whether a Deployment that is no longer desired still serves: its pods stay until each desired Deployment of
 * the workload has its own pods available. Otherwise a service that moves to variants, or back, would be interrupted.
 */
export function isServing(child: Child, input: PlanInput): boolean {
  return (
    statusNumber(child.status, 'availableReplicas') > 0 &&
    !successorsOf(child, input).every((object) => isAvailable(object, input))
  );
}

/** Lists the desired Deployments that replace one that is no longer desired. */
export const successorsOf = ({ kind }: Child, { desired }: Pick<PlanInput, 'desired'>): readonly KubernetesObject[] =>
  kind === 'Deployment' ? desired.filter((object) => object.kind === 'Deployment') : [];

/** Returns whether a desired Deployment exists and has as many available pods as it needs. */
function isAvailable(object: KubernetesObject, { observed, desired, owner }: PlanInput): boolean {
  const child = observed.child(object.kind, object.metadata.name, object.metadata.namespace);
  if (!child || child.deleting || child.controller?.uid !== owner.uid) return false;
  const needed = Math.max(
    numberOf(specOf(object)['replicas']),
    child.scale?.replicas ?? 0,
    minReplicas(object, desired),
  );
  return statusNumber(child.status, 'availableReplicas') >= needed;
}

/** Returns the minimum of the autoscaler of a Deployment, which starts with one pod; 0 without an autoscaler. */
function minReplicas({ kind, metadata }: KubernetesObject, desired: readonly KubernetesObject[]): number {
  const autoscaler = desired.find((object) => {
    const { scaleTargetRef } = specOf(object) as { readonly scaleTargetRef?: { kind: string; name: string } };
    return scaleTargetRef?.kind === kind && scaleTargetRef.name === metadata.name;
  });
  return autoscaler ? numberOf(specOf(autoscaler)['minReplicas']) : 0;
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
