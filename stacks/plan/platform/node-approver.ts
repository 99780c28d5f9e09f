import { type KubernetesObject } from 'pinion';
import { bootstrapGroup } from '../bootstrap/access-objects';
import { accessOf, rule } from './access';
import { apiEndpoint } from './api-endpoint';
import { confined, unprivileged } from './own-workload';
import { objectsOf, systemNamespace } from './plain-object';
import { platformAccounts } from './platform-accounts';
import { type PlatformFacts } from './platform-facts';
import { webIdentity } from './web-identity';

const name = 'node-approver';
const object = objectsOf(name, systemNamespace);
const selector = { 'app.kubernetes.io/name': name };

/** The node approver: on masters, because no other node has a certificate before it has run. */
export const nodeApprover = (facts: PlatformFacts): KubernetesObject[] => [
  object('v1', 'ServiceAccount', name, { automountServiceAccountToken: false }),
  ...accessOf(name, {
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
      rule('coordination.k8s.io', ['leases'], ['create']),
      rule('coordination.k8s.io', ['leases'], ['get', 'update'], ['pinion-node-approver']),
    ],
  }),
  object('policy/v1', 'PodDisruptionBudget', name, {
    spec: { maxUnavailable: 1, selector: { matchLabels: selector }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  }),
  object('apps/v1', 'Deployment', name, {
    spec: {
      replicas: Math.min(2, facts.masters.count),
      // Whoever starts and ends again at once is not there.
      minReadySeconds: 10,
      selector: { matchLabels: selector },
      template: { metadata: { labels: selector }, spec: pod(facts) },
    },
  }),
];

function pod(facts: PlatformFacts) {
  const identity = webIdentity(facts.roles[name], facts.region);
  return {
    serviceAccountName: name,
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    priorityClassName: 'system-cluster-critical',
    // There is no other network yet. Nothing of it listens on this one.
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
        image: facts.machinesImage,
        args: [name],
        env: [
          ...apiEndpoint(facts),
          ...identity.env,
          { name: 'CLUSTER', value: facts.cluster },
          { name: 'BOOTSTRAP_GROUP', value: bootstrapGroup },
          { name: 'LEASE_NAMESPACE', value: systemNamespace },
        ],
        resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } },
        securityContext: confined,
        volumeMounts: [identity.mount],
      },
    ],
    volumes: [identity.volume],
  };
}
