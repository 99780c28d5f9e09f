import { type Spec, type Workload, type WorkloadKind } from '../../api';
import { draftObject, type KubernetesObject } from './kubernetes-object';
import { selectorOf } from './labels';
import { derivedName } from './name';

type Disruption = Extract<Spec<WorkloadKind>, { readonly disruption: unknown }>['disruption'];

/**
 * Creates a PodDisruptionBudget that does not block drains; none for fewer than two replicas. `replicas` is the maximum
 * number of replicas.
 */
export function disruptionBudget(workload: Workload, disruption: Disruption, replicas: number): KubernetesObject[] {
  if (!disruption.enabled || replicas < 2) return [];
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy } = disruption;
  const limit =
    minAvailable !== undefined ? { minAvailable } : { maxUnavailable: maxUnavailable ?? (replicas < 8 ? 1 : '25%') };
  const spec = {
    ...limit,
    selector: { matchLabels: selectorOf(workload) },
    unhealthyPodEvictionPolicy,
  };
  return [draftObject('PodDisruptionBudget', { name: derivedName([workload.metadata.name]) }, { spec })];
}
