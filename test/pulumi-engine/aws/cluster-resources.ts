import { type AwsResponse } from './aws-response';
import { type Aws } from './aws';

/** Resources of a cluster in AWS. */
export interface ClusterResources {
  readonly groups: readonly {
    readonly name: string;
    /** Desired and current number of machines. */
    readonly wanted: number;
    readonly machines: number;
    /** Launch template version of new machines. */
    readonly version: string;
  }[];
  /** Ids of volumes and interfaces that outlive machines. */
  readonly volumes: readonly string[];
  readonly interfaces: readonly string[];
  readonly buckets: readonly string[];
  readonly roles: readonly string[];
  readonly vpc?: string;
  readonly zone?: string;
}

/** Lists the resources of a cluster: by its tags, or by names with its prefix. */
export async function listClusterResources(aws: Aws, cluster: string): Promise<ClusterResources> {
  const tagged = (key: string, ...Values: string[]) => ({ Name: `tag:${key}`, Values });
  const Filters = [tagged('pinion/cluster', cluster)];
  const hasClusterPrefix = (name: string): boolean => name.startsWith(`${cluster}-`);
  const ids = (list: readonly AwsResponse[], field: string): string[] => list.map((one) => one.text(field)).sort();
  const ec2 = async (operation: string, list: string, more: readonly object[] = []): Promise<AwsResponse[]> =>
    (await aws.call('ec2', operation, { Filters: [...Filters, ...more] })).list(list);
  const groups = (await aws.call('autoscaling', 'DescribeAutoScalingGroups')).list('AutoScalingGroups');
  const zones = (await aws.call('route53', 'ListHostedZones')).list('HostedZones');
  const zone = zones.find((one) => one.text('Name').startsWith(`${cluster}.`));
  const [vpc] = await ec2('DescribeVpcs', 'Vpcs');
  return {
    groups: groups.filter((one) => hasClusterPrefix(one.text('AutoScalingGroupName'))).map(groupOf),
    volumes: ids(await ec2('DescribeVolumes', 'Volumes', [tagged('pinion/etcd', 'main', 'events')]), 'VolumeId'),
    interfaces: ids(
      await ec2('DescribeNetworkInterfaces', 'NetworkInterfaces', [tagged('pinion/interface', 'persistent')]),
      'NetworkInterfaceId',
    ),
    buckets: ids((await aws.call('s3', 'ListBuckets')).list('Buckets'), 'Name').filter(hasClusterPrefix),
    roles: ids((await aws.call('iam', 'ListRoles')).list('Roles'), 'RoleName').filter(hasClusterPrefix),
    ...(vpc && { vpc: vpc.text('VpcId') }),
    ...(zone && { zone: zone.text('Id').replace('/hostedzone/', '') }),
  };
}

const groupOf = (group: AwsResponse): ClusterResources['groups'][number] => ({
  name: group.text('AutoScalingGroupName'),
  wanted: Number(group.at('DesiredCapacity')),
  machines: group.list('Instances').length,
  version: String(
    group.at('LaunchTemplate', 'Version') ??
      group.at('MixedInstancesPolicy', 'LaunchTemplate', 'LaunchTemplateSpecification', 'Version'),
  ),
});
