import { podTemplatesOf, type Problem, type Workload } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { podSpecOf } from '../objects/pod-spec-of';

/**
 * Warns about a metrics port that no container declares although they declare others.
 *
 * Declaring ports is optional, so nothing is known about a pod that declares none.
 */
export function metricsPortProblems(
  workload: Workload,
  objects: readonly KubernetesObject[],
  report: (problem: Problem) => void,
): void {
  const port = workload.spec.metrics?.port;
  if (port === undefined) return;
  const own = podTemplatesOf(workload).flatMap(({ template: { spec } }) =>
    [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ ports = [] }) => portsOf(ports)),
  );
  if (own.length === 0 || own.includes(port) || declaredIn(objects).includes(port)) return;
  report({
    code: 'unknown-reference',
    path: ['spec', 'metrics', 'port'],
    value: port,
    reason: 'is not a port that a container declares',
    remedy: `use ${[...new Set(own)].join(' or ')}, or declare the port`,
    rule: 'metrics-port',
    severity: 'warning',
  });
}

const portsOf = (ports: readonly { readonly containerPort: number }[]): number[] =>
  ports.map(({ containerPort }) => containerPort);

/** Lists the ports of all containers, those of parts of the runtime profile included. */
const declaredIn = (objects: readonly KubernetesObject[]): number[] =>
  objects.flatMap((object) => {
    const pod = podSpecOf(object);
    return [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].flatMap(({ ports = [] }) => portsOf(ports));
  });
