import { type Workload } from '../../api';
import { draftObject, type KubernetesObject } from './kubernetes-object';
import { selectorOf } from './labels';
import { derivedName } from './name';
import { nativePorts, type ServicePort } from './ports';

/** Returns the name of the Service of a workload. */
export const clusterServiceName = (workload: { readonly metadata: { readonly name: string } }): string =>
  derivedName([workload.metadata.name]);

/** Returns the DNS name of a Service, or of a member below it, for clients of any project. */
export const serviceHost = (name: string, namespace: string): string => `${name}.${namespace}.svc`;

/** Creates the Service of a workload; none without ports. */
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
  return [draftObject('Service', { name: clusterServiceName(workload) }, { spec })];
}

/** Creates a headless Service, which gives each pod of a workload a DNS name. */
export function headlessService(
  workload: Workload,
  name: string,
  ports: readonly ServicePort[],
  options: { readonly publishNotReadyAddresses: boolean },
): KubernetesObject {
  const spec = {
    clusterIP: 'None',
    publishNotReadyAddresses: options.publishNotReadyAddresses,
    selector: selectorOf(workload),
    ...(ports.length > 0 && { ports: nativePorts(ports) }),
  };
  return draftObject('Service', { name }, { spec });
}
