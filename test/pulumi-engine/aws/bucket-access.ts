import * as z from 'zod';
import { toPascalCase } from './aws-response';
import { bucketPart } from './bucket-part';

const bucket = z.string();

/** `aws.s3.BucketOwnershipControls`. */
export const bucketOwnershipControls = bucketPart({
  shape: z.strictObject({
    bucket,
    rule: z.strictObject({
      objectOwnership: z.enum(['BucketOwnerEnforced', 'BucketOwnerPreferred', 'ObjectWriter']),
    }),
  }),
  put: 'PutBucketOwnershipControls',
  get: 'GetBucketOwnershipControls',
  reset: 'DeleteBucketOwnershipControls',
  parameters: ({ rule }) => ({ OwnershipControls: { Rules: [toPascalCase(rule)] } }),
  parse: (response) => ({ rule: response.list('OwnershipControls', 'Rules')[0]?.fields('objectOwnership') }),
});

/** `aws.s3.BucketPublicAccessBlock`. */
export const bucketPublicAccessBlock = bucketPart({
  shape: z.strictObject({
    bucket,
    blockPublicAcls: z.boolean(),
    ignorePublicAcls: z.boolean(),
    blockPublicPolicy: z.boolean(),
    restrictPublicBuckets: z.boolean(),
  }),
  put: 'PutPublicAccessBlock',
  get: 'GetPublicAccessBlock',
  reset: 'DeletePublicAccessBlock',
  parameters: ({ bucket: _own, ...rest }) => ({ PublicAccessBlockConfiguration: toPascalCase(rest) }),
  parse: (response) =>
    response
      .part('PublicAccessBlockConfiguration')
      .fields('blockPublicAcls', 'ignorePublicAcls', 'blockPublicPolicy', 'restrictPublicBuckets'),
});

/** `aws.s3.BucketPolicy`. */
export const bucketPolicy = bucketPart({
  shape: z.strictObject({ bucket, policy: z.string().startsWith('{').max(20_480) }),
  put: 'PutBucketPolicy',
  get: 'GetBucketPolicy',
  reset: 'DeleteBucketPolicy',
  parameters: ({ policy }) => ({ Policy: policy }),
  parse: (response) => ({ policy: response.at('Policy') }),
});
