import { letterOf, vpcOf } from './addresses';
import { formatCidr } from './cidr';
import { type ClusterConfig } from '../config/cluster-config';
import { endpointPlans, type EndpointPlan } from './endpoints';
import { loadBalancerPlan, type LoadBalancerPlan } from './load-balancer';
import { apiHost, bucketArn } from '../names';
import { type PlannedResource } from '../planned-resource';
import { zoneBlocks, type SubnetRole } from './subnet-layout';
import { kubernetesTag, tagsOf, type Tags } from '../tags';

/** Subnet with its route table. */
export interface SubnetPlan extends PlannedResource<{
  readonly availabilityZone: string;
  readonly cidrBlock: string;
  readonly mapPublicIpOnLaunch: false;
  /** Host names contain the instance ID, with which the node approver verifies nodes. */
  readonly privateDnsHostnameTypeOnLaunch: 'resource-name';
  readonly enableResourceNameDnsARecordOnLaunch: true;
  readonly tags: Tags;
}> {
  readonly role: SubnetRole;
  readonly routeTable: string;
}

/** Route table; without a default route it stays within the VPC. */
export interface RouteTablePlan extends PlannedResource<{ readonly tags: Tags }> {
  readonly defaultRoute?: { readonly internetGateway: true } | { readonly natGateway: string };
}

/** NAT gateway with an elastic IP in a public subnet. */
export interface NatGatewayPlan extends PlannedResource<{ readonly tags: Tags }> {
  readonly subnet: string;
}

/** Private hosted zone with an alias record of the API load balancer. */
export interface DnsPlan {
  readonly zone: PlannedResource<{ readonly name: string; readonly comment: string; readonly tags: Tags }>;
  readonly apiRecord: PlannedResource<{ readonly name: string; readonly type: 'A' }>;
}

/** Network of a cluster. */
export interface NetworkPlan {
  readonly vpc: PlannedResource<{
    readonly cidrBlock: string;
    readonly enableDnsSupport: true;
    readonly enableDnsHostnames: true;
    readonly tags: Tags;
  }>;
  readonly internetGateway?: PlannedResource<{ readonly tags: Tags }>;
  readonly subnets: readonly SubnetPlan[];
  readonly routeTables: readonly RouteTablePlan[];
  readonly natGateways: readonly NatGatewayPlan[];
  readonly endpoints: readonly EndpointPlan[];
  readonly api: LoadBalancerPlan;
  readonly dns: DnsPlan;
}

/** Plans the network of a cluster. */
export function networkPlan(config: ClusterConfig, controlPlaneNodes: number): NetworkPlan {
  const hasNat = config.network.egress !== 'endpoints';
  const tags = (label: string, others?: Tags): Tags => tagsOf(config, 'network', label, others);
  const subnets = subnetPlans(config, hasNat ? ['public', 'private', 'control-plane'] : ['private', 'control-plane']);
  return {
    vpc: {
      name: 'vpc',
      args: { cidrBlock: config.network.vpc, enableDnsSupport: true, enableDnsHostnames: true, tags: tags('vpc') },
    },
    ...(hasNat && { internetGateway: { name: 'internet', args: { tags: tags('internet') } } }),
    subnets,
    routeTables: routeTablePlans(config),
    natGateways: natZones(config).map((zone) => ({
      name: `nat-${letterOf(zone)}`,
      args: { tags: tags(`nat-${letterOf(zone)}`) },
      subnet: `public-${letterOf(zone)}`,
    })),
    endpoints: endpointPlans(config),
    api: loadBalancerPlan(config, controlPlaneNodes),
    dns: {
      zone: {
        name: 'zone',
        args: { name: config.domain, comment: `Private zone of the cluster ${config.name}`, tags: tags('zone') },
      },
      apiRecord: { name: 'api-record', args: { name: apiHost(config), type: 'A' } },
    },
  };
}

function subnetPlans(config: ClusterConfig, roles: readonly SubnetRole[]): SubnetPlan[] {
  const vpc = vpcOf(config);
  return config.zones.flatMap((zone, index) =>
    roles.map((role): SubnetPlan => {
      const name = `${role}-${letterOf(zone)}`;
      return {
        name,
        role,
        routeTable: role === 'public' ? 'public' : `private-${letterOf(zone)}`,
        args: {
          availabilityZone: zone,
          cidrBlock: formatCidr(zoneBlocks(vpc, index)[role]),
          mapPublicIpOnLaunch: false,
          privateDnsHostnameTypeOnLaunch: 'resource-name',
          enableResourceNameDnsARecordOnLaunch: true,
          tags: tagsOf(config, 'network', name, subnetTags(config.name, role)),
        },
      };
    }),
  );
}

/** Returns the tags with which the cloud controller manager finds subnets of service load balancers. */
const subnetTags = (cluster: string, role: SubnetRole): Tags =>
  role === 'control-plane'
    ? {}
    : {
        [kubernetesTag(cluster)]: 'shared',
        [role === 'public' ? 'kubernetes.io/role/elb' : 'kubernetes.io/role/internal-elb']: '1',
      };

/** Returns the blocks of the subnets of workers, in which the cloud controller manager creates internal load balancers. */
export const privateSubnetBlocks = (config: Pick<ClusterConfig, 'network' | 'zones'>): string[] =>
  config.zones.map((_, index) => formatCidr(zoneBlocks(vpcOf(config), index).private));

const natZones = ({ zones, network }: ClusterConfig): readonly string[] =>
  network.egress === 'endpoints' ? [] : network.egress === 'one-nat' ? zones.slice(0, 1) : zones;

function routeTablePlans(config: ClusterConfig): RouteTablePlan[] {
  const nats = natZones(config).map(letterOf);
  const table = (name: string, route: Pick<RouteTablePlan, 'defaultRoute'>): RouteTablePlan => ({
    name,
    args: { tags: tagsOf(config, 'network', name) },
    ...route,
  });
  const zoneTables = config.zones.map(letterOf).map((letter) => {
    const nat = nats.includes(letter) ? letter : nats[0];
    return table(`private-${letter}`, nat === undefined ? {} : { defaultRoute: { natGateway: `nat-${nat}` } });
  });
  return nats.length === 0 ? zoneTables : [table('public', { defaultRoute: { internetGateway: true } }), ...zoneTables];
}

/** Flow log of rejected packets in the log bucket. */
export type FlowLogPlan = PlannedResource<{
  readonly trafficType: 'REJECT';
  readonly logDestinationType: 's3';
  readonly logDestination: string;
  readonly maxAggregationInterval: 600;
  readonly tags: Tags;
}>;

/** Plans the flow log of the VPC. */
export const flowLogPlan = (config: ClusterConfig): FlowLogPlan => ({
  name: 'refused',
  args: {
    trafficType: 'REJECT',
    logDestinationType: 's3',
    logDestination: bucketArn(config, 'logs'),
    maxAggregationInterval: 600,
    tags: tagsOf(config, 'network', 'refused'),
  },
});
