import { type z } from 'zod';
import { type Values } from '../cloud';
import { type Answer } from './answer';
import { found } from './found';
import { mapping, type Mapping } from './mapping';

/** What a bucket has one of, under a resource of its own. */
export interface BucketPart<Shape extends z.ZodObject> extends Pick<Mapping<Shape>, 'shape' | 'remembered'> {
  /** Operations of S3. */
  readonly put: string;
  readonly get: string;
  /** What ends it: an operation, or what is put in its place. */
  readonly end: string | Values;
  /** What is put, beside the bucket. */
  readonly said: (inputs: z.output<Shape>) => Values;
  /** What is told, beside the bucket; undefined where there is none. */
  readonly told: (answer: Answer) => Values | undefined;
}

/** A part of a bucket: it has the bucket's name as its id, and no other life than the bucket. */
export const bucketPart = <Shape extends z.ZodObject>(part: BucketPart<Shape>): Mapping => {
  const { shape, remembered, put, get, end, said, told } = part;
  return mapping({
    shape: shape as z.ZodObject,
    fixed: ['bucket'],
    ...(remembered && { remembered }),
    async create(aws, inputs) {
      const Bucket = String(inputs['bucket']);
      await aws.call('s3', put, { Bucket, ...said(inputs as z.output<Shape>) });
      return Bucket;
    },
    async read(aws, Bucket) {
      const answer = await found(aws.call('s3', get, { Bucket }));
      const fields = answer && told(answer);
      return fields && { bucket: Bucket, ...fields };
    },
    async update(aws, Bucket, inputs) {
      await aws.call('s3', put, { Bucket, ...said(inputs as z.output<Shape>) });
    },
    async delete(aws, Bucket) {
      const asked = typeof end === 'string' ? aws.call('s3', end, { Bucket }) : aws.call('s3', put, { Bucket, ...end });
      await found(asked);
    },
  });
};
