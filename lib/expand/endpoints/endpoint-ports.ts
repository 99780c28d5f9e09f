import { type PodSpec } from '../../api';
import { type NativeService, type NativeServicePort } from './native-service';

/** Port of a workload. */
export interface EndpointPort {
  /** Name in its Service, then those of its containers. */
  readonly names: readonly string[];
  /** Port of the Service that balances over the pods; undefined if only members have it. */
  readonly service?: number;
  /** Port of the pods themselves, which members have, and which network policies compare. */
  readonly pod: number;
  /** URL scheme of its protocol; undefined for TCP and UDP. */
  readonly scheme?: 'http' | 'https';
}

const schemes: Readonly<Record<string, EndpointPort['scheme']>> = {
  http: 'http',
  https: 'https',
  'kubernetes.io/h2c': 'http',
};

/** Lists the ports of a workload: of its Service, of its members, and named ones of containers. */
export function endpointPorts(
  service: NativeService | undefined,
  headless: readonly NativeService[],
  pods: readonly PodSpec[],
): readonly EndpointPort[] {
  const ports = new Map<string, EndpointPort>();
  const add = (port: NativeServicePort, isBalanced: boolean) => {
    const pod = podPort(port.targetPort, pods);
    if (ports.has(port.name) || pod === undefined) return;
    const scheme = schemes[port.appProtocol ?? ''];
    ports.set(port.name, {
      names: [port.name],
      ...(isBalanced && { service: port.port }),
      pod,
      ...(scheme && { scheme }),
    });
  };
  service?.spec.ports?.forEach((port) => add(port, true));
  for (const { spec } of headless) spec.ports?.forEach((port) => add(port, false));
  for (const { name, containerPort } of pods.flatMap(containerPorts)) addContainerPort(name, containerPort, ports);
  return [...ports.values()];
}

/** Adds the name of a container port to the port of the Service that leads to it, or else adds the port. */
function addContainerPort(name: string | undefined, pod: number, ports: Map<string, EndpointPort>): void {
  if (name === undefined || [...ports.values()].some(({ names }) => names.includes(name))) return;
  const [key, port] = [...ports].find(([, one]) => one.pod === pod) ?? [name, { names: [], pod }];
  ports.set(key, { ...port, names: [...port.names, name] });
}

const containerPorts = ({ containers }: PodSpec) => containers.flatMap(({ ports = [] }) => ports);

/** Returns the number of a container port; undefined if no container has the name. */
function podPort(target: number | string, pods: readonly PodSpec[]): number | undefined {
  if (typeof target === 'number') return target;
  return pods
    .flatMap(({ containers, initContainers = [] }) => [...containers, ...initContainers])
    .flatMap(({ ports = [] }) => ports)
    .find(({ name }) => name === target)?.containerPort;
}
