import { type ContainerPort, type Spec, type WorkloadKindWith } from '../../api';

/** Load balancer of a workload. */
export type LoadBalancer = NonNullable<Spec<WorkloadKindWith<'serves', true>>['loadBalancer']>;
/** Port of a Service with its defaults. */
export type ServicePort = NonNullable<LoadBalancer['ports']>[number];

const appProtocols: Readonly<Record<string, string | undefined>> = {
  HTTP: 'http',
  HTTPS: 'https',
  GRPC: 'kubernetes.io/h2c',
  H2C: 'kubernetes.io/h2c',
};

/** Returns the ports of a load balancer, including a port in the short form. */
export function portsOf(loadBalancer: LoadBalancer | undefined): readonly ServicePort[] {
  if (loadBalancer?.ports) return loadBalancer.ports;
  if (loadBalancer?.port === undefined) return [];
  const { port, targetPort, protocol } = loadBalancer;
  return [{ name: protocol.toLowerCase(), port, protocol, ...(targetPort !== undefined && { targetPort }) }];
}

/** Returns the ports of a native Service. */
export function nativePorts(ports: readonly ServicePort[]) {
  return ports.map(({ name, port, targetPort, protocol }) => {
    const appProtocol = appProtocols[protocol];
    return {
      name,
      port,
      protocol: transportOf(protocol),
      targetPort: targetPort ?? port,
      ...(appProtocol !== undefined && { appProtocol }),
    };
  });
}

/** Returns the port that an Ingress routes to: the first with an HTTP protocol. */
export const httpPort = (ports: readonly ServicePort[]): ServicePort | undefined =>
  ports.find(({ protocol }) => appProtocols[protocol] !== undefined);

const transportOf = (protocol: string): NonNullable<ContainerPort['protocol']> => (protocol === 'UDP' ? 'UDP' : 'TCP');
