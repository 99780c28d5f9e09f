import { type ClusterConfig } from './cluster-config';
import { issuerPaths } from './issuer';
import { bucketArn, bucketName, type BucketPurpose } from './names';
import { type Planned } from './planned';
import { tagsOf, type Tags } from './tags';

/** One bucket with what guards it. */
export interface BucketPlan extends Planned<{
  readonly bucket: string;
  /** Goes with all that is in it, once the cluster is given up; otherwise only an empty bucket goes. */
  readonly forceDestroy?: true;
  readonly tags: Tags;
}> {
  readonly purpose: BucketPurpose;
  readonly versioning: 'Enabled' | 'Suspended';
  /** By the cluster's key, or by S3's own where readers outside the account, or AWS itself as a writer, need none. */
  readonly encryption: 'aws:kms' | 'AES256';
  /** One data key for the whole bucket: policies hold the use of the key to the bucket's ARN, as it is then. */
  readonly bucketKeyEnabled?: true;
  /** Objects belong to the account that the bucket is in; access lists are off. */
  readonly objectOwnership: 'BucketOwnerEnforced';
  readonly publicAccess: {
    readonly blockPublicAcls: true;
    readonly ignorePublicAcls: true;
    readonly blockPublicPolicy: boolean;
    readonly restrictPublicBuckets: boolean;
  };
  readonly lifecycle: readonly LifecycleRule[];
  readonly policy: string;
  /** Folder of the log bucket that says who asked for what; the log bucket itself has none. */
  readonly accessLog?: string;
}

/** When objects go. */
export interface LifecycleRule {
  readonly id: string;
  readonly status: 'Enabled';
  readonly expiration?: { readonly days: number };
  readonly noncurrentVersionExpiration?: { readonly noncurrentDays: number };
  readonly abortIncompleteMultipartUpload?: { readonly daysAfterInitiation: number };
}

const closed = {
  blockPublicAcls: true,
  ignorePublicAcls: true,
  blockPublicPolicy: true,
  restrictPublicBuckets: true,
} as const;
const uploads: LifecycleRule = {
  id: 'unfinished-uploads',
  status: 'Enabled',
  abortIncompleteMultipartUpload: { daysAfterInitiation: 7 },
};
const expiring = (id: string, days: number): LifecycleRule => ({ id, status: 'Enabled', expiration: { days } });
const oldVersions = (noncurrentDays: number): LifecycleRule => ({
  id: 'old-versions',
  status: 'Enabled',
  noncurrentVersionExpiration: { noncurrentDays },
});

/** Plans the buckets: snapshots of etcd, logs, and the two documents that tokens are checked with. */
export function bucketPlans(config: ClusterConfig): BucketPlan[] {
  const argsOf = (purpose: BucketPurpose): BucketPlan['args'] => ({
    bucket: bucketName(config, purpose),
    // AWS and masters go on writing to these two until the last moment, so that nobody can empty them before.
    ...(purpose !== 'snapshots' && { forceDestroy: true }),
    tags: tagsOf(config, 'storage', purpose),
  });
  const bucket = (purpose: BucketPurpose, own: Pick<BucketPlan, 'lifecycle'> & Partial<BucketPlan>): BucketPlan => ({
    name: purpose,
    purpose,
    args: argsOf(purpose),
    versioning: 'Enabled',
    encryption: 'AES256',
    objectOwnership: 'BucketOwnerEnforced',
    publicAccess: closed,
    policy: policyOf(config, purpose, []),
    accessLog: accessFolder(purpose),
    ...own,
  });
  const { accessLog: _none, ...logs } = bucket('logs', {
    protect: true,
    versioning: 'Suspended',
    lifecycle: [expiring('logs', config.logDays), uploads],
    policy: policyOf(config, 'logs', logDeliveries(config)),
  });
  return [
    bucket('snapshots', {
      protect: true,
      encryption: 'aws:kms',
      bucketKeyEnabled: true,
      lifecycle: [expiring('snapshots', config.snapshotDays), oldVersions(config.snapshotDays), uploads],
    }),
    logs,
    bucket('issuer', {
      // AWS reads the two documents as anybody would; a policy opens them, and nothing else.
      publicAccess: { ...closed, blockPublicPolicy: false, restrictPublicBuckets: false },
      lifecycle: [oldVersions(config.snapshotDays), uploads],
      policy: policyOf(config, 'issuer', [
        {
          Sid: 'ReadDocuments',
          Effect: 'Allow',
          Principal: '*',
          Action: 's3:GetObject',
          Resource: issuerPaths.map((path) => bucketArn(config, 'issuer', `/${path}`)),
        },
      ]),
    }),
  ];
}

/** A policy that opens what is said, and refuses what is not sent over TLS. */
const policyOf = (config: ClusterConfig, purpose: BucketPurpose, statements: readonly object[]): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      ...statements,
      {
        Sid: 'OnlyEncryptedTransport',
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:*',
        Resource: [bucketArn(config, purpose), bucketArn(config, purpose, '/*')],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ],
  });

/** Buckets of which the log bucket says who asked them for what. */
const watched: readonly BucketPurpose[] = ['snapshots', 'issuer'];
const accessFolder = (purpose: BucketPurpose): string => `access/${purpose}/`;

/** Lets AWS write flow logs of the network and access logs of buckets, for this account alone, each bucket in its own folder. */
function logDeliveries(config: ClusterConfig): object[] {
  const here = { StringEquals: { 'aws:SourceAccount': config.account } };
  const flow = 'delivery.logs.amazonaws.com';
  const put = (Sid: string, Service: string, folder: string, Condition: object): object => ({
    Sid,
    Effect: 'Allow',
    Principal: { Service },
    Action: 's3:PutObject',
    Resource: bucketArn(config, 'logs', `/${folder}*`),
    Condition,
  });
  return [
    put('FlowLogs', flow, `AWSLogs/${config.account}/`, here),
    {
      Sid: 'FlowLogsLook',
      Effect: 'Allow',
      Principal: { Service: flow },
      Action: ['s3:GetBucketAcl', 's3:ListBucket'],
      Resource: bucketArn(config, 'logs'),
      Condition: here,
    },
    ...watched.map((purpose) =>
      put(`AccessLogsOf${purpose}`, 'logging.s3.amazonaws.com', accessFolder(purpose), {
        ...here,
        ArnLike: { 'aws:SourceArn': bucketArn(config, purpose) },
      }),
    ),
  ];
}
