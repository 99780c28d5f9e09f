import { type ClusterConfig } from '../config/cluster-config';
import { describeStatement, attachEncryptedStatement, keyArn, viaService } from './machine-iam';
import { regionalArn } from '../names';
import { ownedTag, type IamStatement, type Conditions } from './policy';

/** Tag of volumes created by the driver; etcd volumes do not have it. */
const driverTag = 'ebs.csi.aws.com/cluster';

/** Returns the IAM statements of the volume driver: it manages the volumes that it created, never those of etcd. */
export function volumeDriverStatements(config: ClusterConfig): IamStatement[] {
  const arns = (...kinds: string[]): string[] => kinds.map((kind) => regionalArn(config, 'ec2', `${kind}/*`));
  const created: Conditions = {
    StringEquals: { [`aws:RequestTag/${driverTag}`]: 'true', ...ownedTag(config, 'RequestTag') },
  };
  const own: Conditions = {
    StringEquals: { [`aws:ResourceTag/${driverTag}`]: 'true', ...ownedTag(config, 'ResourceTag') },
  };
  return [
    describeStatement(config, 'DescribeVolumes', [
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
      name: 'CreateVolumes',
      actions: ['ec2:CreateSnapshot', 'ec2:CreateVolume'],
      resources: createdArns(config),
      when: created,
    },
    {
      name: 'CopyOwnVolumes',
      actions: ['ec2:CreateSnapshot', 'ec2:CreateVolume'],
      resources: [...arns('volume'), snapshotArn(config)],
      when: own,
    },
    {
      name: 'TagOnCreate',
      actions: ['ec2:CreateTags'],
      resources: createdArns(config),
      when: { StringEquals: { 'ec2:CreateAction': ['CreateSnapshot', 'CreateVolume'] } },
    },
    {
      name: 'ChangeOwnVolumes',
      actions: ['ec2:AttachVolume', 'ec2:DeleteSnapshot', 'ec2:DeleteVolume', 'ec2:DetachVolume', 'ec2:ModifyVolume'],
      resources: createdArns(config),
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
    attachEncryptedStatement(config),
  ];
}

/** Returns the ARN of snapshots, which contains no account ID. */
const snapshotArn = (config: ClusterConfig): string => regionalArn({ ...config, accountId: '' }, 'ec2', 'snapshot/*');

const createdArns = (config: ClusterConfig): string[] => [regionalArn(config, 'ec2', 'volume/*'), snapshotArn(config)];
