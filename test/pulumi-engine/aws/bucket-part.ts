import { type z } from 'zod';
import { type Values } from '../cloud';
import { type AwsResponse } from './aws-response';
import { findResource } from './find-resource';
import { mapping, type Mapping } from './mapping';

/** Singleton property of a bucket that is a separate resource. */
export interface BucketPart<Shape extends z.ZodObject> extends Pick<Mapping<Shape>, 'shape' | 'dropped'> {
  /** Operations of S3. */
  readonly put: string;
  readonly get: string;
  /** Operation that deletes it, or parameters that reset it. */
  readonly reset: string | Values;
  /** Parameters to write, besides the bucket. */
  readonly parameters: (inputs: z.output<Shape>) => Values;
  /** Fields that are read, besides the bucket; undefined if it is not set. */
  readonly parse: (response: AwsResponse) => Values | undefined;
}

/** Returns the mapping of a bucket property: its ID is the bucket's name, and it shares the bucket's lifetime. */
export const bucketPart = <Shape extends z.ZodObject>(part: BucketPart<Shape>): Mapping => {
  const { shape, dropped, put, get, reset, parameters, parse } = part;
  return mapping({
    shape: shape as z.ZodObject,
    immutable: ['bucket'],
    ...(dropped && { dropped }),
    async create(aws, inputs) {
      const Bucket = String(inputs['bucket']);
      await aws.call('s3', put, { Bucket, ...parameters(inputs as z.output<Shape>) });
      return Bucket;
    },
    async read(aws, Bucket) {
      const response = await findResource(aws.call('s3', get, { Bucket }));
      const fields = response && parse(response);
      return fields && { bucket: Bucket, ...fields };
    },
    async update(aws, Bucket, inputs) {
      await aws.call('s3', put, { Bucket, ...parameters(inputs as z.output<Shape>) });
    },
    async delete(aws, Bucket) {
      const deletion =
        typeof reset === 'string' ? aws.call('s3', reset, { Bucket }) : aws.call('s3', put, { Bucket, ...reset });
      await findResource(deletion);
    },
  });
};
