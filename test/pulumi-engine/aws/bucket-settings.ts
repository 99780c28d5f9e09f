import * as z from 'zod';
import { type AwsResponse, toPascalCase } from './aws-response';
import { bucketPart } from './bucket-part';

const bucket = z.string();
const status = z.enum(['Enabled', 'Suspended']);

/** `aws.s3.BucketVersioning`. */
export const bucketVersioning = bucketPart({
  shape: z.strictObject({ bucket, versioningConfiguration: z.strictObject({ status }) }),
  put: 'PutBucketVersioning',
  get: 'GetBucketVersioning',
  reset: { VersioningConfiguration: { Status: 'Suspended' } },
  parameters: ({ versioningConfiguration }) => ({ VersioningConfiguration: toPascalCase(versioningConfiguration) }),
  parse: (response) => ({ versioningConfiguration: response.fields('status') }),
});

/** `aws.s3.BucketServerSideEncryptionConfiguration`. */
export const bucketEncryption = bucketPart({
  shape: z.strictObject({
    bucket,
    rules: z
      .array(
        z.strictObject({
          applyServerSideEncryptionByDefault: z.strictObject({
            sseAlgorithm: z.enum(['aws:kms', 'AES256']),
            kmsMasterKeyId: z.string().startsWith('arn:').optional(),
          }),
          bucketKeyEnabled: z.boolean().optional(),
        }),
      )
      .length(1),
  }),
  put: 'PutBucketEncryption',
  get: 'GetBucketEncryption',
  reset: 'DeleteBucketEncryption',
  parameters: ({ rules }) => ({
    ServerSideEncryptionConfiguration: {
      Rules: rules.map(
        ({ applyServerSideEncryptionByDefault: { sseAlgorithm, kmsMasterKeyId }, bucketKeyEnabled }) => ({
          ApplyServerSideEncryptionByDefault: {
            SSEAlgorithm: sseAlgorithm,
            ...(kmsMasterKeyId !== undefined && { KMSMasterKeyID: kmsMasterKeyId }),
          },
          ...(bucketKeyEnabled !== undefined && { BucketKeyEnabled: bucketKeyEnabled }),
        }),
      ),
    },
  }),
  parse: (response) => ({ rules: response.list('ServerSideEncryptionConfiguration', 'Rules').map(encryptionOf) }),
});

const encryptionOf = (rule: AwsResponse) => {
  const own = rule.part('ApplyServerSideEncryptionByDefault');
  const kmsMasterKeyId = own.at('KMSMasterKeyID');
  return {
    applyServerSideEncryptionByDefault: {
      sseAlgorithm: own.at('SSEAlgorithm'),
      ...(kmsMasterKeyId !== undefined && { kmsMasterKeyId }),
    },
    // AWS reports an unset value as off.
    ...(rule.at('BucketKeyEnabled') === true && { bucketKeyEnabled: true }),
  };
};

const days = z.int().min(1);

/** `aws.s3.BucketLifecycleConfiguration`. */
export const bucketLifecycle = bucketPart({
  shape: z.strictObject({
    bucket,
    rules: z.array(
      z.strictObject({
        id: z.string().max(255),
        status: z.enum(['Enabled', 'Disabled']),
        expiration: z.strictObject({ days }).optional(),
        noncurrentVersionExpiration: z.strictObject({ noncurrentDays: days }).optional(),
        abortIncompleteMultipartUpload: z.strictObject({ daysAfterInitiation: days }).optional(),
      }),
    ),
  }),
  put: 'PutBucketLifecycleConfiguration',
  get: 'GetBucketLifecycleConfiguration',
  reset: 'DeleteBucketLifecycle',
  parameters: ({ rules }) => ({
    // For a rule without a filter the provider sends an empty one, which selects all objects.
    LifecycleConfiguration: {
      Rules: rules.map(({ id, ...rule }) => ({ ID: id, Filter: { Prefix: '' }, ...toPascalCase(rule) })),
    },
  }),
  parse: (response) => ({
    rules: response.list('Rules').map((rule) => ({
      id: rule.at('ID'),
      ...rule.fields('status', 'expiration', 'noncurrentVersionExpiration', 'abortIncompleteMultipartUpload'),
    })),
  }),
});

/** `aws.s3.BucketLogging`. */
export const bucketLogging = bucketPart({
  shape: z.strictObject({ bucket, targetBucket: z.string(), targetPrefix: z.string() }),
  put: 'PutBucketLogging',
  get: 'GetBucketLogging',
  reset: { BucketLoggingStatus: {} },
  parameters: ({ targetBucket, targetPrefix }) => ({
    BucketLoggingStatus: { LoggingEnabled: { TargetBucket: targetBucket, TargetPrefix: targetPrefix } },
  }),
  parse: (response) =>
    response.at('LoggingEnabled') === undefined
      ? undefined
      : response.part('LoggingEnabled').fields('targetBucket', 'targetPrefix'),
});
