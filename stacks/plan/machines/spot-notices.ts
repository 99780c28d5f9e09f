import { type ClusterCapacity } from './cluster-capacity';
import { type ClusterConfig } from '../config/cluster-config';
import { drainQueueName, regionalArn } from '../names';
import { type PlannedResource } from '../planned-resource';
import { tagsOf, type Tags } from '../tags';

/** EventBridge rule that sends spot interruption warnings, two minutes ahead, to the drain queue; lifecycle hooks do not cover them. */
export interface SpotNoticesPlan {
  readonly rule: PlannedResource<{
    readonly name: string;
    readonly description: string;
    readonly eventPattern: string;
    readonly tags: Tags;
  }>;
  readonly target: PlannedResource<{ readonly rule: string }>;
  /** Lets only this rule write to the queue. */
  readonly queuePolicy: PlannedResource<{ readonly policy: string }>;
}

/** Plans spot interruption notices. Returns undefined if no pool uses spot instances. */
export function spotNoticesPlan(config: ClusterConfig, { nodeGroups }: ClusterCapacity): SpotNoticesPlan | undefined {
  if (nodeGroups.every(({ kind }) => kind !== 'spot')) return undefined;
  const name = 'spot-notices';
  const rule = `${config.name}-${name}`;
  const statement = {
    Sid: 'NotifyDrainQueue',
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: regionalArn(config, 'sqs', drainQueueName(config.name)),
    Condition: { ArnEquals: { 'aws:SourceArn': regionalArn(config, 'events', `rule/${rule}`) } },
  };
  return {
    rule: {
      name,
      args: {
        name: rule,
        description: `Spot interruption warnings for the drain queue of the cluster ${config.name}`,
        // Matches all instances of the region; the drain consumer filters those that are nodes.
        eventPattern: JSON.stringify({
          source: ['aws.ec2'],
          'detail-type': ['EC2 Spot Instance Interruption Warning'],
        }),
        tags: tagsOf(config, 'nodes', name),
      },
    },
    target: { name, args: { rule } },
    queuePolicy: { name: 'drain', args: { policy: JSON.stringify({ Version: '2012-10-17', Statement: [statement] }) } },
  };
}
