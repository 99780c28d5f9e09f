import { type KubernetesObject } from '@pinion-platform/pinion';
import { bootstrapGroup } from '../../bootstrap/control-plane/access-objects';
import { rbacObjects, rule } from '../objects/program-rbac';
import { apiEndpoint } from '../objects/api-endpoint';
import { restrictedSecurityContext, unprivileged } from '../objects/platform-workload';
import { programObjects, systemNamespace } from '../objects/plain-object';
import { platformAccounts } from '../config/platform-accounts';
import { type PlatformStackConfig } from '../config/platform-stack-config';
import { webIdentity } from '../objects/web-identity';

const name = 'node-approver';
const object = programObjects(name, systemNamespace);
const selector = { 'app.kubernetes.io/name': name };

/** Node approver, on control plane nodes, since no other node has a certificate before it runs. */
export const nodeApprover = (config: PlatformStackConfig): KubernetesObject[] => [
  object('v1', 'ServiceAccount', name, { automountServiceAccountToken: false }),
  ...rbacObjects(name, {
    account: platformAccounts[name],
    cluster: [
      rule('', ['events'], ['create', 'patch']),
      rule('', ['nodes'], ['get']),
      rule('certificates.k8s.io', ['certificatesigningrequests'], ['list', 'watch']),
      rule('certificates.k8s.io', ['certificatesigningrequests/approval'], ['update']),
      rule(
        'certificates.k8s.io',
        ['signers'],
        ['approve'],
        ['kubernetes.io/kube-apiserver-client-kubelet', 'kubernetes.io/kubelet-serving'],
      ),
    ],
    own: [
      rule('', ['configmaps'], ['create']),
      rule('', ['configmaps'], ['get', 'update'], ['pinion-node-certificates']),
      rule('coordination.k8s.io', ['leases'], ['create']),
      rule('coordination.k8s.io', ['leases'], ['get', 'update'], ['pinion-node-approver']),
    ],
  }),
  object('policy/v1', 'PodDisruptionBudget', name, {
    spec: { maxUnavailable: 1, selector: { matchLabels: selector }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  }),
  object('apps/v1', 'Deployment', name, {
    spec: {
      replicas: Math.min(2, config.controlPlane.count),
      // A pod that crashes right after startup is not available.
      minReadySeconds: 10,
      selector: { matchLabels: selector },
      template: { metadata: { labels: selector }, spec: pod(config) },
    },
  }),
];

function pod(config: PlatformStackConfig) {
  const identity = webIdentity(config.roles[name], config.region);
  return {
    serviceAccountName: name,
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    priorityClassName: 'system-cluster-critical',
    // There is no pod network yet. It listens on no port.
    hostNetwork: true,
    dnsPolicy: 'Default',
    nodeSelector: { 'node-role.kubernetes.io/control-plane': '' },
    tolerations: [
      'node-role.kubernetes.io/control-plane',
      'node.cloudprovider.kubernetes.io/uninitialized',
      'node.kubernetes.io/not-ready',
      'node.cilium.io/agent-not-ready',
    ].map((key) => ({ key, operator: 'Exists' })),
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: selector },
        matchLabelKeys: ['pod-template-hash'],
      },
    ],
    securityContext: unprivileged(65532),
    containers: [
      {
        name,
        image: config.nodeLifecycleImage,
        args: [name],
        env: [
          ...apiEndpoint(config),
          ...identity.env,
          { name: 'CLUSTER', value: config.cluster },
          { name: 'BOOTSTRAP_GROUP', value: bootstrapGroup },
          { name: 'LEASE_NAMESPACE', value: systemNamespace },
        ],
        resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } },
        securityContext: restrictedSecurityContext,
        volumeMounts: [identity.mount],
      },
    ],
    volumes: [identity.volume],
  };
}
