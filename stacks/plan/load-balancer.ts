import { letterOf, masterAddress } from './addresses';
import { type ClusterConfig } from './cluster-config';
import { loadBalancerName } from './names';
import { type Planned } from './planned';
import { ports } from './ports';
import { tagsOf, type Tags } from './tags';

/** The load balancer of the API: one network load balancer within the VPC. */
export interface LoadBalancerPlan {
  readonly loadBalancer: Planned<{
    readonly name: string;
    readonly loadBalancerType: 'network';
    readonly internal: true;
    readonly enableCrossZoneLoadBalancing: true;
    readonly tags: Tags;
  }>;
  readonly subnets: readonly string[];
  readonly targetGroup: Planned<{
    readonly name: string;
    readonly port: number;
    readonly protocol: 'TCP';
    readonly targetType: 'ip';
    /** With it, a master that is sent its own packet by way of the load balancer would drop the answer. */
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
  readonly listener: Planned<{ readonly port: number; readonly protocol: 'TCP'; readonly tags: Tags }>;
  /** Addresses of the masters' persistent interfaces. */
  readonly targets: readonly Planned<{ readonly targetId: string; readonly port: number }>[];
}

/** Plans the load balancer in front of so many masters, which are in the first zones. */
export function loadBalancerPlan(config: ClusterConfig, masters: number): LoadBalancerPlan {
  const zones = config.zones.slice(0, masters);
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
    subnets: zones.map((zone) => `control-${letterOf(zone)}`),
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
    targets: zones.map((zone, place) => ({
      name: `api-${letterOf(zone)}`,
      args: { targetId: masterAddress(config, place), port: ports.apiServer },
    })),
  };
}
