import * as z from 'zod';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

/** `aws.ec2.RouteTable`. */
export const routeTable = mapping({
  shape: z.strictObject({ vpcId: z.string(), tags }),
  immutable: ['vpcId'],
  async create(aws, { vpcId, tags: own }) {
    const created = await aws.call('ec2', 'CreateRouteTable', { VpcId: vpcId, ...tagsOnCreation('route-table', own) });
    return created.text('RouteTable', 'RouteTableId');
  },
  async read(aws, id) {
    const one = await describeResource(aws, 'DescribeRouteTables', { RouteTableIds: [id] }, 'RouteTables');
    return one && { ...one.fields('vpcId'), tags: tagsOf(one), arn: arnOf(aws, 'route-table', id) };
  },
  update: (aws, id, { tags: own }, before) => retag(aws, id, before, own),
  delete: async (aws, id) => void (await aws.call('ec2', 'DeleteRouteTable', { RouteTableId: id })),
});
