import { type ClusterConfig } from '../config/cluster-config';
import { accountArn, keyAlias } from '../names';
import { type PlannedResource } from '../planned-resource';
import { tagsOf, type Tags } from '../tags';

/** KMS key of volumes, parameters and snapshots. */
export interface EncryptionKeyPlan {
  readonly key: PlannedResource<{
    readonly description: string;
    readonly enableKeyRotation: true;
    readonly deletionWindowInDays: number;
    readonly policy: string;
    readonly tags: Tags;
  }>;
  readonly alias: PlannedResource<{ readonly name: string }>;
}

/** Actions that the account may delegate to its users and roles; without them the key becomes unmanageable. */
const accountActions = [
  'kms:CancelKeyDeletion',
  'kms:CreateAlias',
  'kms:CreateGrant',
  'kms:Decrypt',
  'kms:DeleteAlias',
  'kms:DescribeKey',
  'kms:EnableKeyRotation',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:GetKeyPolicy',
  'kms:GetKeyRotationStatus',
  'kms:ListGrants',
  'kms:ListResourceTags',
  'kms:PutKeyPolicy',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
  'kms:RevokeGrant',
  'kms:ScheduleKeyDeletion',
  'kms:TagResource',
  'kms:UntagResource',
  'kms:UpdateAlias',
  'kms:UpdateKeyDescription',
];

/** Actions that Auto Scaling needs for encrypted root volumes. */
const launchActions = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/** Plans the KMS key. */
export function encryptionKeyPlan(config: ClusterConfig): EncryptionKeyPlan {
  return {
    key: {
      name: 'key',
      protect: true,
      args: {
        description: `Volumes, parameters and snapshots of the cluster ${config.name}`,
        enableKeyRotation: true,
        deletionWindowInDays: 30,
        policy: keyPolicy(config),
        tags: tagsOf(config, 'storage', 'key'),
      },
    },
    alias: { name: 'key', args: { name: keyAlias(config.name) } },
  };
}

function keyPolicy(config: ClusterConfig): string {
  const launcher = accountArn(
    config,
    'iam',
    'role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling',
  );
  const allow = (Sid: string, AWS: string, Action: readonly string[], Condition?: object): object => ({
    Sid,
    Effect: 'Allow',
    Principal: { AWS },
    Action,
    Resource: '*',
    ...(Condition && { Condition }),
  });
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      allow('AccountAdministration', accountArn(config, 'iam', 'root'), accountActions),
      allow('LaunchInstances', launcher, launchActions),
      allow('LaunchInstancesByGrant', launcher, ['kms:CreateGrant'], { Bool: { 'kms:GrantIsForAWSResource': 'true' } }),
    ],
  });
}
