import * as z from 'zod';
import { describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

/** `aws.ec2.NatGateway`. */
export const natGateway = mapping({
  shape: z.strictObject({ subnetId: z.string(), allocationId: z.string(), tags }),
  immutable: ['subnetId', 'allocationId'],
  async create(aws, { subnetId, allocationId, tags: own }) {
    const created = await aws.call('ec2', 'CreateNatGateway', {
      SubnetId: subnetId,
      AllocationId: allocationId,
      ...tagsOnCreation('natgateway', own),
    });
    return created.text('NatGateway', 'NatGatewayId');
  },
  async read(aws, id) {
    const one = await describeResource(aws, 'DescribeNatGateways', { NatGatewayIds: [id] }, 'NatGateways');
    if (!one || one.at('State') === 'deleted') return undefined;
    return {
      ...one.fields('subnetId'),
      allocationId: one.list('NatGatewayAddresses')[0]?.at('AllocationId'),
      tags: tagsOf(one),
    };
  },
  update: (aws, id, { tags: own }, before) => retag(aws, id, before, own),
  delete: async (aws, id) => void (await aws.call('ec2', 'DeleteNatGateway', { NatGatewayId: id })),
});
