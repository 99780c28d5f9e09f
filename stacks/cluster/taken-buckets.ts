import { type Provider } from '@pulumi/aws/provider';
import { getBucket } from '@pulumi/aws/s3';
import { type Problem } from '@pinion-platform/pinion/api';
import { type BucketPlan } from '../plan';

/** Errors of S3 for a bucket of another account, in any region. */
const foreignBucket = /StatusCode: (301|403)|Forbidden/;
/** Maximum length of a bucket name. */
const maxLength = 63;

/** Returns a problem for each bucket name that another account uses: names are global, and S3 would reject one halfway through the update. */
export async function takenBuckets(plans: readonly BucketPlan[], provider: Provider): Promise<Problem[]> {
  const found = await Promise.all(
    plans.map(async ({ purpose, args: { bucket } }): Promise<Problem[]> => {
      if (!(await isTaken(bucket, provider))) return [];
      const free = await freeName(bucket, provider);
      return [
        {
          code: 'duplicate',
          path: ['buckets', purpose],
          value: bucket,
          reason: 'is already used by another account',
          remedy: free === undefined ? 'use an unused name' : `use "${free}"`,
        },
      ];
    }),
  );
  return found.flat();
}

/** Returns whether another account owns the bucket; false on other errors, which are reported when the bucket is created. */
async function isTaken(bucket: string, provider: Provider): Promise<boolean> {
  return getBucket({ bucket }, { provider }).then(
    () => false,
    (error: unknown) => foreignBucket.test(String(error)),
  );
}

async function freeName(bucket: string, provider: Provider): Promise<string | undefined> {
  for (let number = 2; number < 10; number++) {
    const name = `${bucket.slice(0, maxLength - 2)}-${number}`;
    if (!(await isTaken(name, provider))) return name;
  }
  return undefined;
}
