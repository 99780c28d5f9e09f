import { letterOf, vpcOf } from './addresses';
import { formatCidr } from './cidr';
import { type ClusterConfig } from './cluster-config';
import { endpointPlans, type EndpointPlan } from './endpoints';
import { loadBalancerPlan, type LoadBalancerPlan } from './load-balancer';
import { apiHost } from './names';
import { type Planned } from './planned';
import { zoneBlocks, type SubnetRole } from './subnet-layout';
import { kubernetesTag, tagsOf, type Tags } from './tags';

/** A subnet, and the route table that says where its packets go. */
export interface SubnetPlan extends Planned<{
  readonly availabilityZone: string;
  readonly cidrBlock: string;
  readonly mapPublicIpOnLaunch: false;
  /** Hosts are called after their instance, so that a node's name says which instance must confirm it. */
  readonly privateDnsHostnameTypeOnLaunch: 'resource-name';
  readonly enableResourceNameDnsARecordOnLaunch: true;
  readonly tags: Tags;
}> {
  readonly role: SubnetRole;
  readonly routeTable: string;
}

/** A route table: where its default route leads, and nowhere outside the VPC where that is left out. */
export interface RouteTablePlan extends Planned<{ readonly tags: Tags }> {
  readonly defaultRoute?: { readonly internetGateway: true } | { readonly natGateway: string };
}

/** A NAT gateway with an address of its own, by its public subnet. */
export interface NatGatewayPlan extends Planned<{ readonly tags: Tags }> {
  readonly subnet: string;
}

/** The private DNS zone, with the name of the API as an alias of the load balancer. */
export interface DnsPlan {
  readonly zone: Planned<{ readonly name: string; readonly comment: string; readonly tags: Tags }>;
  readonly apiRecord: Planned<{ readonly name: string; readonly type: 'A' }>;
}

/** Everything between machines. */
export interface NetworkPlan {
  readonly vpc: Planned<{
    readonly cidrBlock: string;
    readonly enableDnsSupport: true;
    readonly enableDnsHostnames: true;
    readonly tags: Tags;
  }>;
  readonly internetGateway?: Planned<{ readonly tags: Tags }>;
  readonly subnets: readonly SubnetPlan[];
  readonly routeTables: readonly RouteTablePlan[];
  readonly natGateways: readonly NatGatewayPlan[];
  readonly endpoints: readonly EndpointPlan[];
  readonly api: LoadBalancerPlan;
  readonly dns: DnsPlan;
}

/** Plans the network of a cluster with so many masters. */
export function networkPlan(config: ClusterConfig, masters: number): NetworkPlan {
  const open = config.network.egress !== 'endpoints';
  const tags = (label: string, others?: Tags): Tags => tagsOf(config, 'network', label, others);
  const subnets = subnetPlans(config, open ? ['public', 'private', 'control'] : ['private', 'control']);
  return {
    vpc: {
      name: 'vpc',
      args: { cidrBlock: config.network.vpc, enableDnsSupport: true, enableDnsHostnames: true, tags: tags('vpc') },
    },
    ...(open && { internetGateway: { name: 'internet', args: { tags: tags('internet') } } }),
    subnets,
    routeTables: routeTablePlans(config),
    natGateways: natZones(config).map((zone) => ({
      name: `nat-${letterOf(zone)}`,
      args: { tags: tags(`nat-${letterOf(zone)}`) },
      subnet: `public-${letterOf(zone)}`,
    })),
    endpoints: endpointPlans(config),
    api: loadBalancerPlan(config, masters),
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
  return config.zones.flatMap((zone, place) =>
    roles.map((role): SubnetPlan => {
      const name = `${role}-${letterOf(zone)}`;
      return {
        name,
        role,
        routeTable: role === 'public' ? 'public' : `private-${letterOf(zone)}`,
        args: {
          availabilityZone: zone,
          cidrBlock: formatCidr(zoneBlocks(vpc, place)[role]),
          mapPublicIpOnLaunch: false,
          privateDnsHostnameTypeOnLaunch: 'resource-name',
          enableResourceNameDnsARecordOnLaunch: true,
          tags: tagsOf(config, 'network', name, subnetTags(config.name, role)),
        },
      };
    }),
  );
}

/** By these the cloud controller manager finds subnets for the load balancers of services; masters' are not for them. */
const subnetTags = (cluster: string, role: SubnetRole): Tags =>
  role === 'control'
    ? {}
    : {
        [kubernetesTag(cluster)]: 'shared',
        [role === 'public' ? 'kubernetes.io/role/elb' : 'kubernetes.io/role/internal-elb']: '1',
      };

const natZones = ({ zones, network }: ClusterConfig): readonly string[] =>
  network.egress === 'endpoints' ? [] : network.egress === 'one-nat' ? zones.slice(0, 1) : zones;

function routeTablePlans(config: ClusterConfig): RouteTablePlan[] {
  const nats = natZones(config).map(letterOf);
  const table = (name: string, route: Pick<RouteTablePlan, 'defaultRoute'>): RouteTablePlan => ({
    name,
    args: { tags: tagsOf(config, 'network', name) },
    ...route,
  });
  const ofZones = config.zones.map(letterOf).map((letter) => {
    const nat = nats.includes(letter) ? letter : nats[0];
    return table(`private-${letter}`, nat === undefined ? {} : { defaultRoute: { natGateway: `nat-${nat}` } });
  });
  return nats.length === 0 ? ofZones : [table('public', { defaultRoute: { internetGateway: true } }), ...ofZones];
}
