import { LaunchTemplate } from '@pulumi/aws/ec2';
import { type Input, type Output, type Resource } from '@pulumi/pulumi';
import { type GroupName, type LaunchTemplatePlan } from '../plan';
import { requirePart } from './require-part';
import { optionsOf } from './resource-options';

/** Resources that launch templates refer to. */
export interface LaunchTemplateDeps {
  /** IDs of security groups. */
  readonly groups: ReadonlyMap<GroupName, Output<string>>;
  /** ARN of the key for volumes. */
  readonly keyArn: Input<string>;
}

/** Creates a launch template as a child of a component. */
export function launchTemplate(parent: Resource, plan: LaunchTemplatePlan, deps: LaunchTemplateDeps): LaunchTemplate {
  const { deviceName, ...volume } = plan.rootVolume;
  return new LaunchTemplate(
    plan.name,
    {
      ...plan.args,
      blockDeviceMappings: [{ deviceName, ebs: { ...volume, kmsKeyId: deps.keyArn } }],
      networkInterfaces: [
        {
          deviceIndex: 0,
          associatePublicIpAddress: 'false',
          deleteOnTermination: 'true',
          securityGroups: [requirePart(deps.groups, plan.securityGroup)],
        },
      ],
      tagSpecifications: plan.tagSpecifications.map(({ resourceType, tags }) => ({ resourceType, tags })),
    },
    optionsOf(parent, plan),
  );
}

/** Returns ID and latest version of a launch template, as Auto Scaling groups refer to it. */
export const latestVersionOf = ({ id, latestVersion }: LaunchTemplate) => ({
  id,
  version: latestVersion.apply(String),
});
