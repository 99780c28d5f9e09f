import * as z from 'zod';
import { type Values } from '../cloud';
import { describeResource } from './find-resource';
import { mapping } from './mapping';

const target = ({ gatewayId, natGatewayId }: Values): Values => ({
  ...(gatewayId !== undefined && { GatewayId: gatewayId }),
  ...(natGatewayId !== undefined && { NatGatewayId: natGatewayId }),
});

/** `aws.ec2.Route`. */
export const route = mapping({
  shape: z.strictObject({
    routeTableId: z.string(),
    destinationCidrBlock: z.cidrv4(),
    gatewayId: z.string().optional(),
    natGatewayId: z.string().optional(),
  }),
  immutable: ['routeTableId', 'destinationCidrBlock'],
  async create(aws, inputs) {
    const { routeTableId, destinationCidrBlock } = inputs;
    const routeKey = { RouteTableId: routeTableId, DestinationCidrBlock: destinationCidrBlock };
    await aws.call('ec2', 'CreateRoute', { ...routeKey, ...target(inputs) });
    return `r-${routeTableId}-${destinationCidrBlock}`;
  },
  async read(aws, _id, { routeTableId, destinationCidrBlock }) {
    const table = await describeResource(aws, 'DescribeRouteTables', { RouteTableIds: [routeTableId] }, 'RouteTables');
    const one = table?.list('Routes').find((each) => each.at('DestinationCidrBlock') === destinationCidrBlock);
    return one && { routeTableId, ...one.fields('destinationCidrBlock', 'gatewayId', 'natGatewayId', 'state') };
  },
  async update(aws, _id, inputs) {
    const routeKey = { RouteTableId: inputs.routeTableId, DestinationCidrBlock: inputs.destinationCidrBlock };
    await aws.call('ec2', 'ReplaceRoute', { ...routeKey, ...target(inputs) });
  },
  async delete(aws, _id, { routeTableId, destinationCidrBlock }) {
    const routeKey = { RouteTableId: routeTableId, DestinationCidrBlock: destinationCidrBlock };
    await aws.call('ec2', 'DeleteRoute', routeKey);
  },
});
