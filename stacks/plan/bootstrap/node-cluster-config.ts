/** Kubernetes patch version of kubeadm, the kubelet and images. */
export type KubernetesPatchVersion = `1.35.${number}` | `1.36.${number}`;

/** Cluster settings of every machine. */
export interface NodeClusterConfig {
  readonly name: string;
  readonly region: string;
  readonly kubernetesVersion: KubernetesPatchVersion;
  /** Host name of the API's internal load balancer. */
  readonly endpoint: string;
  /** DNS domain of the cluster, such as `cluster.local`. */
  readonly clusterDomain: string;
  /** DNS server addresses of pods. */
  readonly clusterDns: readonly string[];
  /** Path of the cluster's parameters in Systems Manager, such as `/pinion/main`. */
  readonly parameters: string;
  /** CIDR blocks of the subnets of workers and internal load balancers. */
  readonly workerSubnets: readonly string[];
}

/**
 * Names of the parameters under the cluster's path, by content.
 *
 * Control plane nodes create all of them, as a SecureString except for the certificate, which is public. Workers read only
 * `ca-certificate` and `bootstrap-token`.
 */
export const parameterNames = {
  authority: 'ca',
  etcdAuthority: 'etcd-ca',
  frontProxyAuthority: 'front-proxy-ca',
  serviceAccountKey: 'service-account-key',
  encryptionKey: 'encryption-key',
  authorityCertificate: 'ca-certificate',
  bootstrapToken: 'bootstrap-token',
} as const;
