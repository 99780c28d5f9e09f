import { type ConnectionSettings, inCluster, loadKubeConfig } from '../kube';

/** Where the API server of a process is: its pod's own, or, outside of a cluster, the one that kubectl would ask. */
export const settingsOf = (environment: Readonly<Record<string, string | undefined>>): ConnectionSettings =>
  environment['KUBERNETES_SERVICE_HOST'] === undefined ? loadKubeConfig({ environment }) : inCluster({ environment });
