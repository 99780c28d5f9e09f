import { type KubernetesObject } from '@pinion-platform/pinion';
import { addressAt, formatAddress, parseCidr } from '../../network/cidr';
import { rbacObjects, rule } from '../objects/program-rbac';
import { addOnImage } from './add-ons';
import { maxPlannedNodes } from '../config/cluster-bounds';
import { programObjects, systemNamespace } from '../objects/plain-object';
import { type PlatformStackConfig } from '../config/platform-stack-config';

const program = 'coredns';
/** Conventional name of the DNS service, from before CoreDNS. */
const service = 'kube-dns';
const object = programObjects(program, systemNamespace);
const selector = { 'k8s-app': service };

/** Nodes per pod, as recommended for proportional autoscaling of DNS. */
const nodesPerPod = 16;

/** Returns the address of the DNS service: the tenth of the service block, also set in kubelets. */
export function dnsAddress(services: string): string {
  const cidr = parseCidr(services);
  if (!cidr) throw new RangeError(`${services} is not a CIDR block`);
  return formatAddress(addressAt(cidr, 10));
}

/** Returns the objects of CoreDNS: two pods, and more under load, up to the maximum size of the cluster. */
export const coreDns = (config: PlatformStackConfig): KubernetesObject[] => [
  object('v1', 'ServiceAccount', program, { automountServiceAccountToken: false }),
  ...rbacObjects(program, {
    account: { namespace: systemNamespace, name: program },
    cluster: [
      rule('', ['namespaces', 'pods', 'services'], ['list', 'watch']),
      rule('discovery.k8s.io', ['endpointslices'], ['list', 'watch']),
    ],
  }),
  object('v1', 'ConfigMap', program, { data: { Corefile: corefile(config) } }),
  object('v1', 'Service', service, { spec: serviceSpec(config) }, { labels: selector }),
  object('policy/v1', 'PodDisruptionBudget', program, {
    spec: { maxUnavailable: 1, selector: { matchLabels: selector }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  }),
  object('apps/v1', 'Deployment', program, {
    // The autoscaler sets the number of pods; without metrics it keeps the minimum.
    spec: {
      selector: { matchLabels: selector },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: { metadata: { labels: { ...selector, 'app.kubernetes.io/name': program } }, spec: pod(config) },
    },
  }),
  object('autoscaling/v2', 'HorizontalPodAutoscaler', program, {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: program },
      minReplicas: 2,
      maxReplicas: Math.max(3, Math.ceil(maxPlannedNodes(config) / nodesPerPod)),
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
      ],
    },
  }),
];

const serviceSpec = ({ network }: PlatformStackConfig) => ({
  type: 'ClusterIP',
  clusterIP: dnsAddress(network.services),
  selector,
  ports: [
    { name: 'dns', port: 53, targetPort: 'dns', protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, targetPort: 'dns-tcp', protocol: 'TCP' },
    { name: 'metrics', port: 9153, targetPort: 'metrics', protocol: 'TCP' },
  ],
});

const corefile = ({ clusterDomain }: PlatformStackConfig): string => `.:53 {
    errors
    health {
        lameduck 5s
    }
    ready
    kubernetes ${clusterDomain} in-addr.arpa ip6.arpa {
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
        ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
        max_concurrent 1000
    }
    cache 30 {
        disable success ${clusterDomain}
        disable denial ${clusterDomain}
    }
    loop
    reload
    loadbalance
}
`;

const pod = (config: PlatformStackConfig) => ({
  serviceAccountName: program,
  automountServiceAccountToken: true,
  priorityClassName: 'system-cluster-critical',
  // External names are resolved as on the node.
  dnsPolicy: 'Default',
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' }],
  securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
  topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: selector },
    matchLabelKeys: ['pod-template-hash'],
  })),
  containers: [container(config)],
  volumes: [{ name: 'configuration', configMap: { name: program, items: [{ key: 'Corefile', path: 'Corefile' }] } }],
});

const container = (config: PlatformStackConfig) => ({
  name: program,
  image: addOnImage(config, program),
  args: ['-conf', '/etc/coredns/Corefile'],
  ports: [
    { name: 'dns', containerPort: 53, protocol: 'UDP' },
    { name: 'dns-tcp', containerPort: 53, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9153, protocol: 'TCP' },
    { name: 'health', containerPort: 8080, protocol: 'TCP' },
    { name: 'ready', containerPort: 8181, protocol: 'TCP' },
  ],
  livenessProbe: {
    httpGet: { path: '/health', port: 'health' },
    initialDelaySeconds: 60,
    timeoutSeconds: 5,
    failureThreshold: 5,
  },
  readinessProbe: { httpGet: { path: '/ready', port: 'ready' } },
  resources: { requests: { cpu: '100m', memory: '70Mi' }, limits: { memory: '170Mi' } },
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
    readOnlyRootFilesystem: true,
  },
  volumeMounts: [{ name: 'configuration', mountPath: '/etc/coredns', readOnly: true }],
});
