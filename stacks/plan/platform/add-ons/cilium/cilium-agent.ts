import { type KubernetesObject } from '@pinion-platform/pinion';
import { addOnImage } from '../add-ons';
import { apiEndpoint } from '../../objects/api-endpoint';
import { ciliumPorts } from './cilium-configuration';
import { nodePreparation } from './node-preparation';
import { programObjects, systemNamespace } from '../../objects/plain-object';
import { type PlatformStackConfig } from '../../config/platform-stack-config';

const selector = { 'k8s-app': 'cilium' };

/** Cilium agent on every node, control plane included, since API servers connect to pods. */
export const ciliumAgent = (config: PlatformStackConfig): KubernetesObject =>
  programObjects('cilium', systemNamespace)('apps/v1', 'DaemonSet', 'cilium', {
    spec: {
      selector: { matchLabels: selector },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
      template: {
        metadata: {
          labels: { ...selector, 'app.kubernetes.io/name': 'cilium-agent', 'app.kubernetes.io/part-of': 'cilium' },
        },
        spec: pod(config),
      },
    },
  });

function pod(config: PlatformStackConfig) {
  const variables = [
    field('K8S_NODE_NAME', 'spec.nodeName'),
    field('CILIUM_K8S_NAMESPACE', 'metadata.namespace'),
    ...apiEndpoint(config),
  ];
  return {
    serviceAccountName: 'cilium',
    automountServiceAccountToken: true,
    priorityClassName: 'system-node-critical',
    hostNetwork: true,
    dnsPolicy: 'Default',
    terminationGracePeriodSeconds: 1,
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ operator: 'Exists' }],
    // It loads eBPF programs into the kernel, which the default profiles forbid.
    securityContext: { appArmorProfile: { type: 'Unconfined' }, seccompProfile: { type: 'Unconfined' } },
    initContainers: nodePreparation(addOnImage(config, 'cilium', 'agent'), variables),
    containers: [container(config, variables)],
    volumes,
  };
}

const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } });

/** Linux capabilities of the agent, listed individually instead of privileged mode. */
const capabilities = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'IPC_LOCK',
  'KILL',
  'NET_ADMIN',
  'NET_RAW',
  'SETGID',
  'SETUID',
  'SYS_ADMIN',
  'SYS_MODULE',
  'SYS_RESOURCE',
  'SYSLOG',
];

function container(config: PlatformStackConfig, variables: readonly object[]) {
  const probe = (...headers: readonly (readonly [string, string])[]) => ({
    httpGet: {
      host: '127.0.0.1',
      path: '/healthz',
      port: 'health',
      scheme: 'HTTP',
      httpHeaders: [['brief', 'true'] as const, ...headers].map(([name, value]) => ({ name, value })),
    },
  });
  const port = (name: string, containerPort: number) => ({
    name,
    containerPort,
    hostPort: containerPort,
    protocol: 'TCP',
  });
  return {
    name: 'cilium-agent',
    image: addOnImage(config, 'cilium', 'agent'),
    command: ['cilium-agent'],
    args: ['--config-dir=/tmp/cilium/config-map'],
    env: [
      ...variables,
      { name: 'GOMEMLIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1' } } },
      // After an outage of the API, all agents reconnect at once.
      { name: 'KUBE_CLIENT_BACKOFF_BASE', value: '1' },
      { name: 'KUBE_CLIENT_BACKOFF_DURATION', value: '120' },
    ],
    ports: [port('health', ciliumPorts.agentHealth), port('prometheus', ciliumPorts.agentMetrics)],
    startupProbe: { ...probe(), initialDelaySeconds: 5, periodSeconds: 2, failureThreshold: 300 },
    // An agent that cannot reach the API still forwards packets, and a restart would not help.
    livenessProbe: {
      ...probe(['require-k8s-connectivity', 'false']),
      periodSeconds: 30,
      timeoutSeconds: 5,
      failureThreshold: 10,
    },
    readinessProbe: { ...probe(), periodSeconds: 30, timeoutSeconds: 5, failureThreshold: 3 },
    resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } },
    securityContext: {
      seLinuxOptions: { level: 's0', type: 'spc_t' },
      capabilities: { add: capabilities, drop: ['ALL'] },
    },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: 'proc-sys-net', mountPath: '/host/proc/sys/net' },
      { name: 'proc-sys-kernel', mountPath: '/host/proc/sys/kernel' },
      { name: 'bpf-maps', mountPath: '/sys/fs/bpf', mountPropagation: 'HostToContainer' },
      { name: 'run', mountPath: '/var/run/cilium' },
      { name: 'network-namespaces', mountPath: '/var/run/cilium/netns', mountPropagation: 'HostToContainer' },
      { name: 'plugin-configuration', mountPath: '/host/etc/cni/net.d' },
      { name: 'modules', mountPath: '/lib/modules', readOnly: true },
      { name: 'xtables-lock', mountPath: '/run/xtables.lock' },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

const hostPathVolume = (name: string, path: string, type: string) => ({ name, hostPath: { path, type } });

const volumes = [
  { name: 'tmp', emptyDir: {} },
  hostPathVolume('run', '/var/run/cilium', 'DirectoryOrCreate'),
  hostPathVolume('network-namespaces', '/var/run/netns', 'DirectoryOrCreate'),
  hostPathVolume('bpf-maps', '/sys/fs/bpf', 'DirectoryOrCreate'),
  hostPathVolume('proc', '/proc', 'Directory'),
  hostPathVolume('cgroup', '/run/cilium/cgroupv2', 'DirectoryOrCreate'),
  hostPathVolume('plugins', '/opt/cni/bin', 'DirectoryOrCreate'),
  hostPathVolume('plugin-configuration', '/etc/cni/net.d', 'DirectoryOrCreate'),
  hostPathVolume('modules', '/lib/modules', 'Directory'),
  hostPathVolume('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
  hostPathVolume('proc-sys-net', '/proc/sys/net', 'Directory'),
  hostPathVolume('proc-sys-kernel', '/proc/sys/kernel', 'Directory'),
];
