import { letterOf } from './addresses';
import { type ClusterConfig } from '../config/cluster-config';
import { type PlannedResource } from '../planned-resource';
import { tagsOf, type Tags } from '../tags';

/** VPC endpoint of an AWS service. */
export interface EndpointPlan extends PlannedResource<{
  readonly serviceName: string;
  readonly vpcEndpointType: 'Gateway' | 'Interface';
  readonly privateDnsEnabled?: true;
  readonly tags: Tags;
}> {
  /** Route tables of a gateway endpoint. */
  readonly routeTables?: readonly string[];
  /** Subnets of an interface endpoint. */
  readonly subnets?: readonly string[];
}

/** AWS services that machines of the cluster call, S3 excluded. */
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

/** Plans VPC endpoints: the free S3 gateway always, all others if there is no NAT. */
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
