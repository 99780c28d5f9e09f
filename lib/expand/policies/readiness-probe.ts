import {
  podTemplatesOf,
  traitsOf,
  valueAt,
  type Container,
  type FieldPath,
  type Problem,
  type Workload,
} from '../../api';
import { portsOf, type LoadBalancer } from '../objects/ports';

/**
 * Warns about a load balancer of containers that have other probes, but none for readiness: they get requests before they
 * can answer, and a rollout replaces pods before the new ones answer.
 *
 * If containers declare ports of the load balancer, only those are meant: the readiness probe of another container says
 * nothing about them, unless it is a command or checks such a port. Nothing is said about containers without probes, which
 * may be ready as soon as they run.
 */
export function readinessProblems(workload: Workload, report: (problem: Problem) => void): void {
  const loadBalancer = valueAt(workload.spec, ['loadBalancer']) as LoadBalancer | undefined;
  // spec.health adds all probes.
  if (loadBalancer === undefined || valueAt(workload.spec, ['health']) !== undefined) return;
  const targets = new Set(portsOf(loadBalancer).map(({ port, targetPort }) => targetPort ?? port));
  for (const { template, path } of podTemplatesOf(workload)) {
    const { containers, initContainers = [], readinessGates = [] } = template.spec;
    const running = [...containers, ...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')];
    const serving = running.filter((one) => serves(one, targets));
    const meant = serving.length > 0 ? serving : running;
    const isChecked = running.some((one) => (meant.includes(one) ? one.readinessProbe : mayCheck(one, targets)));
    const container = meant.find(({ livenessProbe, startupProbe }) => livenessProbe ?? startupProbe);
    if (isChecked || !container || readinessGates.length > 0) continue;
    const list = containers.includes(container) ? 'containers' : 'initContainers';
    const index = (list === 'containers' ? containers : initContainers).indexOf(container);
    report(problemOf(workload, container, [...path, 'spec', list, index, 'readinessProbe']));
  }
}

const problemOf = ({ kind }: Workload, { livenessProbe }: Container, path: FieldPath): Problem => ({
  code: 'required',
  path,
  reason: `is not set, so that the load balancer sends requests to a pod before it can answer; the ${livenessProbe ? 'livenessProbe' : 'startupProbe'} does not affect it`,
  remedy: traitsOf(kind).hasMembers ? 'add a readinessProbe' : 'set spec.health, or add a readinessProbe',
  rule: 'load-balancer-readiness',
  severity: 'warning',
});

type Targets = ReadonlySet<string | number>;

/** Returns whether a container declares a port of the load balancer. */
const serves = ({ ports = [] }: Container, targets: Targets): boolean =>
  ports.some(({ containerPort, name }) => targets.has(containerPort) || (name !== undefined && targets.has(name)));

/** Returns whether the readiness probe of a container may be that of another one, which serves the load balancer. */
function mayCheck({ readinessProbe }: Container, targets: Targets): boolean {
  const port = (readinessProbe?.httpGet ?? readinessProbe?.tcpSocket ?? readinessProbe?.grpc)?.port;
  return readinessProbe?.exec !== undefined || (port !== undefined && targets.has(port));
}
