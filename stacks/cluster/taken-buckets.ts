import { type Provider } from '@pulumi/aws/provider';
import { getBucket } from '@pulumi/aws/s3';
import { type Problem } from 'pinion/api';
import { type BucketPlan } from '../plan';

/** How S3 says that a bucket is there, and that somebody else has it, whichever region it is in. */
const somebodyElses = /StatusCode: (301|403)|Forbidden/;
/** Characters that the name of a bucket has at most. */
const longest = 63;

/** Names of buckets that another account has: all accounts share them, and S3 would refuse one halfway through the update. */
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
          reason: 'is the name of a bucket that another account has',
          remedy: free === undefined ? 'use a name that nobody has' : `use "${free}"`,
        },
      ];
    }),
  );
  return found.flat();
}

/** False where nothing can be said: what stands in the way then is told when the bucket is made. */
async function isTaken(bucket: string, provider: Provider): Promise<boolean> {
  return getBucket({ bucket }, { provider }).then(
    () => false,
    (error: unknown) => somebodyElses.test(String(error)),
  );
}

async function freeName(bucket: string, provider: Provider): Promise<string | undefined> {
  for (let number = 2; number < 10; number++) {
    const name = `${bucket.slice(0, longest - 2)}-${number}`;
    if (!(await isTaken(name, provider))) return name;
  }
  return undefined;
}
