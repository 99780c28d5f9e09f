import { type KubernetesPatchVersion } from '../bootstrap/node-cluster-config';
import { type ClusterConfig } from '../config/cluster-config';
import { addOnVersion } from '../platform';

/** Returns the Kubernetes patch version of machines, which is that of kube-proxy. */
export const exactVersion = ({ kubernetesVersion }: Pick<ClusterConfig, 'kubernetesVersion'>): KubernetesPatchVersion =>
  addOnVersion('kube-proxy', kubernetesVersion).replace(/^v/, '') as KubernetesPatchVersion;
