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
import { requirePart } from './require-part';
import { optionsOf } from './resource-options';

/** Arguments of `Buckets`. */
export interface BucketsArgs {
  readonly plans: readonly BucketPlan[];
  /** ARN of the key for buckets that only this account reads. */
  readonly keyArn: Input<string>;
}

/** Buckets of a cluster, each with access policy, encryption and lifecycle. */
export class Buckets extends ComponentResource {
  readonly names: Readonly<Record<string, Output<string>>>;

  constructor(name: string, { plans, keyArn }: BucketsArgs, options?: ComponentResourceOptions) {
    super('pinion:cluster:Buckets', name, {}, options);
    const buckets = new Map<BucketPurpose, Bucket>(
      plans.map((plan) => [plan.purpose, new Bucket(plan.name, plan.args, optionsOf(this, plan))]),
    );
    const policies = new Map<BucketPurpose, BucketPolicy>();
    for (const plan of plans) {
      const bucket = requirePart(buckets, plan.purpose).bucket;
      policies.set(plan.purpose, this.restrictAccess(plan, bucket));
      this.configureStorage(plan, bucket, keyArn);
    }
    for (const { name: bucketName, purpose, accessLog } of plans.filter((plan) => plan.accessLog !== undefined))
      new BucketLogging(
        bucketName,
        {
          bucket: requirePart(buckets, purpose).bucket,
          targetBucket: requirePart(buckets, 'logs').bucket,
          targetPrefix: accessLog ?? '',
        },
        // S3 rejects a target that it may not write to yet.
        { parent: this, dependsOn: [requirePart(policies, 'logs')] },
      );
    this.names = Object.fromEntries([...buckets].map(([purpose, { bucket }]) => [purpose, bucket]));
    this.registerOutputs({ names: this.names });
  }

  /** Configures ownership, public access block and policy. */
  private restrictAccess(plan: BucketPlan, bucket: Output<string>): BucketPolicy {
    new BucketOwnershipControls(
      plan.name,
      { bucket, rule: { objectOwnership: plan.objectOwnership } },
      { parent: this },
    );
    const block = new BucketPublicAccessBlock(plan.name, { bucket, ...plan.publicAccess }, { parent: this });
    // A public policy is rejected until the public access block allows it.
    return new BucketPolicy(plan.name, { bucket, policy: plan.policy }, { parent: this, dependsOn: [block] });
  }

  /** Configures versioning, encryption and lifecycle. */
  private configureStorage(plan: BucketPlan, bucket: Output<string>, keyArn: Input<string>): void {
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
    // Rules for noncurrent versions need versioning.
    new BucketLifecycleConfiguration(
      plan.name,
      { bucket, rules: [...plan.lifecycle] },
      { parent: this, dependsOn: [versioning] },
    );
  }
}
