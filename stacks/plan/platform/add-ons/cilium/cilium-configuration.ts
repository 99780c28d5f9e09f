import { type PlatformStackConfig } from '../../config/platform-stack-config';

/** Prefix length of the pod CIDR block of each node: 254 addresses. */
export const nodeBlockPrefix = 24;

/** Host ports of the agent and the operator: health checks for the kubelet, and metrics. */
export const ciliumPorts = {
  agentHealth: 9879,
  agentMetrics: 9962,
  operatorHealth: 9234,
  operatorMetrics: 9963,
} as const;

/** Returns the settings of Cilium that differ from the defaults or must not change with them. */
export const ciliumConfiguration = ({ network }: PlatformStackConfig): Record<string, string> => ({
  // IPAM: the operator allocates a block of the pod CIDR to each node.
  ipam: 'cluster-pool',
  'cluster-pool-ipv4-cidr': network.pods,
  'cluster-pool-ipv4-mask-size': String(nodeBlockPrefix),
  'enable-ipv4': 'true',
  'enable-ipv6': 'false',
  // Routing: a tunnel between nodes, and masquerading with the node's address for other destinations.
  'routing-mode': 'tunnel',
  'tunnel-protocol': 'vxlan',
  'tunnel-port': String(network.overlay.port),
  'enable-ipv4-masquerade': 'true',
  'auto-direct-node-routes': 'false',
  'datapath-mode': 'veth',
  // Services are implemented by kube-proxy.
  'kube-proxy-replacement': 'false',
  'bpf-lb-sock': 'false',
  'enable-lb-ipam': 'false',
  // Policies: only NetworkPolicy; CIDR rules match nodes too, otherwise API servers could not reach pods.
  'enable-policy': 'default',
  'enable-k8s-networkpolicy': 'true',
  'policy-cidr-match-mode': 'nodes',
  'enable-l7-proxy': 'false',
  'external-envoy-proxy': 'false',
  'enable-policy-secrets-sync': 'false',
  'enable-hubble': 'false',
  // Identities and endpoints are custom resources, deleted when unused.
  'identity-allocation-mode': 'crd',
  'identity-management-mode': 'agent',
  'identity-gc-interval': '15m0s',
  'identity-heartbeat-timeout': '30m0s',
  'cilium-endpoint-gc-interval': '5m0s',
  'nodes-gc-interval': '5m0s',
  // Nodes: no pod is scheduled before the agent is ready, and pods that it does not manage are not restarted.
  'agent-not-ready-taint-key': 'node.cilium.io/agent-not-ready',
  'remove-cilium-node-taints': 'true',
  'set-cilium-node-taints': 'true',
  'set-cilium-is-up-condition': 'true',
  'synchronize-k8s-nodes': 'true',
  'unmanaged-pod-watcher-interval': '0s',
  'cni-exclusive': 'true',
  'cni-log-file': '/var/run/cilium/cilium-cni.log',
  'write-cni-conf-when-ready': '/host/etc/cni/net.d/05-cilium.conflist',
  // Health checks between nodes would need a port that no security group opens.
  'enable-health-checking': 'false',
  'enable-endpoint-health-checking': 'false',
  'operator-api-serve-addr': `127.0.0.1:${ciliumPorts.operatorHealth}`,
  'agent-health-port': String(ciliumPorts.agentHealth),
  'prometheus-serve-addr': `:${ciliumPorts.agentMetrics}`,
  'operator-prometheus-serve-addr': `:${ciliumPorts.operatorMetrics}`,
  'enable-metrics': 'true',
  // Kernel settings.
  'bpf-root': '/sys/fs/bpf',
  'bpf-map-dynamic-size-ratio': '0.0025',
  'cgroup-root': '/run/cilium/cgroupv2',
  procfs: '/host/proc',
  'preallocate-bpf-maps': 'false',
  'monitor-aggregation': 'medium',
  'monitor-aggregation-interval': '5s',
  'monitor-aggregation-flags': 'all',
  debug: 'false',
});
