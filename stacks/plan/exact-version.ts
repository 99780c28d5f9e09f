import { type KubernetesVersion } from './bootstrap/cluster-facts';
import { type ClusterConfig } from './cluster-config';
import { versionOf } from './platform';

/** Exact version of Kubernetes' programs on machines; kube-proxy is released with them. */
export const exactVersion = ({ kubernetes }: Pick<ClusterConfig, 'kubernetes'>): KubernetesVersion =>
  versionOf('kube-proxy', kubernetes).replace(/^v/, '') as KubernetesVersion;
