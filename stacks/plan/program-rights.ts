import { tagKeys } from 'pinion/api';
import { type ClusterConfig } from './cluster-config';
import { cloudControllerRights } from './cloud-controller-rights';
import { describing, groupArn } from './machine-rights';
import { drainQueueName, globalArn, nodeGroupName, regionalArn } from './names';
import { type CloudAccount } from './platform';
import { createdMark, type Allowance } from './policy';
import { autoscalerTag } from './tags';
import { volumeDriverRights } from './volume-driver-rights';

/** What each program of the platform may do. */
export const programRights: Readonly<Record<CloudAccount, (config: ClusterConfig) => Allowance[]>> = {
  'cloud-controller-manager': cloudControllerRights,
  'cluster-autoscaler': autoscalerRights,
  'drain-consumer': drainRights,
  'ebs-csi-driver': volumeDriverRights,
  'external-dns': dnsRights,
  'node-approver': (config) => [describing(config, 'ConfirmInstances', ['ec2:DescribeInstances'])],
  submission: artifactRights,
};

function autoscalerRights(config: ClusterConfig): Allowance[] {
  return [
    describing(config, 'SeeGroups', [
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

function drainRights(config: ClusterConfig): Allowance[] {
  return [
    {
      name: 'HearOfNodes',
      actions: ['sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:GetQueueUrl', 'sqs:ReceiveMessage'],
      resources: [regionalArn(config, 'sqs', drainQueueName(config.name))],
    },
    {
      name: 'LetNodesGo',
      actions: ['autoscaling:CompleteLifecycleAction', 'autoscaling:RecordLifecycleActionHeartbeat'],
      resources: [groupArn(config, nodeGroupName(config.name, '*'))],
      when: { StringEquals: { [`aws:ResourceTag/${tagKeys.cluster}`]: config.name } },
    },
  ];
}

function dnsRights(config: ClusterConfig): Allowance[] {
  const names = [config.domain, `*.${config.domain}`];
  const zone = globalArn(config, 'route53', `hostedzone/${createdMark('zoneId')}`);
  return [
    {
      name: 'WriteNamesOfServices',
      actions: ['route53:ChangeResourceRecordSets'],
      resources: [zone],
      when: {
        'ForAllValues:StringLike': { 'route53:ChangeResourceRecordSetsNormalizedRecordNames': names },
        'ForAllValues:StringNotEquals': {
          'route53:ChangeResourceRecordSetsNormalizedRecordNames': [`api.${config.domain}`],
        },
      },
    },
    { name: 'ReadNames', actions: ['route53:ListResourceRecordSets'], resources: [zone] },
    { name: 'FindZones', actions: ['route53:ListHostedZones'], resources: ['*'] },
  ];
}

/** The service deploys what others publish: of the store it writes nothing but who needs what. */
function artifactRights(config: ClusterConfig): Allowance[] {
  const { artifacts } = config;
  if (!artifacts) return [];
  const below = (place: string, ...folders: readonly string[]): string[] => {
    const root = place.slice('s3://'.length);
    return folders.map((folder) => globalArn(config, 's3', `${root}/${folder}/*`));
  };
  const { store, witness } = artifacts;
  const places = witness === undefined ? [store] : [store, witness];
  const buckets = new Set(places.map((place) => globalArn(config, 's3', place.split('/')[2] ?? '')));
  return [
    { name: 'ReadArtifacts', actions: ['s3:GetObject'], resources: below(store, 'contents', 'signatures', 'versions') },
    {
      name: 'HoldArtifacts',
      actions: ['s3:DeleteObject', 's3:PutObject'],
      resources: below(store, 'holds'),
    },
    ...(witness === undefined
      ? []
      : [
          {
            name: 'RememberSignatures',
            actions: ['s3:GetObject', 's3:PutObject'],
            resources: below(witness, 'witnessed'),
          },
        ]),
    // Without it, S3 answers 403 where an object is not there. Held to a prefix, it would do so for every read, which names none.
    { name: 'TellWhatIsMissing', actions: ['s3:ListBucket'], resources: [...buckets] },
  ];
}
