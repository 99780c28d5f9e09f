import { type KubernetesPatchVersion } from '../bootstrap/node-cluster-config';
import { type ClusterConfig } from '../config/cluster-config';
import { addOnVersion } from '../platform';

/** Returns the exact version of Kubernetes on machines; kube-proxy is released with it. */
export const exactVersion = ({ kubernetesVersion }: Pick<ClusterConfig, 'kubernetesVersion'>): KubernetesPatchVersion =>
  addOnVersion('kube-proxy', kubernetesVersion).replace(/^v/, '') as KubernetesPatchVersion;
