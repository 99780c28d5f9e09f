import { type NodeClusterConfig } from './node-cluster-config';

/** Node taint. */
export interface NodeTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** Configuration of the kubelets of a group of machines. */
export interface KubeletSpec {
  readonly maxPods: number;
  /** Rate limits by field of KubeletConfiguration: `kubeAPIQPS`, `kubeAPIBurst`, `eventRecordQPS`, `eventBurst`. */
  readonly rates: Readonly<Record<string, number>>;
  /** Resources reserved for Kubernetes components. */
  readonly kubeReserved: Readonly<Record<string, string>>;
  /** Resources reserved for the operating system. */
  readonly systemReserved: Readonly<Record<string, string>>;
  /** Fields of KubeletConfiguration that override all others. @default - none */
  readonly overrides?: Readonly<Record<string, unknown>>;
}

const evictionHard = {
  'memory.available': '200Mi',
  'nodefs.available': '10%',
  'nodefs.inodesFree': '5%',
  'imagefs.available': '10%',
  'imagefs.inodesFree': '5%',
};

/**
 * Returns a `KubeletConfiguration` of `kubelet.config.k8s.io/v1beta1`.
 *
 * Serving certificates are requested from the cluster and not self-signed, so that the API server can distinguish a kubelet
 * from another process at its address. Reservations are subtracted from what pods get and not enforced by cgroups,
 * which would throttle the kubelet itself.
 */
export function kubeletConfiguration(
  cluster: NodeClusterConfig,
  kubelet: KubeletSpec,
  taints: readonly NodeTaint[],
): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' },
    },
    authorization: { mode: 'Webhook' },
    cgroupDriver: 'systemd',
    clusterDNS: cluster.clusterDns,
    clusterDomain: cluster.clusterDomain,
    containerLogMaxFiles: 5,
    containerLogMaxSize: '50Mi',
    containerRuntimeEndpoint,
    evictionHard,
    ...kubelet.rates,
    kubeReserved: kubelet.kubeReserved,
    maxParallelImagePulls: 5,
    maxPods: kubelet.maxPods,
    registerWithTaints: taints,
    rotateCertificates: true,
    seccompDefault: true,
    serializeImagePulls: false,
    serverTLSBootstrap: true,
    shutdownGracePeriod: '60s',
    shutdownGracePeriodCriticalPods: '20s',
    staticPodPath: '/etc/kubernetes/manifests',
    systemReserved: kubelet.systemReserved,
    tlsMinVersion: 'VersionTLS12',
    ...kubelet.overrides,
  };
}

/** Socket of containerd. */
export const containerRuntimeEndpoint = 'unix:///run/containerd/containerd.sock';
