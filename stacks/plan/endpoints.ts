import { letterOf } from './addresses';
import { type ClusterConfig } from './cluster-config';
import { type Planned } from './planned';
import { tagsOf, type Tags } from './tags';

/** A way to a service of AWS that stays within the VPC. */
export interface EndpointPlan extends Planned<{
  readonly serviceName: string;
  readonly vpcEndpointType: 'Gateway' | 'Interface';
  readonly privateDnsEnabled?: true;
  readonly tags: Tags;
}> {
  /** Route tables that lead to a gateway. */
  readonly routeTables?: readonly string[];
  /** Subnets with an address of an interface. */
  readonly subnets?: readonly string[];
}

/** Services of AWS that machines of the cluster call; the bucket's gateway costs nothing and is always there. */
const interfaceServices = [
  'autoscaling',
  'ec2',
  'ecr.api',
  'ecr.dkr',
  'elasticloadbalancing',
  'kms',
  'sqs',
  'ssm',
  'ssmmessages',
  'sts',
] as const;

/** Plans the ways to services of AWS: the gateway to buckets always, all others where there is no NAT. */
export function endpointPlans(config: ClusterConfig): EndpointPlan[] {
  const { region, zones, network } = config;
  const service = (name: string): string => `com.amazonaws.${region}.${name}`;
  const gateway: EndpointPlan = {
    name: 'endpoint-s3',
    args: {
      serviceName: service('s3'),
      vpcEndpointType: 'Gateway',
      tags: tagsOf(config, 'network', 'endpoint-s3'),
    },
    routeTables: zones.map((zone) => `private-${letterOf(zone)}`),
  };
  if (network.egress !== 'endpoints') return [gateway];
  const interfaces = interfaceServices.map((name): EndpointPlan => {
    const label = `endpoint-${name.replace('.', '-')}`;
    return {
      name: label,
      args: {
        serviceName: service(name),
        vpcEndpointType: 'Interface',
        privateDnsEnabled: true,
        tags: tagsOf(config, 'network', label),
      },
      subnets: zones.map((zone) => `private-${letterOf(zone)}`),
    };
  });
  return [gateway, ...interfaces];
}
