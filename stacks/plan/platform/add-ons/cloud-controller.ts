import { type KubernetesObject } from '@pinion-platform/pinion';
import { rbacObjects, leaderElectionRules, readVerbs, rule, eventRule } from '../objects/program-rbac';
import { addOnImage } from './add-ons';
import { apiEndpoint } from '../objects/api-endpoint';
import { platformAccounts } from '../config/platform-accounts';
import { programObjects, systemNamespace } from '../objects/plain-object';
import { type PlatformStackConfig } from '../config/platform-stack-config';
import { webIdentity } from '../objects/web-identity';

const name = 'cloud-controller-manager';
const object = programObjects(name, systemNamespace);
const selector = { 'app.kubernetes.io/name': name };
const port = 10258;

/** AWS cloud controller manager: one pod per control plane node, one leader. */
export const cloudController = (config: PlatformStackConfig): KubernetesObject[] => [
  object('v1', 'ServiceAccount', name, { automountServiceAccountToken: false }),
  ...rbacObjects(name, {
    account: platformAccounts[name],
    authenticates: true,
    cluster: [
      eventRule,
      rule('', ['nodes'], [...readVerbs, 'delete', 'patch', 'update']),
      rule('', ['nodes/status', 'services/status'], ['patch', 'update']),
      rule('', ['services'], [...readVerbs, 'patch', 'update']),
    ],
    own: leaderElectionRules(name),
  }),
  object('v1', 'ConfigMap', name, { data: { 'cloud.conf': cloudConfiguration(config) } }),
  object('apps/v1', 'DaemonSet', name, {
    spec: {
      selector: { matchLabels: selector },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: { metadata: { labels: selector }, spec: pod(config) },
    },
  }),
];

/** With managed security groups per load balancer, nodes accept only the traffic of its clients. */
const cloudConfiguration = ({ cluster, region }: PlatformStackConfig): string =>
  ['[Global]', `Region=${region}`, `KubernetesClusterID=${cluster}`, 'NLBSecurityGroupMode=Managed', ''].join('\n');

function pod(config: PlatformStackConfig) {
  const identity = webIdentity(config.roles[name], config.region);
  return {
    serviceAccountName: name,
    automountServiceAccountToken: true,
    priorityClassName: 'system-node-critical',
    // Nodes have neither addresses nor a network before it runs.
    hostNetwork: true,
    dnsPolicy: 'Default',
    nodeSelector: { 'node-role.kubernetes.io/control-plane': '' },
    tolerations: [
      'node-role.kubernetes.io/control-plane',
      'node.cloudprovider.kubernetes.io/uninitialized',
      'node.kubernetes.io/not-ready',
      'node.cilium.io/agent-not-ready',
    ].map((key) => ({ key, operator: 'Exists' })),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      fsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [container(config, identity)],
    volumes: [
      identity.volume,
      { name: 'configuration', configMap: { name } },
      { name: 'certificates', emptyDir: { sizeLimit: '1Mi' } },
    ],
  };
}

function container(config: PlatformStackConfig, identity: ReturnType<typeof webIdentity>) {
  const probe = { httpGet: { path: '/healthz', port: 'https', scheme: 'HTTPS' }, timeoutSeconds: 15 };
  return {
    name,
    image: addOnImage(config, name),
    args: [
      '--cloud-provider=aws',
      '--cloud-config=/etc/cloud/cloud.conf',
      `--cluster-name=${config.cluster}`,
      '--controllers=cloud-node-controller,cloud-node-lifecycle-controller,service-lb-controller',
      '--configure-cloud-routes=false',
      '--use-service-account-credentials=false',
      `--leader-elect-resource-name=${name}`,
      `--secure-port=${port}`,
      '--cert-dir=/tmp/certificates',
      '--v=2',
    ],
    env: [...apiEndpoint(config), ...identity.env],
    ports: [{ name: 'https', containerPort: port, hostPort: port, protocol: 'TCP' }],
    livenessProbe: { ...probe, periodSeconds: 10, failureThreshold: 8 },
    startupProbe: { ...probe, periodSeconds: 10, failureThreshold: 24 },
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [
      identity.mount,
      { name: 'configuration', mountPath: '/etc/cloud', readOnly: true },
      { name: 'certificates', mountPath: '/tmp/certificates' },
    ],
  };
}
