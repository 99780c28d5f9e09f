import * as z from 'zod';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

/** `aws.ec2.SecurityGroup` without inline rules. */
export const securityGroup = mapping({
  shape: z.strictObject({ vpcId: z.string(), name: z.string().max(255), description: z.string().max(255), tags }),
  immutable: ['vpcId', 'name', 'description'],
  async create(aws, { vpcId, name, description, tags: own }) {
    const created = await aws.call('ec2', 'CreateSecurityGroup', {
      VpcId: vpcId,
      GroupName: name,
      Description: description,
      ...tagsOnCreation('security-group', own),
    });
    const GroupId = created.text('GroupId');
    // The provider removes the default egress rule of every new group.
    const allTraffic = { IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] };
    await aws.call('ec2', 'RevokeSecurityGroupEgress', { GroupId, IpPermissions: [allTraffic] });
    return GroupId;
  },
  async read(aws, id) {
    const one = await describeResource(aws, 'DescribeSecurityGroups', { GroupIds: [id] }, 'SecurityGroups');
    if (!one) return undefined;
    return {
      ...one.fields('vpcId', 'description'),
      name: one.at('GroupName'),
      tags: tagsOf(one),
      arn: arnOf(aws, 'security-group', id),
    };
  },
  update: (aws, id, { tags: own }, before) => retag(aws, id, before, own),
  delete: async (aws, id) => void (await aws.call('ec2', 'DeleteSecurityGroup', { GroupId: id })),
});
