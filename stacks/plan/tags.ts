import { tagKeys } from '@pinion-platform/pinion/api';
import { type ClusterConfig } from './config/cluster-config';

/** Tags of a resource. */
export type Tags = Readonly<Record<string, string>>;

/** Part of a cluster, a tag value. */
export type Part = 'network' | 'identity' | 'control-plane' | 'nodes' | 'storage';

/** Returns the tag key with which the cloud controller manager and the volume driver identify resources of the cluster. */
export const kubernetesTag = (cluster: string): string => `kubernetes.io/cluster/${cluster}`;

/** Returns the tag key with which the cluster autoscaler finds its groups. */
export const autoscalerTag = (cluster: string): string => `k8s.io/cluster-autoscaler/${cluster}`;

/** Returns the tags of a resource: configured ones, name, cluster, part, and additional ones. */
export const tagsOf = (
  { name, tags }: Pick<ClusterConfig, 'name' | 'tags'>,
  part: Part,
  label: string,
  others: Tags = {},
): Tags => ({
  ...tags,
  Name: `${name}-${label}`,
  [tagKeys.cluster]: name,
  [tagKeys.part]: part,
  ...others,
});

/** Returns why a configured tag is invalid, if it is. */
export function tagFault(key: string, value: string): string | undefined {
  if (/^aws:/i.test(key)) return 'starts with "aws:", which AWS reserves';
  if (key === 'Name' || /^(pinion|kubernetes\.io|k8s\.io)\//.test(key)) return 'is set by pinion';
  if (key.length === 0 || key.length > 128) return 'has a key that is empty or longer than 128 characters';
  if (value.length > 256) return 'has a value of more than 256 characters';
  if (!/^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u.test(key + value))
    return 'has characters other than letters, digits, spaces and _ . : / = + - @';
  return undefined;
}
