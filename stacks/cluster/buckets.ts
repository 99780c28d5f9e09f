import {
  Bucket,
  BucketLifecycleConfiguration,
  BucketLogging,
  BucketOwnershipControls,
  BucketPolicy,
  BucketPublicAccessBlock,
  BucketServerSideEncryptionConfiguration,
  BucketVersioning,
} from '@pulumi/aws/s3';
import { ComponentResource, type ComponentResourceOptions, type Input, type Output } from '@pulumi/pulumi';
import { type BucketPlan, type BucketPurpose } from '../plan';
import { partNamed } from './lookup';
import { optionsOf } from './resource-options';

/** What the buckets of a cluster are made from. */
export interface BucketsArgs {
  readonly plans: readonly BucketPlan[];
  /** ARN of the key that encrypts what only this account reads. */
  readonly keyArn: Input<string>;
}

/** The buckets of a cluster, each closed before anything is written to it. */
export class Buckets extends ComponentResource {
  readonly names: Readonly<Record<string, Output<string>>>;

  constructor(name: string, { plans, keyArn }: BucketsArgs, options?: ComponentResourceOptions) {
    super('pinion:cluster:Buckets', name, {}, options);
    const buckets = new Map<BucketPurpose, Bucket>(
      plans.map((plan) => [plan.purpose, new Bucket(plan.name, plan.args, optionsOf(this, plan))]),
    );
    const policies = new Map<BucketPurpose, BucketPolicy>();
    for (const plan of plans) {
      const bucket = partNamed(buckets, plan.purpose).bucket;
      policies.set(plan.purpose, this.guard(plan, bucket));
      this.keep(plan, bucket, keyArn);
    }
    for (const { name: own, purpose, accessLog } of plans.filter((plan) => plan.accessLog !== undefined))
      new BucketLogging(
        own,
        {
          bucket: partNamed(buckets, purpose).bucket,
          targetBucket: partNamed(buckets, 'logs').bucket,
          targetPrefix: accessLog ?? '',
        },
        // S3 refuses a target that it may not write to yet.
        { parent: this, dependsOn: [partNamed(policies, 'logs')] },
      );
    this.names = Object.fromEntries([...buckets].map(([purpose, { bucket }]) => [purpose, bucket]));
    this.registerOutputs({ names: this.names });
  }

  /** Who may read and write. */
  private guard(plan: BucketPlan, bucket: Output<string>): BucketPolicy {
    new BucketOwnershipControls(
      plan.name,
      { bucket, rule: { objectOwnership: plan.objectOwnership } },
      { parent: this },
    );
    const block = new BucketPublicAccessBlock(plan.name, { bucket, ...plan.publicAccess }, { parent: this });
    // A policy for everybody is refused until the block says that there may be one.
    return new BucketPolicy(plan.name, { bucket, policy: plan.policy }, { parent: this, dependsOn: [block] });
  }

  /** How objects are kept, and how long. */
  private keep(plan: BucketPlan, bucket: Output<string>, keyArn: Input<string>): void {
    const versioning = new BucketVersioning(
      plan.name,
      { bucket, versioningConfiguration: { status: plan.versioning } },
      { parent: this },
    );
    new BucketServerSideEncryptionConfiguration(
      plan.name,
      {
        bucket,
        rules: [
          {
            applyServerSideEncryptionByDefault: {
              sseAlgorithm: plan.encryption,
              ...(plan.encryption === 'aws:kms' && { kmsMasterKeyId: keyArn }),
            },
            ...(plan.bucketKeyEnabled && { bucketKeyEnabled: true }),
          },
        ],
      },
      { parent: this },
    );
    // Rules for old versions count only once there are versions.
    new BucketLifecycleConfiguration(
      plan.name,
      { bucket, rules: [...plan.lifecycle] },
      { parent: this, dependsOn: [versioning] },
    );
  }
}
