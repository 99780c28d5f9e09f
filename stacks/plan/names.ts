import { type ClusterConfig } from './config/cluster-config';
import { partitionOf } from './config/regions';

/** Purpose of a bucket. */
export type BucketPurpose = 'snapshots' | 'logs' | 'issuer';

type Named = Pick<ClusterConfig, 'name' | 'accountId' | 'region' | 'buckets'>;

/** Returns the host name of the API. */
export const apiHost = ({ domain }: Pick<ClusterConfig, 'domain'>): string => `api.${domain}`;

/** Returns the name of a bucket: the configured one, or one that is unlikely to collide with other accounts. */
export const bucketName = ({ name, accountId, region, buckets }: Named, purpose: BucketPurpose): string =>
  buckets[purpose] ?? `${name}-${accountId}-${region}-${purpose}`;

/** Returns the issuer URL of service account tokens, which the issuer bucket serves. */
export const issuerUrl = (config: Named): string =>
  `https://${bucketName(config, 'issuer')}.s3.${config.region}.amazonaws.com`;

/**
 * Paths of the OIDC discovery document and keys under the issuer URL. API servers serve them at the same paths; control
 * plane nodes copy them to the bucket, since they create the keys.
 */
export const issuerPaths = ['.well-known/openid-configuration', 'openid/v1/jwks'] as const;

/** Returns the name of the Auto Scaling group of a control plane node. */
export const controlPlaneGroupName = (cluster: string, member: string): string => `${cluster}-control-plane-${member}`;

/** Returns the name of the Auto Scaling group of a pool. */
export const nodeGroupName = (cluster: string, pool: string): string => `${cluster}-node-${pool}`;

/** Returns the name of the API load balancer and its target group. */
export const loadBalancerName = (cluster: string): string => `${cluster}-api`;

/** Returns the name of the drain queue. */
export const drainQueueName = (cluster: string): string => `${cluster}-drain`;

/** Returns the name of an IAM role and its instance profile. */
export const roleName = (cluster: string, role: string): string => `${cluster}-${role}`;

/** Returns the path prefix of parameters in Systems Manager. */
export const parameterPath = (cluster: string): string => `/pinion/${cluster}`;

/** Returns the alias of the KMS key. */
export const keyAlias = (cluster: string): string => `alias/pinion/${cluster}`;

/** Returns the ARN of a regional resource. */
export const regionalArn = ({ region, accountId }: Named, service: string, resource: string): string =>
  `arn:${partitionOf(region)}:${service}:${region}:${accountId}:${resource}`;

/** Returns the ARN of a global resource of the account. */
export const accountArn = ({ region, accountId }: Named, service: string, resource: string): string =>
  `arn:${partitionOf(region)}:${service}::${accountId}:${resource}`;

/** Returns the ARN of a resource without region and account. */
export const globalArn = ({ region }: Named, service: string, resource: string): string =>
  `arn:${partitionOf(region)}:${service}:::${resource}`;

/** Returns the ARN of a bucket, or of objects in it. */
export const bucketArn = (config: Named, purpose: BucketPurpose, objects = ''): string =>
  globalArn(config, 's3', `${bucketName(config, purpose)}${objects}`);
