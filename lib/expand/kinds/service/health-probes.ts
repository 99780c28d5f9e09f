import { type Container, type Probe, type Spec } from '../../../api';
import { secondsOf } from '../../objects/seconds';
import { portsOf } from '../../objects/ports';

/** Adds the probes of `spec.health` to the first container of a service; its own probes take precedence. */
export function withProbes(container: Container, spec: Spec<'PinterestService'>): Container {
  const { health, loadBalancer } = spec;
  const ports = portsOf(loadBalancer);
  const firstPort = ports[0];
  const port = health?.port ?? firstPort?.targetPort ?? firstPort?.port;
  const probedPort = ports.find((servicePort) => (servicePort.targetPort ?? servicePort.port) === port);
  if (!health || port === undefined) return container;
  const probe: Probe = {
    ...(health.path === undefined
      ? { tcpSocket: { port } }
      : {
          httpGet: { path: health.path, port, ...(probedPort?.protocol === 'HTTPS' && { scheme: 'HTTPS' as const }) },
        }),
    periodSeconds: secondsOf(health.interval),
    timeoutSeconds: secondsOf(health.timeout),
    failureThreshold: health.failures,
  };
  const startup: Probe = {
    ...probe,
    periodSeconds: 2,
    failureThreshold: Math.max(1, Math.ceil(secondsOf(health.startup) / 2)),
  };
  // A slow pod is removed from load balancing before it is restarted.
  const liveness: Probe = { ...probe, failureThreshold: health.failures * 2 };
  return {
    ...container,
    startupProbe: container.startupProbe ?? startup,
    readinessProbe: container.readinessProbe ?? probe,
    livenessProbe: container.livenessProbe ?? liveness,
  };
}
