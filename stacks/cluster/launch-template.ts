import { LaunchTemplate } from '@pulumi/aws/ec2';
import { type Input, type Output, type Resource } from '@pulumi/pulumi';
import { type GroupName, type LaunchTemplatePlan } from '../plan';
import { partNamed } from './lookup';
import { optionsOf } from './resource-options';

/** What every launch template of a cluster refers to. */
export interface MachineParts {
  /** Ids of security groups. */
  readonly groups: ReadonlyMap<GroupName, Output<string>>;
  /** ARN of the key that encrypts volumes. */
  readonly keyArn: Input<string>;
}

/** Makes a launch template as a child of the part that it belongs to. */
export function launchTemplate(parent: Resource, plan: LaunchTemplatePlan, parts: MachineParts): LaunchTemplate {
  const { deviceName, ...volume } = plan.rootVolume;
  return new LaunchTemplate(
    plan.name,
    {
      ...plan.args,
      blockDeviceMappings: [{ deviceName, ebs: { ...volume, kmsKeyId: parts.keyArn } }],
      networkInterfaces: [
        {
          deviceIndex: 0,
          associatePublicIpAddress: 'false',
          deleteOnTermination: 'true',
          securityGroups: [partNamed(parts.groups, plan.securityGroup)],
        },
      ],
      tagSpecifications: plan.tagSpecifications.map(({ resourceType, tags }) => ({ resourceType, tags })),
    },
    optionsOf(parent, plan),
  );
}

/** The version of a template that a group starts machines of. */
export const versionOf = ({ id, latestVersion }: LaunchTemplate) => ({
  id,
  version: latestVersion.apply(String),
});
