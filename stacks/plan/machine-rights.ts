import { tagKeys } from 'pinion/api';
import { parameterNames } from './bootstrap/cluster-facts';
import { type ClusterConfig } from './cluster-config';
import { bucketArn, parameterPath, regionalArn } from './names';
import { createdMark, type Allowance, type Conditions } from './policy';
import { issuerPaths } from './issuer';

/** Folder of the snapshot bucket that masters write. */
export const snapshotFolder = 'etcd';

/** AWS knows no narrower resource for what only describes; it is held to the region. */
export const describing = (config: ClusterConfig, name: string, actions: readonly string[]): Allowance => ({
  name,
  actions,
  resources: ['*'],
  when: { StringEquals: { 'aws:RequestedRegion': config.region } },
});

/** ARN of the cluster's key. */
export const keyArn = (config: ClusterConfig): string => regionalArn(config, 'kms', `key/${createdMark('keyId')}`);

/** Holds the use of a key to one service of AWS. */
export const viaService = (
  { region }: Pick<ClusterConfig, 'region'>,
  service: string,
): Readonly<Record<string, string>> => ({
  'kms:ViaService': `${service}.${region}.amazonaws.com`,
});

/** Lets EC2 itself use the key for a volume that a role attaches. */
export const attachingEncrypted = (config: ClusterConfig): Allowance => ({
  name: 'AttachEncryptedVolumes',
  actions: ['kms:CreateGrant'],
  resources: [keyArn(config)],
  when: { StringEquals: viaService(config, 'ec2'), Bool: { 'kms:GrantIsForAWSResource': 'true' } },
});

/** EC2's list for a volume that is attached names more than the grant. */
const readingEncrypted = (config: ClusterConfig): Allowance => ({
  name: 'ReadEncryptedVolumes',
  actions: ['kms:Decrypt', 'kms:DescribeKey'],
  resources: [keyArn(config)],
  when: { StringEquals: viaService(config, 'ec2') },
});

/**
 * What masters may do. One role is enough for all: a volume or an interface can be attached only to an instance of its own
 * zone, and there is one master in each.
 */
export function masterRights(config: ClusterConfig): Allowance[] {
  const ofMasters: Conditions = {
    StringEquals: {
      [`aws:ResourceTag/${tagKeys.cluster}`]: config.name,
      [`aws:ResourceTag/${tagKeys.part}`]: 'control-plane',
    },
  };
  return [
    describing(config, 'FindOwnParts', [
      'ec2:DescribeInstances',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeVolumes',
    ]),
    {
      name: 'AttachOwnParts',
      actions: ['ec2:AttachNetworkInterface', 'ec2:AttachVolume'],
      resources: ['instance/*', 'network-interface/*', 'volume/*'].map((one) => regionalArn(config, 'ec2', one)),
      when: ofMasters,
    },
    attachingEncrypted(config),
    readingEncrypted(config),
    ...parameterRights(config, allParameters),
    {
      name: 'MakeParametersOnce',
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
    ...machineRights(config),
  ];
}

/** What workers may do: read what lets them ask to join, and pull images. What workloads may do is their own roles' affair. */
export const workerRights = (config: ClusterConfig): Allowance[] => [
  ...parameterRights(config, workerParameters),
  ...machineRights(config),
];

/** ARN of Auto Scaling groups by name; the id in the middle is AWS's. */
export const groupArn = (config: ClusterConfig, name: string): string =>
  regionalArn(config, 'autoscaling', `autoScalingGroup:*:autoScalingGroupName/${name}`);

const allParameters = Object.values(parameterNames);
/** Workers learn whom to trust and how to ask; keys of the control plane are masters' alone. */
const workerParameters = [parameterNames.authorityCertificate, parameterNames.bootstrapToken];

const parameterArns = (config: ClusterConfig, names: readonly string[]): string[] =>
  names.map((name) => regionalArn(config, 'ssm', `parameter${parameterPath(config.name)}/${name}`));

const parameterKeyUse = (config: ClusterConfig, names: readonly string[]): Conditions => ({
  StringEquals: {
    ...viaService(config, 'ssm'),
    'kms:EncryptionContext:PARAMETER_ARN': parameterArns(config, names),
  },
});

const parameterRights = (config: ClusterConfig, names: readonly string[]): Allowance[] => [
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

/** What every machine may do where the configuration asks for it. */
function machineRights(config: ClusterConfig): Allowance[] {
  const images: Allowance[] = [
    describing(config, 'EnterRegistry', ['ecr:GetAuthorizationToken']),
    {
      name: 'PullImages',
      actions: ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
      resources: config.repositories.map((one) => regionalArn(config, 'ecr', `repository/${one}`)),
    },
  ];
  const sessions = describing(config, 'OpenSessions', [
    'ssm:UpdateInstanceInformation',
    'ssmmessages:CreateControlChannel',
    'ssmmessages:CreateDataChannel',
    'ssmmessages:OpenControlChannel',
    'ssmmessages:OpenDataChannel',
  ]);
  return [
    ...(config.repositories.length > 0 ? images : []),
    ...(config.sessions === 'session-manager' ? [sessions] : []),
  ];
}
