import { type Container, type Probe, type Spec } from '../../../api';
import { secondsOf } from '../../objects/seconds';
import { portsOf } from '../../objects/ports';

/** Adds the probes of `spec.health` to the first container of a service; its own probes take precedence. */
export function withProbes(container: Container, spec: Spec<'PinterestService'>): Container {
  const { health, loadBalancer } = spec;
  const ports = portsOf(loadBalancer);
  const first = ports[0];
  const port = health?.port ?? first?.targetPort ?? first?.port;
  const asked = ports.find((one) => (one.targetPort ?? one.port) === port);
  if (!health || port === undefined) return container;
  const ask: Probe = {
    ...(health.path === undefined
      ? { tcpSocket: { port } }
      : { httpGet: { path: health.path, port, ...(asked?.protocol === 'HTTPS' && { scheme: 'HTTPS' as const }) } }),
    periodSeconds: secondsOf(health.interval),
    timeoutSeconds: secondsOf(health.timeout),
    failureThreshold: health.failures,
  };
  const startup: Probe = {
    ...ask,
    periodSeconds: 2,
    failureThreshold: Math.max(1, Math.ceil(secondsOf(health.startup) / 2)),
  };
  // A slow pod is removed from load balancing long before it is restarted.
  const live: Probe = { ...ask, failureThreshold: health.failures * 2 };
  return {
    ...container,
    startupProbe: container.startupProbe ?? startup,
    readinessProbe: container.readinessProbe ?? ask,
    livenessProbe: container.livenessProbe ?? live,
  };
}
