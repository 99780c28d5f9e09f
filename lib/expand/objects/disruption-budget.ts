import { type Spec, type Workload, type WorkloadKind } from '../../api';
import { draftObject, type KubernetesObject } from './kubernetes-object';
import { selectorOf } from './labels';
import { derivedName } from './name';

type Disruption = Extract<Spec<WorkloadKind>, { readonly disruption: unknown }>['disruption'];

/**
 * Creates a PodDisruptionBudget that lets drains finish; none if there is at most one replica. `replicas` is the
 * maximum.
 */
export function disruptionBudget(workload: Workload, disruption: Disruption, replicas: number): KubernetesObject[] {
  if (!disruption.enabled || replicas < 2) return [];
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy } = disruption;
  const bound =
    minAvailable !== undefined ? { minAvailable } : { maxUnavailable: maxUnavailable ?? (replicas < 8 ? 1 : '25%') };
  const spec = {
    ...bound,
    selector: { matchLabels: selectorOf(workload) },
    unhealthyPodEvictionPolicy,
  };
  return [draftObject('PodDisruptionBudget', { name: derivedName([workload.metadata.name]) }, { spec })];
}
