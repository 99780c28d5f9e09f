import { Group } from '@pulumi/aws/autoscaling';
import { Volume } from '@pulumi/aws/ebs';
import { NetworkInterface } from '@pulumi/aws/ec2';
import { ComponentResource, type ComponentResourceOptions, type Resource } from '@pulumi/pulumi';
import { type MasterPlan } from '../plan';
import { launchTemplate, versionOf, type MachineParts } from './launch-template';
import { partNamed } from './lookup';
import { type Network } from './network';
import { optionsOf } from './resource-options';

/** What masters are made from. */
export interface ControlPlaneArgs extends MachineParts {
  readonly masters: readonly MasterPlan[];
  readonly network: Network;
  /** What a master needs from its first second: roles, ways out, buckets, the name of the API. */
  readonly waitsFor: readonly Resource[];
}

/** The masters: interfaces and volumes that stay, and a group of one for each that replaces its machine. */
export class ControlPlane extends ComponentResource {
  constructor(name: string, args: ControlPlaneArgs, options?: ComponentResourceOptions) {
    super('pinion:cluster:ControlPlane', name, {}, options);
    for (const master of args.masters) this.master(master, args);
    this.registerOutputs({});
  }

  private master(master: MasterPlan, args: ControlPlaneArgs): void {
    const { networkInterface: own, volumes, group } = master;
    const stays = [
      new NetworkInterface(
        own.name,
        {
          ...own.args,
          subnetId: partNamed(args.network.subnets, own.subnet),
          securityGroups: [partNamed(args.groups, own.securityGroup)],
        },
        optionsOf(this, own),
      ),
      ...volumes.map((plan) => new Volume(plan.name, { ...plan.args, kmsKeyId: args.keyArn }, optionsOf(this, plan))),
    ];
    const template = launchTemplate(this, master.launchTemplate, args);
    new Group(
      group.name,
      {
        ...group.args,
        vpcZoneIdentifiers: [partNamed(args.network.subnets, group.subnet)],
        launchTemplate: versionOf(template),
        tags: [...group.tags],
      },
      optionsOf(this, group, [...stays, ...args.waitsFor]),
    );
  }
}
