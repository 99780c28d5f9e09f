import * as z from 'zod';
import { describeResource } from './find-resource';
import { mapping } from './mapping';

/** `aws.ec2.RouteTableAssociation`. */
export const routeTableAssociation = mapping({
  shape: z.strictObject({ subnetId: z.string(), routeTableId: z.string() }),
  immutable: ['subnetId', 'routeTableId'],
  async create(aws, { subnetId, routeTableId }) {
    const created = await aws.call('ec2', 'AssociateRouteTable', { SubnetId: subnetId, RouteTableId: routeTableId });
    return created.text('AssociationId');
  },
  async read(aws, id, { routeTableId }) {
    const table = await describeResource(aws, 'DescribeRouteTables', { RouteTableIds: [routeTableId] }, 'RouteTables');
    const one = table?.list('Associations').find((each) => each.at('RouteTableAssociationId') === id);
    return one?.fields('subnetId', 'routeTableId');
  },
  delete: async (aws, id) => void (await aws.call('ec2', 'DisassociateRouteTable', { AssociationId: id })),
});
