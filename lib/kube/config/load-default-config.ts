import { type ConnectionSettings } from './connection-settings';
import { inCluster, type InClusterOptions } from './in-cluster';
import { loadKubeConfig } from './kube-config';

/** Returns the settings of the pod's service account, or outside a pod those of the kubeconfig. Throws a `ProblemsError`. */
export const loadDefaultConfig = (environment: InClusterOptions['environment']): ConnectionSettings =>
  environment['KUBERNETES_SERVICE_HOST'] ? inCluster({ environment }) : loadKubeConfig({ environment });
