import { type ClusterConfig } from './cluster-config';
import { accountArn, keyAlias } from './names';
import { type Planned } from './planned';
import { tagsOf, type Tags } from './tags';

/** The key that encrypts volumes, parameters and snapshots of the cluster. */
export interface EncryptionKeyPlan {
  readonly key: Planned<{
    readonly description: string;
    readonly enableKeyRotation: true;
    readonly deletionWindowInDays: number;
    readonly policy: string;
    readonly tags: Tags;
  }>;
  readonly alias: Planned<{ readonly name: string }>;
}

/** What the account may hand on to its people and roles; a key that nobody may change is lost. */
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

/** What Auto Scaling needs for the root volumes of machines that it starts. */
const launchActions = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/** Plans the cluster's key. */
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
      allow('TheAccountDecides', accountArn(config, 'iam', 'root'), accountActions),
      allow('StartMachines', launcher, launchActions),
      allow('StartMachinesByGrant', launcher, ['kms:CreateGrant'], { Bool: { 'kms:GrantIsForAWSResource': 'true' } }),
    ],
  });
}
