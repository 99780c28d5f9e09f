import { type ClusterConfig } from './cluster-config';
import { bucketArn } from './names';
import { type Planned } from './planned';
import { tagsOf, type Tags } from './tags';

/** Packets that were refused, written to the log bucket. */
export type FlowLogPlan = Planned<{
  readonly trafficType: 'REJECT';
  readonly logDestinationType: 's3';
  readonly logDestination: string;
  readonly maxAggregationInterval: 600;
  readonly tags: Tags;
}>;

/** Plans the flow log of the VPC. */
export const flowLogPlan = (config: ClusterConfig): FlowLogPlan => ({
  name: 'refused',
  args: {
    trafficType: 'REJECT',
    logDestinationType: 's3',
    logDestination: bucketArn(config, 'logs'),
    maxAggregationInterval: 600,
    tags: tagsOf(config, 'network', 'refused'),
  },
});
