import { type ConnectionSettings } from './connection-settings';
import { inCluster, type InClusterOptions } from './in-cluster';
import { loadKubeConfig } from './kube-config';

/** The cluster that a process runs in, by the service account of its pod; outside of a pod the one that kubectl would ask. Throws a `ProblemsError`. */
export const ownCluster = (environment: InClusterOptions['environment']): ConnectionSettings =>
  environment['KUBERNETES_SERVICE_HOST'] ? inCluster({ environment }) : loadKubeConfig({ environment });
