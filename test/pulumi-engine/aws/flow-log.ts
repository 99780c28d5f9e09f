import * as z from 'zod';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

/** `aws.ec2.FlowLog`. */
export const flowLog = mapping({
  shape: z.strictObject({
    vpcId: z.string(),
    trafficType: z.enum(['ACCEPT', 'REJECT', 'ALL']),
    logDestinationType: z.literal('s3'),
    logDestination: z.string(),
    maxAggregationInterval: z.literal([60, 600]),
    tags,
  }),
  immutable: ['vpcId', 'trafficType', 'logDestinationType', 'logDestination', 'maxAggregationInterval'],
  async create(aws, inputs) {
    const created = await aws.call('ec2', 'CreateFlowLogs', {
      ResourceIds: [inputs.vpcId],
      ResourceType: 'VPC',
      TrafficType: inputs.trafficType,
      LogDestinationType: inputs.logDestinationType,
      LogDestination: inputs.logDestination,
      MaxAggregationInterval: inputs.maxAggregationInterval,
      ...tagsOnCreation('vpc-flow-log', inputs.tags),
    });
    // The response is successful even if nothing was created.
    const [failed] = created.list('Unsuccessful');
    if (failed) throw new Error(`CreateFlowLogs: ${failed.text('Error', 'Message')}`);
    return String((created.at('FlowLogIds') as readonly string[])[0]);
  },
  async read(aws, id) {
    const one = await describeResource(aws, 'DescribeFlowLogs', { FlowLogIds: [id] }, 'FlowLogs');
    if (!one) return undefined;
    return {
      ...one.fields('trafficType', 'logDestinationType', 'logDestination', 'maxAggregationInterval'),
      vpcId: one.at('ResourceId'),
      tags: tagsOf(one),
      arn: arnOf(aws, 'vpc-flow-log', id),
    };
  },
  update: (aws, id, { tags: own }, before) => retag(aws, id, before, own),
  delete: async (aws, id) => void (await aws.call('ec2', 'DeleteFlowLogs', { FlowLogIds: [id] })),
});
