import { type ClusterConfig } from './cluster-config';
import { partitionOf } from './regions';

/** What a bucket of the cluster is for. */
export type BucketPurpose = 'snapshots' | 'logs' | 'issuer';

type Named = Pick<ClusterConfig, 'name' | 'account' | 'region' | 'buckets'>;

/** Host name of the API. */
export const apiHost = ({ domain }: Pick<ClusterConfig, 'domain'>): string => `api.${domain}`;

/** Name of a bucket: the one that a person gave, or one that no other account has by chance. */
export const bucketName = ({ name, account, region, buckets }: Named, purpose: BucketPurpose): string =>
  buckets[purpose] ?? `${name}-${account}-${region}-${purpose}`;

/** URL of the issuer of service account tokens; its two documents are what a bucket serves. */
export const issuerUrl = (config: Named): string =>
  `https://${bucketName(config, 'issuer')}.s3.${config.region}.amazonaws.com`;

/** Name of the Auto Scaling group of one master. */
export const masterGroupName = (cluster: string, member: string): string => `${cluster}-master-${member}`;

/** Name of the Auto Scaling group of one pool. */
export const nodeGroupName = (cluster: string, pool: string): string => `${cluster}-node-${pool}`;

/** Name of the load balancer of the API, and of its target group. */
export const loadBalancerName = (cluster: string): string => `${cluster}-api`;

/** Name of the queue that tells of nodes to be drained. */
export const drainQueueName = (cluster: string): string => `${cluster}-drain`;

/** Name of an IAM role, and of the instance profile that hands it out. */
export const roleName = (cluster: string, role: string): string => `${cluster}-${role}`;

/** Path below which the parameters of the cluster's machines are. */
export const parameterPath = (cluster: string): string => `/pinion/${cluster}`;

/** Alias of the key that encrypts what the cluster keeps. */
export const keyAlias = (cluster: string): string => `alias/pinion/${cluster}`;

/** ARN of something in the cluster's region and account. */
export const regionalArn = ({ region, account }: Named, service: string, resource: string): string =>
  `arn:${partitionOf(region)}:${service}:${region}:${account}:${resource}`;

/** ARN of something in the cluster's account that belongs to no region. */
export const accountArn = ({ region, account }: Named, service: string, resource: string): string =>
  `arn:${partitionOf(region)}:${service}::${account}:${resource}`;

/** ARN of something that belongs to neither region nor account. */
export const globalArn = ({ region }: Named, service: string, resource: string): string =>
  `arn:${partitionOf(region)}:${service}:::${resource}`;

/** ARN of a bucket of the cluster, or of objects in it. */
export const bucketArn = (config: Named, purpose: BucketPurpose, objects = ''): string =>
  globalArn(config, 's3', `${bucketName(config, purpose)}${objects}`);
