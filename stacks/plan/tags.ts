import { tagKeys } from 'pinion/api';
import { type ClusterConfig } from './cluster-config';

/** Tags of one resource. */
export type Tags = Readonly<Record<string, string>>;

/** Parts of a cluster. */
export type Part = 'network' | 'identity' | 'control-plane' | 'nodes' | 'storage';

/** Key of the tag by which the cloud controller manager and the volume driver know what is this cluster's. */
export const kubernetesTag = (cluster: string): string => `kubernetes.io/cluster/${cluster}`;

/** Key of the tag by which the cluster autoscaler finds its groups. */
export const autoscalerTag = (cluster: string): string => `k8s.io/cluster-autoscaler/${cluster}`;

/** Tags of a resource: the person's own, its name, cluster and part, and what else it is found by. */
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

/** What is wrong with a tag that a person gives; undefined where nothing is. */
export function tagFault(key: string, value: string): string | undefined {
  if (/^aws:/i.test(key)) return 'begins with "aws:", which is kept for AWS';
  if (key === 'Name' || /^(pinion|kubernetes\.io|k8s\.io)\//.test(key)) return 'is set for each resource';
  if (key.length === 0 || key.length > 128) return 'has no key of 1 to 128 characters';
  if (value.length > 256) return 'has a value of more than 256 characters';
  if (!/^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u.test(key + value))
    return 'has characters other than letters, digits, spaces and _ . : / = + - @';
  return undefined;
}
