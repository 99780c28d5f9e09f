import { type PodSpec, type Workload } from '../../api';
import { type KubernetesObject } from './kubernetes-object';
import { derivedName } from './name';
import { type ProjectContext } from '../project-context';

/**
 * Returns whether the scheduler supports gangs: the GangScheduling feature gate is enabled, and pods can refer to a
 * PodGroup, which requires 1.36.
 */
export const schedulesGangs = ({ platform }: Pick<ProjectContext, 'platform'>): boolean =>
  platform.spec.gangScheduling && platform.spec.kubernetesVersion !== '1.35';

/** Creates the PodGroup of a gang and the pod fields that refer to it; nothing if the controller starts the gang. */
export function podGroup(
  workload: Workload,
  gang: { readonly minAvailable?: number | undefined } | undefined,
  members: number,
  context: ProjectContext,
): { readonly objects: readonly KubernetesObject[]; readonly pod: Partial<PodSpec> } {
  if (gang === undefined || !schedulesGangs(context)) return { objects: [], pod: {} };
  const name = derivedName([workload.metadata.name]);
  const spec = { schedulingPolicy: { gang: { minCount: gang.minAvailable ?? members } } };
  // The API is alpha, so it is not in the table of native kinds; the controller has access to it only if it is used.
  const object = { apiVersion: 'scheduling.k8s.io/v1alpha2', kind: 'PodGroup', metadata: { name }, spec };
  return { objects: [object], pod: { schedulingGroup: { podGroupName: name } } };
}
