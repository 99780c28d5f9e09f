import { type KubernetesObject } from '@pinion-platform/pinion';
import { platformProjects } from '../config/platform-accounts';
import { programObjects } from '../objects/plain-object';

const namespace = platformProjects.ingress;

/** Ports of the pods of an ingress controller. */
export const ingressPorts = { web: 8000, secure: 8443, status: 8080, metrics: 9100 } as const;

/** Exposure of an ingress controller. */
export type Exposure = 'internal' | 'external';

/**
 * Returns whether the load balancer states the address of a client with PROXY protocol. The external one preserves it.
 * The internal one cannot: requests of a pod to an internal host have the address of its node, and if routed back to
 * that node, source and destination of the packets would be the same.
 */
export const sendsProxyProtocol = (exposure: Exposure): boolean => exposure === 'internal';

/** Returns the name of the Service of a load balancer. */
export const balancerOf = (exposure: Exposure): string => `ingress-${exposure}-balancer`;

/** Node port of the health checks of the internal load balancer, from the range that Kubernetes never allocates itself. */
const healthNodePort = 30_080;

/** Returns a network load balancer that routes to nodes with a pod of the ingress controller, and the port of its health checks. */
export function ingressBalancer(exposure: Exposure): KubernetesObject[] {
  const name = `ingress-${exposure}`;
  const object = programObjects(name, namespace);
  const shared = {
    externalTrafficPolicy: 'Local',
    selector: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': namespace },
  };
  const health = {
    type: 'NodePort',
    ...shared,
    ports: [{ name: 'status', port: 80, targetPort: ingressPorts.status, nodePort: healthNodePort, protocol: 'TCP' }],
  };
  const balancer = {
    type: 'LoadBalancer',
    ...shared,
    ports: [
      { name: 'web', port: 80, targetPort: ingressPorts.web, protocol: 'TCP' },
      { name: 'secure', port: 443, targetPort: ingressPorts.secure, protocol: 'TCP' },
    ],
  };
  return [
    ...(sendsProxyProtocol(exposure) ? [object('v1', 'Service', `${name}-health`, { spec: health })] : []),
    object('v1', 'Service', balancerOf(exposure), { spec: balancer }, { annotations: annotationsOf(exposure) }),
  ];
}

function annotationsOf(exposure: Exposure): Record<string, string> {
  const prefix = 'service.beta.kubernetes.io/aws-load-balancer';
  return {
    [`${prefix}-type`]: 'nlb',
    ...(exposure === 'internal' && { [`${prefix}-internal`]: 'true' }),
    [`${prefix}-cross-zone-load-balancing-enabled`]: 'true',
    ...(sendsProxyProtocol(exposure) && {
      [`${prefix}-target-group-attributes`]: 'preserve_client_ip.enabled=false,proxy_protocol_v2.enabled=true',
      // Its health checks send the header too, which kube-proxy would reject.
      [`${prefix}-healthcheck-port`]: String(healthNodePort),
      [`${prefix}-healthcheck-path`]: '/ping',
    }),
  };
}
