import { letterOf, controlPlaneAddress } from './addresses';
import { type ClusterConfig } from '../config/cluster-config';
import { loadBalancerName } from '../names';
import { type PlannedResource } from '../planned-resource';
import { ports } from './ports';
import { tagsOf, type Tags } from '../tags';

/** API load balancer: one internal network load balancer. */
export interface LoadBalancerPlan {
  readonly loadBalancer: PlannedResource<{
    readonly name: string;
    readonly loadBalancerType: 'network';
    readonly internal: true;
    readonly enableCrossZoneLoadBalancing: true;
    readonly tags: Tags;
  }>;
  readonly subnets: readonly string[];
  readonly targetGroup: PlannedResource<{
    readonly name: string;
    readonly port: number;
    readonly protocol: 'TCP';
    readonly targetType: 'ip';
    /** With client IPs preserved, a node that connects to itself through the load balancer drops the reply. */
    readonly preserveClientIp: 'false';
    readonly deregistrationDelay: number;
    readonly connectionTermination: true;
    readonly healthCheck: {
      readonly protocol: 'HTTPS';
      readonly path: '/readyz';
      readonly port: string;
      readonly interval: number;
      readonly healthyThreshold: number;
      readonly unhealthyThreshold: number;
    };
    readonly tags: Tags;
  }>;
  readonly listener: PlannedResource<{ readonly port: number; readonly protocol: 'TCP'; readonly tags: Tags }>;
  /** Addresses of the persistent interfaces of control plane nodes. */
  readonly targets: readonly PlannedResource<{ readonly targetId: string; readonly port: number }>[];
}

/** Plans the load balancer of control plane nodes, which are in the first zones. */
export function loadBalancerPlan(config: ClusterConfig, controlPlaneNodes: number): LoadBalancerPlan {
  const zones = config.zones.slice(0, controlPlaneNodes);
  const tags = tagsOf(config, 'control-plane', 'api');
  const name = loadBalancerName(config.name);
  return {
    loadBalancer: {
      name: 'api',
      args: {
        name,
        loadBalancerType: 'network',
        internal: true,
        enableCrossZoneLoadBalancing: true,
        tags,
      },
    },
    subnets: zones.map((zone) => `control-plane-${letterOf(zone)}`),
    targetGroup: {
      name: 'api',
      args: {
        name,
        port: ports.apiServer,
        protocol: 'TCP',
        targetType: 'ip',
        preserveClientIp: 'false',
        deregistrationDelay: 60,
        connectionTermination: true,
        healthCheck: {
          protocol: 'HTTPS',
          path: '/readyz',
          port: String(ports.apiServer),
          interval: 10,
          healthyThreshold: 2,
          unhealthyThreshold: 2,
        },
        tags,
      },
    },
    listener: { name: 'api', args: { port: ports.apiServer, protocol: 'TCP', tags } },
    targets: zones.map((zone, index) => ({
      name: `api-${letterOf(zone)}`,
      args: { targetId: controlPlaneAddress(config, index), port: ports.apiServer },
    })),
  };
}
