import { tagKeys } from '@pinion-platform/pinion/api';
import { type ClusterConfig } from '../config/cluster-config';
import { cloudControllerStatements } from './cloud-controller-iam';
import { describeStatement, groupArn } from './machine-iam';
import { drainQueueName, globalArn, nodeGroupName, regionalArn } from '../names';
import { type CloudAccount } from '../platform';
import { createdPlaceholder, type IamStatement } from './policy';
import { autoscalerTag } from '../tags';
import { volumeDriverStatements } from './volume-driver-iam';

/** IAM statements of the platform's programs. */
export const programStatements: Readonly<Record<CloudAccount, (config: ClusterConfig) => IamStatement[]>> = {
  'cloud-controller-manager': cloudControllerStatements,
  'cluster-autoscaler': autoscalerStatements,
  'drain-consumer': drainStatements,
  'ebs-csi-driver': volumeDriverStatements,
  'external-dns': dnsStatements,
  'node-approver': (config) => [describeStatement(config, 'DescribeInstances', ['ec2:DescribeInstances'])],
  submission: artifactStatements,
};

function autoscalerStatements(config: ClusterConfig): IamStatement[] {
  return [
    describeStatement(config, 'DescribeGroups', [
      'autoscaling:DescribeAutoScalingGroups',
      'autoscaling:DescribeAutoScalingInstances',
      'autoscaling:DescribeLaunchConfigurations',
      'autoscaling:DescribeScalingActivities',
      'ec2:DescribeImages',
      'ec2:DescribeInstanceTypes',
      'ec2:DescribeLaunchTemplateVersions',
      'ec2:GetInstanceTypesFromInstanceRequirements',
    ]),
    {
      name: 'SizeNodeGroups',
      actions: ['autoscaling:SetDesiredCapacity', 'autoscaling:TerminateInstanceInAutoScalingGroup'],
      resources: [groupArn(config, nodeGroupName(config.name, '*'))],
      when: { StringEquals: { [`aws:ResourceTag/${autoscalerTag(config.name)}`]: 'owned' } },
    },
  ];
}

function drainStatements(config: ClusterConfig): IamStatement[] {
  return [
    {
      name: 'ConsumeDrainQueue',
      actions: ['sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:GetQueueUrl', 'sqs:ReceiveMessage'],
      resources: [regionalArn(config, 'sqs', drainQueueName(config.name))],
    },
    {
      name: 'CompleteLifecycleActions',
      actions: ['autoscaling:CompleteLifecycleAction', 'autoscaling:RecordLifecycleActionHeartbeat'],
      resources: [groupArn(config, nodeGroupName(config.name, '*'))],
      when: { StringEquals: { [`aws:ResourceTag/${tagKeys.cluster}`]: config.name } },
    },
  ];
}

function dnsStatements(config: ClusterConfig): IamStatement[] {
  const names = [config.domain, `*.${config.domain}`];
  const zone = globalArn(config, 'route53', `hostedzone/${createdPlaceholder('zoneId')}`);
  return [
    {
      name: 'WriteServiceRecords',
      actions: ['route53:ChangeResourceRecordSets'],
      resources: [zone],
      when: {
        'ForAllValues:StringLike': { 'route53:ChangeResourceRecordSetsNormalizedRecordNames': names },
        'ForAllValues:StringNotEquals': {
          'route53:ChangeResourceRecordSetsNormalizedRecordNames': [`api.${config.domain}`],
        },
      },
    },
    { name: 'ReadRecords', actions: ['route53:ListResourceRecordSets'], resources: [zone] },
    { name: 'FindZones', actions: ['route53:ListHostedZones'], resources: ['*'] },
  ];
}

/** Returns the statements of the submission service: it reads the artifact store and writes holds and verifications only. */
function artifactStatements(config: ClusterConfig): IamStatement[] {
  const { artifacts } = config;
  if (!artifacts) return [];
  const objectArns = (location: string, ...folders: readonly string[]): string[] => {
    const root = location.slice('s3://'.length);
    return folders.map((folder) => globalArn(config, 's3', `${root}/${folder}/*`));
  };
  const { store, verificationStore } = artifacts;
  const locations = verificationStore === undefined ? [store] : [store, verificationStore];
  const buckets = new Set(locations.map((location) => globalArn(config, 's3', location.split('/')[2] ?? '')));
  return [
    {
      name: 'ReadArtifacts',
      actions: ['s3:GetObject'],
      resources: objectArns(store, 'contents', 'signatures', 'versions'),
    },
    {
      name: 'HoldArtifacts',
      actions: ['s3:DeleteObject', 's3:PutObject'],
      resources: objectArns(store, 'holds'),
    },
    ...(verificationStore === undefined
      ? []
      : [
          {
            name: 'RecordVerifications',
            actions: ['s3:GetObject', 's3:PutObject'],
            resources: objectArns(verificationStore, 'witnessed'),
          },
        ]),
    // Without it, S3 returns 403 for missing objects; also if limited to a prefix, since reads have none.
    { name: 'ListBuckets', actions: ['s3:ListBucket'], resources: [...buckets] },
  ];
}
