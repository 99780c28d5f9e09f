import { type ClusterConfig } from '../config/cluster-config';
import { issuerPaths, bucketArn, bucketName, type BucketPurpose } from '../names';
import { type PlannedResource } from '../planned-resource';
import { tagsOf, type Tags } from '../tags';

/** Bucket with its access and lifecycle settings. */
export interface BucketPlan extends PlannedResource<{
  readonly bucket: string;
  /** Whether to delete the bucket with its contents; otherwise only an empty bucket can be deleted. */
  readonly forceDestroy?: true;
  readonly tags: Tags;
}> {
  readonly purpose: BucketPurpose;
  readonly versioning: 'Enabled' | 'Suspended';
  /** Encryption with the cluster's key, or with S3-managed keys if other accounts read or AWS services write. */
  readonly encryption: 'aws:kms' | 'AES256';
  /** Whether to use an S3 bucket key; policies then limit the use of the KMS key to the bucket ARN. */
  readonly bucketKeyEnabled?: true;
  /** Objects belong to the account of the bucket; ACLs are disabled. */
  readonly objectOwnership: 'BucketOwnerEnforced';
  readonly publicAccess: {
    readonly blockPublicAcls: true;
    readonly ignorePublicAcls: true;
    readonly blockPublicPolicy: boolean;
    readonly restrictPublicBuckets: boolean;
  };
  readonly lifecycle: readonly LifecycleRule[];
  readonly policy: string;
  /** Prefix of access logs in the log bucket, which itself has none. */
  readonly accessLog?: string;
}

/** Lifecycle rule: when objects are deleted. */
export interface LifecycleRule {
  readonly id: string;
  readonly status: 'Enabled';
  readonly expiration?: { readonly days: number };
  readonly noncurrentVersionExpiration?: { readonly noncurrentDays: number };
  readonly abortIncompleteMultipartUpload?: { readonly daysAfterInitiation: number };
}

const blockPublicAccess = {
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

/** Plans the buckets: etcd snapshots, logs, and the OIDC discovery documents. */
export function bucketPlans(config: ClusterConfig): BucketPlan[] {
  const argsOf = (purpose: BucketPurpose): BucketPlan['args'] => ({
    bucket: bucketName(config, purpose),
    // AWS and control plane nodes write to these two until they are deleted, so they cannot be emptied before.
    ...(purpose !== 'snapshots' && { forceDestroy: true }),
    tags: tagsOf(config, 'storage', purpose),
  });
  const bucket = (
    purpose: BucketPurpose,
    overrides: Pick<BucketPlan, 'lifecycle'> & Partial<BucketPlan>,
  ): BucketPlan => ({
    name: purpose,
    purpose,
    args: argsOf(purpose),
    versioning: 'Enabled',
    encryption: 'AES256',
    objectOwnership: 'BucketOwnerEnforced',
    publicAccess: blockPublicAccess,
    policy: policyOf(config, purpose, []),
    accessLog: accessFolder(purpose),
    ...overrides,
  });
  const { accessLog: _none, ...logs } = bucket('logs', {
    protect: true,
    versioning: 'Suspended',
    lifecycle: [expiring('logs', config.logRetentionDays), uploads],
    policy: policyOf(config, 'logs', logDeliveries(config)),
  });
  return [
    bucket('snapshots', {
      protect: true,
      encryption: 'aws:kms',
      bucketKeyEnabled: true,
      lifecycle: [
        expiring('snapshots', config.snapshotRetentionDays),
        oldVersions(config.snapshotRetentionDays),
        uploads,
      ],
    }),
    logs,
    bucket('issuer', {
      // AWS reads the two documents anonymously; the policy makes only these public.
      publicAccess: { ...blockPublicAccess, blockPublicPolicy: false, restrictPublicBuckets: false },
      lifecycle: [oldVersions(config.snapshotRetentionDays), uploads],
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

/** Returns a bucket policy with the given statements that denies requests without TLS. */
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

/** Buckets with access logs. */
const loggedBuckets: readonly BucketPurpose[] = ['snapshots', 'issuer'];
const accessFolder = (purpose: BucketPurpose): string => `access/${purpose}/`;

/** Returns statements that let AWS write flow logs and access logs for this account, each bucket to its own prefix. */
function logDeliveries(config: ClusterConfig): object[] {
  const fromThisAccount = { StringEquals: { 'aws:SourceAccount': config.accountId } };
  const flow = 'delivery.logs.amazonaws.com';
  const putStatement = (Sid: string, Service: string, folder: string, Condition: object): object => ({
    Sid,
    Effect: 'Allow',
    Principal: { Service },
    Action: 's3:PutObject',
    Resource: bucketArn(config, 'logs', `/${folder}*`),
    Condition,
  });
  return [
    putStatement('FlowLogs', flow, `AWSLogs/${config.accountId}/`, fromThisAccount),
    {
      Sid: 'FlowLogsList',
      Effect: 'Allow',
      Principal: { Service: flow },
      Action: ['s3:GetBucketAcl', 's3:ListBucket'],
      Resource: bucketArn(config, 'logs'),
      Condition: fromThisAccount,
    },
    ...loggedBuckets.map((purpose) =>
      putStatement(`AccessLogsOf${purpose}`, 'logging.s3.amazonaws.com', accessFolder(purpose), {
        ...fromThisAccount,
        ArnLike: { 'aws:SourceArn': bucketArn(config, purpose) },
      }),
    ),
  ];
}
