import { tagKeys } from '@pinion-platform/pinion/api';
import { parameterNames } from '../bootstrap/node-cluster-config';
import { type ClusterConfig } from '../config/cluster-config';
import { bucketArn, parameterPath, regionalArn, issuerPaths } from '../names';
import { createdPlaceholder, type IamStatement, type Conditions } from './policy';

/** Prefix of etcd snapshots in the snapshot bucket. */
export const snapshotFolder = 'etcd';

/** Returns a statement for read-only actions, which support no resource ARNs; it is limited to the region. */
export const describeStatement = (config: ClusterConfig, name: string, actions: readonly string[]): IamStatement => ({
  name,
  actions,
  resources: ['*'],
  when: { StringEquals: { 'aws:RequestedRegion': config.region } },
});

/** Returns the ARN of the KMS key. */
export const keyArn = (config: ClusterConfig): string =>
  regionalArn(config, 'kms', `key/${createdPlaceholder('keyId')}`);

/** Returns a condition that limits the use of a key to one AWS service. */
export const viaService = (
  { region }: Pick<ClusterConfig, 'region'>,
  service: string,
): Readonly<Record<string, string>> => ({
  'kms:ViaService': `${service}.${region}.amazonaws.com`,
});

/** Returns a statement that lets EC2 use the key for attached volumes. */
export const attachEncryptedStatement = (config: ClusterConfig): IamStatement => ({
  name: 'AttachEncryptedVolumes',
  actions: ['kms:CreateGrant'],
  resources: [keyArn(config)],
  when: { StringEquals: viaService(config, 'ec2'), Bool: { 'kms:GrantIsForAWSResource': 'true' } },
});

/** Returns a statement for the key permissions that EC2 requires to attach a volume, besides the grant. */
const readEncryptedStatement = (config: ClusterConfig): IamStatement => ({
  name: 'ReadEncryptedVolumes',
  actions: ['kms:Decrypt', 'kms:DescribeKey'],
  resources: [keyArn(config)],
  when: { StringEquals: viaService(config, 'ec2') },
});

/**
 * Returns the IAM statements of control plane nodes. They share one role: volumes and interfaces attach only to instances
 * of their own zone, and there is one node per zone.
 */
export function controlPlaneStatements(config: ClusterConfig): IamStatement[] {
  const controlPlaneTags: Conditions = {
    StringEquals: {
      [`aws:ResourceTag/${tagKeys.cluster}`]: config.name,
      [`aws:ResourceTag/${tagKeys.part}`]: 'control-plane',
    },
  };
  return [
    describeStatement(config, 'FindOwnResources', [
      'ec2:DescribeInstances',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeVolumes',
    ]),
    {
      name: 'AttachOwnResources',
      actions: ['ec2:AttachNetworkInterface', 'ec2:AttachVolume'],
      resources: ['instance/*', 'network-interface/*', 'volume/*'].map((one) => regionalArn(config, 'ec2', one)),
      when: controlPlaneTags,
    },
    attachEncryptedStatement(config),
    readEncryptedStatement(config),
    ...parameterStatements(config, allParameters),
    {
      name: 'CreateParametersOnce',
      actions: ['ssm:PutParameter'],
      resources: parameterArns(config, allParameters),
      when: { StringEquals: { 'ssm:Overwrite': 'false' } },
    },
    {
      name: 'RenewBootstrapToken',
      actions: ['ssm:PutParameter'],
      resources: parameterArns(config, [parameterNames.bootstrapToken]),
    },
    {
      name: 'EncryptParameters',
      actions: ['kms:Encrypt'],
      resources: [keyArn(config)],
      when: parameterKeyUse(config, allParameters),
    },
    {
      name: 'KeepSnapshots',
      actions: ['s3:GetObject', 's3:PutObject'],
      resources: [bucketArn(config, 'snapshots', `/${snapshotFolder}/*`)],
    },
    {
      name: 'ListSnapshots',
      actions: ['s3:ListBucket'],
      resources: [bucketArn(config, 'snapshots')],
      when: { StringLike: { 's3:prefix': `${snapshotFolder}/*` } },
    },
    {
      name: 'EncryptSnapshots',
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: [keyArn(config)],
      when: {
        StringEquals: {
          ...viaService(config, 's3'),
          'kms:EncryptionContext:aws:s3:arn': bucketArn(config, 'snapshots'),
        },
      },
    },
    {
      name: 'PublishIssuer',
      actions: ['s3:PutObject'],
      resources: issuerPaths.map((path) => bucketArn(config, 'issuer', `/${path}`)),
    },
    ...machineStatements(config),
  ];
}

/** Returns the IAM statements of workers: read the join parameters, and pull images. Workloads have their own roles. */
export const workerStatements = (config: ClusterConfig): IamStatement[] => [
  ...parameterStatements(config, workerParameters),
  ...machineStatements(config),
];

/** Returns the ARN of Auto Scaling groups by name, with a wildcard for the group ID. */
export const groupArn = (config: ClusterConfig, name: string): string =>
  regionalArn(config, 'autoscaling', `autoScalingGroup:*:autoScalingGroupName/${name}`);

const allParameters = Object.values(parameterNames);
/** Parameters for joining; only control plane nodes read the keys. */
const workerParameters = [parameterNames.authorityCertificate, parameterNames.bootstrapToken];

const parameterArns = (config: ClusterConfig, names: readonly string[]): string[] =>
  names.map((name) => regionalArn(config, 'ssm', `parameter${parameterPath(config.name)}/${name}`));

const parameterKeyUse = (config: ClusterConfig, names: readonly string[]): Conditions => ({
  StringEquals: {
    ...viaService(config, 'ssm'),
    'kms:EncryptionContext:PARAMETER_ARN': parameterArns(config, names),
  },
});

const parameterStatements = (config: ClusterConfig, names: readonly string[]): IamStatement[] => [
  {
    name: 'ReadParameters',
    actions: ['ssm:GetParameter', 'ssm:GetParameters'],
    resources: parameterArns(config, names),
  },
  {
    name: 'DecryptParameters',
    actions: ['kms:Decrypt'],
    resources: [keyArn(config)],
    when: parameterKeyUse(config, names),
  },
];

/** Returns the optional IAM statements of all machines: image pulls and remote access. */
function machineStatements(config: ClusterConfig): IamStatement[] {
  const images: IamStatement[] = [
    describeStatement(config, 'LogInToRegistry', ['ecr:GetAuthorizationToken']),
    {
      name: 'PullImages',
      actions: ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
      resources: config.ecrRepositories.map((one) => regionalArn(config, 'ecr', `repository/${one}`)),
    },
  ];
  const sessions = describeStatement(config, 'OpenSessions', [
    'ssm:UpdateInstanceInformation',
    'ssmmessages:CreateControlChannel',
    'ssmmessages:CreateDataChannel',
    'ssmmessages:OpenControlChannel',
    'ssmmessages:OpenDataChannel',
  ]);
  return [
    ...(config.ecrRepositories.length > 0 ? images : []),
    ...(config.remoteAccess === 'session-manager' ? [sessions] : []),
  ];
}
