import * as z from 'zod';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

/** `aws.ec2.InternetGateway`. */
export const internetGateway = mapping({
  shape: z.strictObject({ vpcId: z.string(), tags }),
  immutable: ['vpcId'],
  async create(aws, { vpcId, tags: own }) {
    const created = await aws.call('ec2', 'CreateInternetGateway', tagsOnCreation('internet-gateway', own));
    const InternetGatewayId = created.text('InternetGateway', 'InternetGatewayId');
    await aws.call('ec2', 'AttachInternetGateway', { InternetGatewayId, VpcId: vpcId });
    return InternetGatewayId;
  },
  async read(aws, id) {
    const one = await describeResource(
      aws,
      'DescribeInternetGateways',
      { InternetGatewayIds: [id] },
      'InternetGateways',
    );
    if (!one) return undefined;
    return {
      vpcId: one.list('Attachments')[0]?.at('VpcId'),
      tags: tagsOf(one),
      arn: arnOf(aws, 'internet-gateway', id),
    };
  },
  update: (aws, id, { tags: own }, before) => retag(aws, id, before, own),
  async delete(aws, id, { vpcId }) {
    await aws.call('ec2', 'DetachInternetGateway', { InternetGatewayId: id, VpcId: vpcId });
    await aws.call('ec2', 'DeleteInternetGateway', { InternetGatewayId: id });
  },
});
