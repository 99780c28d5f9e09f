import { podSpecOf } from '../objects/pod-spec-of';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { clusterServiceName, serviceHost } from '../objects/cluster-service';
import { endpointPorts, type EndpointPort } from './endpoint-ports';
import { memberHosts } from './member-hosts';
import { resolvesToPods, type NativeService } from './native-service';

/** How other workloads reach the pods of a workload. */
export interface Endpoints {
  /** DNS name of the Service that balances over its pods; undefined without one. */
  readonly host?: string;
  /** DNS name of its headless Service, which resolves to the addresses of its members; undefined without one. */
  readonly membersHost?: string;
  /** DNS names of its members by index; empty if they have none. */
  readonly members: ReadonlyMap<number, string>;
  readonly ports: readonly EndpointPort[];
  /** Whether its pods use the network of their nodes, which no network policy by workload matches. */
  readonly hostNetwork: boolean;
}

/**
 * Reads the endpoints of a workload from its native objects.
 *
 * Names and ports are those of the objects, so that all that influences them counts: fields, the platform and patches.
 */
export function endpointsOf(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  objects: readonly KubernetesObject[],
): Endpoints {
  const services = objects.filter((object): object is NativeService => object.kind === 'Service');
  const service = services.find(
    (one) => !resolvesToPods(one) && one.metadata.name === clusterServiceName({ metadata: { name } }),
  );
  const { domain, hosts } = memberHosts(objects);
  const pods = objects.flatMap((object) => podSpecOf(object) ?? []);
  return {
    ...(service && { host: serviceHost(service.metadata.name, namespace) }),
    ...(domain !== undefined && { membersHost: serviceHost(domain, namespace) }),
    members: new Map([...hosts].map(([index, host]) => [index, serviceHost(`${host}.${domain}`, namespace)])),
    ports: endpointPorts(service, services.filter(resolvesToPods), pods),
    hostNetwork: pods.some((pod) => pod.hostNetwork === true),
  };
}
