import { type ClusterConfig } from './cluster-config';
import { describing, attachingEncrypted, keyArn, viaService } from './machine-rights';
import { regionalArn } from './names';
import { ownedTag, type Allowance, type Conditions } from './policy';

/** The mark that the volume driver sets on what it makes; volumes of etcd do not have it. */
const driverTag = 'ebs.csi.aws.com/cluster';

/** What the driver of volumes may do: change what it made, never what etcd is on. */
export function volumeDriverRights(config: ClusterConfig): Allowance[] {
  const arns = (...kinds: string[]): string[] => kinds.map((kind) => regionalArn(config, 'ec2', `${kind}/*`));
  const made: Conditions = {
    StringEquals: { [`aws:RequestTag/${driverTag}`]: 'true', ...ownedTag(config, 'RequestTag') },
  };
  const own: Conditions = {
    StringEquals: { [`aws:ResourceTag/${driverTag}`]: 'true', ...ownedTag(config, 'ResourceTag') },
  };
  return [
    describing(config, 'SeeVolumes', [
      'ec2:DescribeAvailabilityZones',
      'ec2:DescribeInstanceTypes',
      'ec2:DescribeInstances',
      'ec2:DescribeSnapshots',
      'ec2:DescribeTags',
      'ec2:DescribeVolumes',
      'ec2:DescribeVolumeStatus',
      'ec2:DescribeVolumesModifications',
    ]),
    {
      name: 'MakeVolumes',
      actions: ['ec2:CreateSnapshot', 'ec2:CreateVolume'],
      resources: madeArns(config),
      when: made,
    },
    {
      name: 'ReadWhatIsCopied',
      actions: ['ec2:CreateSnapshot', 'ec2:CreateVolume'],
      resources: [...arns('volume'), snapshotArn(config)],
      when: own,
    },
    {
      name: 'MarkWhatIsMade',
      actions: ['ec2:CreateTags'],
      resources: madeArns(config),
      when: { StringEquals: { 'ec2:CreateAction': ['CreateSnapshot', 'CreateVolume'] } },
    },
    {
      name: 'ChangeOwnVolumes',
      actions: ['ec2:AttachVolume', 'ec2:DeleteSnapshot', 'ec2:DeleteVolume', 'ec2:DetachVolume', 'ec2:ModifyVolume'],
      resources: madeArns(config),
      when: own,
    },
    {
      name: 'AttachToNodes',
      actions: ['ec2:AttachVolume', 'ec2:DetachVolume'],
      resources: arns('instance'),
      when: { StringEquals: ownedTag(config, 'ResourceTag') },
    },
    {
      name: 'EncryptVolumes',
      actions: [
        'kms:Decrypt',
        'kms:DescribeKey',
        'kms:GenerateDataKeyWithoutPlaintext',
        'kms:ReEncryptFrom',
        'kms:ReEncryptTo',
      ],
      resources: [keyArn(config)],
      when: { StringEquals: viaService(config, 'ec2') },
    },
    attachingEncrypted(config),
  ];
}

/** Snapshots belong to no account in their ARN. */
const snapshotArn = (config: ClusterConfig): string => regionalArn({ ...config, account: '' }, 'ec2', 'snapshot/*');

const madeArns = (config: ClusterConfig): string[] => [regionalArn(config, 'ec2', 'volume/*'), snapshotArn(config)];
