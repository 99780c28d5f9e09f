import * as z from 'zod';
import { type Aws } from './aws';
import { findResource } from './find-resource';
import { mapping } from './mapping';
import { tagList, tags, tagsOf } from './tags';

/** `aws.s3.Bucket`. */
export const bucket = mapping({
  shape: z.strictObject({
    bucket: z.string().regex(/^[a-z0-9][-a-z0-9.]{1,61}[a-z0-9]$/),
    forceDestroy: z.boolean().optional(),
    tags,
  }),
  dropped: { forceDestroy: 'the provider uses it only when it deletes the bucket' },
  immutable: ['bucket'],
  async create(aws, { bucket: Bucket, tags: own }) {
    // us-east-1 must not be named.
    const location = aws.region === 'us-east-1' ? undefined : { LocationConstraint: aws.region };
    await aws.call('s3', 'CreateBucket', { Bucket, ...(location && { CreateBucketConfiguration: location }) });
    await aws.call('s3', 'PutBucketTagging', { Bucket, Tagging: { TagSet: tagList(own) } });
    return Bucket;
  },
  async read(aws, Bucket) {
    if (!(await findResource(aws.call('s3', 'HeadBucket', { Bucket })))) return undefined;
    const tagging = await findResource(aws.call('s3', 'GetBucketTagging', { Bucket }));
    return { bucket: Bucket, arn: `arn:aws:s3:::${Bucket}`, tags: tagging ? tagsOf(tagging, 'TagSet') : {} };
  },
  async update(aws, Bucket, { tags: own }) {
    await aws.call('s3', 'PutBucketTagging', { Bucket, Tagging: { TagSet: tagList(own) } });
  },
  async delete(aws, Bucket, { forceDestroy }) {
    if (forceDestroy === true) await deleteAllVersions(aws, Bucket);
    await aws.call('s3', 'DeleteBucket', { Bucket });
  },
});

/** Deletes every version of every object. */
async function deleteAllVersions(aws: Aws, Bucket: string): Promise<void> {
  const response = await aws.call('s3', 'ListObjectVersions', { Bucket });
  for (const one of [...response.list('Versions'), ...response.list('DeleteMarkers')])
    await aws.call('s3', 'DeleteObject', { Bucket, Key: one.text('Key'), VersionId: one.text('VersionId') });
}
