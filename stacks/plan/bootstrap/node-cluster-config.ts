/** Exact version of Kubernetes; kubeadm, kubelet and images are of this one. */
export type KubernetesPatchVersion = `1.35.${number}` | `1.36.${number}`;

/** Cluster settings of every machine. */
export interface NodeClusterConfig {
  readonly name: string;
  readonly region: string;
  readonly kubernetesVersion: KubernetesPatchVersion;
  /** Host name of the API's internal load balancer. */
  readonly endpoint: string;
  /** `cluster.local` */
  readonly clusterDomain: string;
  /** DNS server addresses of pods. */
  readonly clusterDns: readonly string[];
  /** Path of the cluster's parameters in Systems Manager, `/pinion/main`. */
  readonly parameters: string;
}

/**
 * Parameters below the cluster's path, by what they hold.
 *
 * Control plane nodes create all of them; a SecureString each but for the certificate, which is public. Workers read `ca-certificate`
 * and `bootstrap-token` alone.
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
