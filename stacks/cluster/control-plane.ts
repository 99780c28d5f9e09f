import { Group } from '@pulumi/aws/autoscaling';
import { Volume } from '@pulumi/aws/ebs';
import { NetworkInterface } from '@pulumi/aws/ec2';
import { ComponentResource, type ComponentResourceOptions, type Resource } from '@pulumi/pulumi';
import { type ControlPlaneMachinePlan } from '../plan';
import { launchTemplate, latestVersionOf, type LaunchTemplateDeps } from './launch-template';
import { requirePart } from './require-part';
import { type Network } from './network';
import { optionsOf } from './resource-options';

/** Arguments of `ControlPlane`. */
export interface ControlPlaneArgs extends LaunchTemplateDeps {
  readonly machines: readonly ControlPlaneMachinePlan[];
  readonly network: Network;
  /** Resources that a control plane node needs at boot: roles, egress, buckets, the API record. */
  readonly dependsOn: readonly Resource[];
}

/** Control plane nodes: persistent interfaces and volumes, and for each an Auto Scaling group of size one that replaces its machine. */
export class ControlPlane extends ComponentResource {
  constructor(name: string, args: ControlPlaneArgs, options?: ComponentResourceOptions) {
    super('pinion:cluster:ControlPlane', name, {}, options);
    for (const machine of args.machines) this.createMachine(machine, args);
    this.registerOutputs({});
  }

  private createMachine(machine: ControlPlaneMachinePlan, args: ControlPlaneArgs): void {
    const { networkInterface, volumes, group } = machine;
    const persistent = [
      new NetworkInterface(
        networkInterface.name,
        {
          ...networkInterface.args,
          subnetId: requirePart(args.network.subnets, networkInterface.subnet),
          securityGroups: [requirePart(args.groups, networkInterface.securityGroup)],
        },
        optionsOf(this, networkInterface),
      ),
      ...volumes.map((plan) => new Volume(plan.name, { ...plan.args, kmsKeyId: args.keyArn }, optionsOf(this, plan))),
    ];
    const template = launchTemplate(this, machine.launchTemplate, args);
    new Group(
      group.name,
      {
        ...group.args,
        vpcZoneIdentifiers: [requirePart(args.network.subnets, group.subnet)],
        launchTemplate: latestVersionOf(template),
        tags: [...group.tags],
      },
      optionsOf(this, group, [...persistent, ...args.dependsOn]),
    );
  }
}
