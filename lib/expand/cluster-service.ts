import { type Workload } from '../api';
import { draft, type KubernetesObject } from './kubernetes-object';
import { selectorOf } from './labels';
import { nameOf } from './name';
import { nativePorts, type ServicePort } from './ports';

/** Name of the Service of a workload. */
export const clusterServiceName = (workload: Workload): string => nameOf([workload.metadata.name]);

/** The Service by which pods of a workload are reached; none without ports. */
export function clusterService(
  workload: Workload,
  ports: readonly ServicePort[],
  options: { readonly sticky?: boolean; readonly local?: boolean } = {},
): KubernetesObject[] {
  if (ports.length === 0) return [];
  const spec = {
    type: 'ClusterIP',
    selector: selectorOf(workload),
    ports: nativePorts(ports),
    ...(options.sticky && { sessionAffinity: 'ClientIP' }),
    ...(options.local && { internalTrafficPolicy: 'Local' }),
  };
  return [draft('Service', { name: clusterServiceName(workload) }, { spec })];
}

/** A Service without an address, by which the pods of a workload have names of their own. */
export function headlessService(
  workload: Workload,
  name: string,
  ports: readonly ServicePort[],
  options: { readonly publishNotReady: boolean },
): KubernetesObject {
  const spec = {
    clusterIP: 'None',
    publishNotReadyAddresses: options.publishNotReady,
    selector: selectorOf(workload),
    ...(ports.length > 0 && { ports: nativePorts(ports) }),
  };
  return draft('Service', { name }, { spec });
}
