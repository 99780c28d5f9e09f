import { Group, LifecycleHook } from '@pulumi/aws/autoscaling';
import { type LaunchTemplate } from '@pulumi/aws/ec2';
import { EventRule, EventTarget } from '@pulumi/aws/cloudwatch';
import { Queue, QueuePolicy } from '@pulumi/aws/sqs';
import { ComponentResource, type ComponentResourceOptions, type Input, type Resource } from '@pulumi/pulumi';
import { type DrainQueuePlan, type NodeGroupPlan, type SpotNoticesPlan, type WorkerGroupPlan } from '../plan';
import { launchTemplate, versionOf, type MachineParts } from './launch-template';
import { partNamed } from './lookup';
import { type Network } from './network';
import { optionsOf } from './resource-options';

/** What node groups are made from. */
export interface NodeGroupsArgs extends MachineParts {
  readonly plans: readonly NodeGroupPlan[];
  readonly drainQueue: DrainQueuePlan;
  readonly spotNotices?: SpotNoticesPlan;
  readonly network: Network;
  /** ARN of the role by which Auto Scaling tells of nodes that go. */
  readonly notifierArn: Input<string>;
  /** What a worker needs from its first second. */
  readonly waitsFor: readonly Resource[];
}

/** The Auto Scaling groups of workers, and the queue that tells of those that go. */
export class NodeGroups extends ComponentResource {
  constructor(name: string, args: NodeGroupsArgs, options?: ComponentResourceOptions) {
    super('pinion:cluster:NodeGroups', name, {}, options);
    const { drainQueue, notifierArn, spotNotices } = args;
    const queue = new Queue(drainQueue.name, drainQueue.args, optionsOf(this, drainQueue));
    if (spotNotices) this.tell(spotNotices, queue);
    for (const { group, drainHook, ...plan } of args.plans) {
      const made = this.group(group, launchTemplate(this, plan.launchTemplate, args), args);
      new LifecycleHook(
        drainHook.name,
        {
          ...drainHook.args,
          autoscalingGroupName: made.name,
          notificationTargetArn: queue.arn,
          roleArn: notifierArn,
        },
        // AWS tries a message when it makes the hook.
        optionsOf(this, drainHook, args.waitsFor),
      );
    }
    this.registerOutputs({});
  }

  private tell({ rule, target, queuePolicy }: SpotNoticesPlan, queue: Queue): void {
    const made = new EventRule(rule.name, rule.args, optionsOf(this, rule));
    const options = optionsOf(this, queuePolicy);
    const policy = new QueuePolicy(queuePolicy.name, { ...queuePolicy.args, queueUrl: queue.url }, options);
    new EventTarget(target.name, { ...target.args, arn: queue.arn }, optionsOf(this, target, [made, policy]));
  }

  private group(plan: WorkerGroupPlan, template: LaunchTemplate, { network, waitsFor }: NodeGroupsArgs): Group {
    const { id, version } = versionOf(template);
    const { mixedInstances } = plan;
    return new Group(
      plan.name,
      {
        ...plan.args,
        vpcZoneIdentifiers: plan.subnets.map((subnet) => partNamed(network.subnets, subnet)),
        ...(mixedInstances
          ? {
              mixedInstancesPolicy: {
                instancesDistribution: mixedInstances.instancesDistribution,
                launchTemplate: {
                  launchTemplateSpecification: { launchTemplateId: id, version },
                  overrides: [...mixedInstances.overrides],
                },
              },
            }
          : { launchTemplate: { id, version } }),
        tags: [...plan.tags],
      },
      optionsOf(this, plan, waitsFor),
    );
  }
}
