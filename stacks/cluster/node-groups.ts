import { Group, LifecycleHook } from '@pulumi/aws/autoscaling';
import { type LaunchTemplate } from '@pulumi/aws/ec2';
import { EventRule, EventTarget } from '@pulumi/aws/cloudwatch';
import { Queue, QueuePolicy } from '@pulumi/aws/sqs';
import { ComponentResource, type ComponentResourceOptions, type Input, type Resource } from '@pulumi/pulumi';
import { type DrainQueuePlan, type NodePoolPlan, type SpotNoticesPlan, type WorkerGroupPlan } from '../plan';
import { launchTemplate, latestVersionOf, type LaunchTemplateDeps } from './launch-template';
import { requirePart } from './require-part';
import { type Network } from './network';
import { optionsOf } from './resource-options';

/** Arguments of `NodeGroups`. */
export interface NodeGroupsArgs extends LaunchTemplateDeps {
  readonly plans: readonly NodePoolPlan[];
  readonly drainQueue: DrainQueuePlan;
  readonly spotNotices?: SpotNoticesPlan;
  readonly network: Network;
  /** ARN of the role that Auto Scaling assumes to send notices of terminating nodes. */
  readonly notifierArn: Input<string>;
  /** Resources that a worker needs at boot. */
  readonly dependsOn: readonly Resource[];
}

/** Auto Scaling groups of workers, and the queue of terminating nodes. */
export class NodeGroups extends ComponentResource {
  constructor(name: string, args: NodeGroupsArgs, options?: ComponentResourceOptions) {
    super('pinion:cluster:NodeGroups', name, {}, options);
    const { drainQueue, notifierArn, spotNotices } = args;
    const queue = new Queue(drainQueue.name, drainQueue.args, optionsOf(this, drainQueue));
    if (spotNotices) this.subscribe(spotNotices, queue);
    for (const { group, drainHook, ...plan } of args.plans) {
      const created = this.group(group, launchTemplate(this, plan.launchTemplate, args), args);
      new LifecycleHook(
        drainHook.name,
        {
          ...drainHook.args,
          autoscalingGroupName: created.name,
          notificationTargetArn: queue.arn,
          roleArn: notifierArn,
        },
        // AWS sends a test message when it creates the hook.
        optionsOf(this, drainHook, args.dependsOn),
      );
    }
    this.registerOutputs({});
  }

  private subscribe({ rule, target, queuePolicy }: SpotNoticesPlan, queue: Queue): void {
    const created = new EventRule(rule.name, rule.args, optionsOf(this, rule));
    const options = optionsOf(this, queuePolicy);
    const policy = new QueuePolicy(queuePolicy.name, { ...queuePolicy.args, queueUrl: queue.url }, options);
    new EventTarget(target.name, { ...target.args, arn: queue.arn }, optionsOf(this, target, [created, policy]));
  }

  private group(plan: WorkerGroupPlan, template: LaunchTemplate, { network, dependsOn }: NodeGroupsArgs): Group {
    const { id, version } = latestVersionOf(template);
    const { mixedInstances } = plan;
    return new Group(
      plan.name,
      {
        ...plan.args,
        vpcZoneIdentifiers: plan.subnets.map((subnet) => requirePart(network.subnets, subnet)),
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
      optionsOf(this, plan, dependsOn),
    );
  }
}
