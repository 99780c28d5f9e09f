import { type KubernetesObject } from '@pinion-platform/pinion';
import { addOnImage } from '../add-ons';
import { apiEndpoint } from '../../objects/api-endpoint';
import { ciliumPorts } from './cilium-configuration';
import { programObjects, systemNamespace } from '../../objects/plain-object';
import { type PlatformStackConfig } from '../../config/platform-stack-config';

const name = 'cilium-operator';
const selector = { 'io.cilium/app': 'operator', name };

/** Cilium operator: creates the CRDs and allocates pod blocks to nodes; two replicas, one leader. */
export const ciliumOperator = (config: PlatformStackConfig): KubernetesObject =>
  programObjects('cilium', systemNamespace)('apps/v1', 'Deployment', name, {
    spec: {
      replicas: 2,
      selector: { matchLabels: selector },
      // Two on one node would use the same host ports.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      template: {
        metadata: { labels: { ...selector, 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'cilium' } },
        spec: pod(config),
      },
    },
  });

const pod = (config: PlatformStackConfig) => ({
  serviceAccountName: name,
  automountServiceAccountToken: true,
  priorityClassName: 'system-cluster-critical',
  hostNetwork: true,
  dnsPolicy: 'Default',
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [
    'node-role.kubernetes.io/control-plane',
    'node.kubernetes.io/not-ready',
    'node.cloudprovider.kubernetes.io/uninitialized',
    'node.cilium.io/agent-not-ready',
  ].map((key) => ({ key, operator: 'Exists' })),
  securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: selector }, topologyKey: 'kubernetes.io/hostname' },
      ],
    },
  },
  containers: [container(config)],
  volumes: [{ name: 'configuration', configMap: { name: 'cilium-config' } }],
});

function container(config: PlatformStackConfig) {
  const probe = { httpGet: { host: '127.0.0.1', path: '/healthz', port: 'health', scheme: 'HTTP' }, timeoutSeconds: 3 };
  const port = (portName: string, containerPort: number) => ({
    name: portName,
    containerPort,
    hostPort: containerPort,
    protocol: 'TCP',
  });
  const field = (variable: string, fieldPath: string) => ({
    name: variable,
    valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } },
  });
  return {
    name,
    image: addOnImage(config, 'cilium', 'operator'),
    command: ['cilium-operator-generic'],
    args: ['--config-dir=/tmp/cilium/config-map'],
    env: [
      field('K8S_NODE_NAME', 'spec.nodeName'),
      field('CILIUM_K8S_NAMESPACE', 'metadata.namespace'),
      ...apiEndpoint(config),
    ],
    ports: [port('health', ciliumPorts.operatorHealth), port('prometheus', ciliumPorts.operatorMetrics)],
    livenessProbe: { ...probe, initialDelaySeconds: 60, periodSeconds: 10 },
    readinessProbe: { ...probe, periodSeconds: 5, failureThreshold: 5 },
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [{ name: 'configuration', mountPath: '/tmp/cilium/config-map', readOnly: true }],
  };
}
