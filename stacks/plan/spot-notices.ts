import { type ClusterCapacity } from './capacity';
import { type ClusterConfig } from './cluster-config';
import { drainQueueName, regionalArn } from './names';
import { type Planned } from './planned';
import { tagsOf, type Tags } from './tags';

/** What tells the drain queue of spot machines that AWS takes: two minutes before it does, and by no hook of their group. */
export interface SpotNoticesPlan {
  readonly rule: Planned<{
    readonly name: string;
    readonly description: string;
    readonly eventPattern: string;
    readonly tags: Tags;
  }>;
  readonly target: Planned<{ readonly rule: string }>;
  /** Lets this rule, and no other, write to the queue. */
  readonly queuePolicy: Planned<{ readonly policy: string }>;
}

/** Plans the notices of spot machines; undefined where no pool has any. */
export function spotNoticesPlan(config: ClusterConfig, { nodeGroups }: ClusterCapacity): SpotNoticesPlan | undefined {
  if (nodeGroups.every(({ kind }) => kind !== 'spot')) return undefined;
  const name = 'spot-notices';
  const rule = `${config.name}-${name}`;
  const statement = {
    Sid: 'TellOfSpotMachines',
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
        description: `Spot machines that AWS takes, told to the drain queue of the cluster ${config.name}`,
        // It tells of those of the whole region: which of them are nodes, the drain consumer sees.
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
