import * as z from 'zod';
import { type Aws } from './aws';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

const ids = z.array(z.string()).min(1).optional();
const idsOf = (list: unknown): readonly string[] => (list ?? []) as readonly string[];

/** `aws.ec2.VpcEndpoint`. */
export const vpcEndpoint = mapping({
  shape: z.strictObject({
    vpcId: z.string(),
    serviceName: z.string(),
    vpcEndpointType: z.enum(['Gateway', 'Interface']),
    privateDnsEnabled: z.boolean().optional(),
    routeTableIds: ids,
    subnetIds: ids,
    securityGroupIds: ids,
    tags,
  }),
  immutable: ['vpcId', 'serviceName', 'vpcEndpointType'],
  async create(aws, inputs) {
    const created = await aws.call('ec2', 'CreateVpcEndpoint', {
      VpcId: inputs.vpcId,
      ServiceName: inputs.serviceName,
      VpcEndpointType: inputs.vpcEndpointType,
      ...(inputs.privateDnsEnabled !== undefined && { PrivateDnsEnabled: inputs.privateDnsEnabled }),
      ...(inputs.routeTableIds && { RouteTableIds: inputs.routeTableIds }),
      ...(inputs.subnetIds && { SubnetIds: inputs.subnetIds }),
      ...(inputs.securityGroupIds && { SecurityGroupIds: inputs.securityGroupIds }),
      ...tagsOnCreation('vpc-endpoint', inputs.tags),
    });
    return created.text('VpcEndpoint', 'VpcEndpointId');
  },
  async read(aws, id) {
    const one = await describeResource(aws, 'DescribeVpcEndpoints', { VpcEndpointIds: [id] }, 'VpcEndpoints');
    if (!one || one.at('State') === 'deleted') return undefined;
    const groups = one.list('Groups').map((group) => group.text('GroupId'));
    return {
      ...one.fields('vpcId', 'serviceName', 'vpcEndpointType', 'privateDnsEnabled'),
      routeTableIds: idsOf(one.at('RouteTableIds')),
      subnetIds: idsOf(one.at('SubnetIds')),
      securityGroupIds: idsOf(groups),
      tags: tagsOf(one),
      ...(one.at('VpcEndpointType') === 'Gateway' && {
        prefixListId: await prefixListOf(aws, one.text('ServiceName')),
      }),
      arn: arnOf(aws, 'vpc-endpoint', id),
    };
  },
  async update(aws, id, inputs, before) {
    const change = (field: 'routeTableIds' | 'subnetIds' | 'securityGroupIds', now: readonly string[] = []) => {
      const previous = idsOf(before[field]);
      return {
        add: now.filter((one) => !previous.includes(one)),
        remove: previous.filter((one) => !now.includes(one)),
      };
    };
    const tables = change('routeTableIds', inputs.routeTableIds);
    const subnets = change('subnetIds', inputs.subnetIds);
    const groups = change('securityGroupIds', inputs.securityGroupIds);
    await aws.call('ec2', 'ModifyVpcEndpoint', {
      VpcEndpointId: id,
      AddRouteTableIds: tables.add,
      RemoveRouteTableIds: tables.remove,
      AddSubnetIds: subnets.add,
      RemoveSubnetIds: subnets.remove,
      AddSecurityGroupIds: groups.add,
      RemoveSecurityGroupIds: groups.remove,
    });
    await retag(aws, id, before, inputs.tags);
  },
  delete: async (aws, id) => void (await aws.call('ec2', 'DeleteVpcEndpoints', { VpcEndpointIds: [id] })),
});

/** Returns the prefix list of the service of a gateway endpoint. */
async function prefixListOf(aws: Aws, service: string): Promise<string> {
  const Filters = [{ Name: 'prefix-list-name', Values: [service] }];
  const [list] = (await aws.call('ec2', 'DescribeManagedPrefixLists', { Filters })).list('PrefixLists');
  return list?.text('PrefixListId') ?? '';
}
