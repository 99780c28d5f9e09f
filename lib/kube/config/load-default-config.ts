import { type ConnectionSettings } from './connection-settings';
import { inClusterConfig, type InClusterConfigOptions } from './in-cluster-config';
import { loadKubeConfig } from './kube-config';

/** Choice of a kubeconfig, as on a command line. */
export interface GivenKubeConfig {
  /** Path of the file. @default - as for kubectl */
  readonly kubeconfig?: string;
  /** @default - the current context */
  readonly context?: string;
}

/**
 * Returns the settings of a kubeconfig if its file or context is given, otherwise those of the pod's service account, and
 * outside a pod those that kubectl uses. Throws a `ProblemsError`.
 */
export function loadDefaultConfig(
  environment: InClusterConfigOptions['environment'],
  { kubeconfig, context }: GivenKubeConfig = {},
): ConnectionSettings {
  const isGiven = kubeconfig !== undefined || context !== undefined;
  if (environment['KUBERNETES_SERVICE_HOST'] && !isGiven) return inClusterConfig({ environment });
  return loadKubeConfig({
    environment,
    ...(kubeconfig !== undefined && { file: kubeconfig }),
    ...(context !== undefined && { context }),
  });
}
