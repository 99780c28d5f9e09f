import { dump } from 'js-yaml';
import { type KubernetesObject } from '@pinion-platform/pinion';
import { addOnImage } from './add-ons';
import { apiUrl } from '../objects/api-endpoint';
import { programObjects, systemNamespace } from '../objects/plain-object';
import { type PlatformStackConfig } from '../config/platform-stack-config';

const name = 'kube-proxy';
const object = programObjects(name, systemNamespace);
const selector = { 'app.kubernetes.io/name': name };
const rbac = 'rbac.authorization.k8s.io';

/** Returns the objects of kube-proxy on every node; it uses the host name of the API, since the API's service needs kube-proxy. */
export const kubeProxy = (config: PlatformStackConfig): KubernetesObject[] => [
  object('v1', 'ServiceAccount', name, { automountServiceAccountToken: false }),
  object(
    `${rbac}/v1`,
    'ClusterRoleBinding',
    `platform:${name}`,
    {
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'system:node-proxier' },
      subjects: [{ kind: 'ServiceAccount', name, namespace: systemNamespace }],
    },
    { clusterWide: true },
  ),
  object('v1', 'ConfigMap', name, {
    data: { 'config.conf': dump(configuration(config)), 'kubeconfig.conf': dump(kubeconfig(config)) },
  }),
  object('apps/v1', 'DaemonSet', name, {
    spec: {
      selector: { matchLabels: selector },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
      template: { metadata: { labels: selector }, spec: pod(config) },
    },
  }),
];

/** Returns the configuration, with iptables mode, with which the network plugin is tested. */
const configuration = ({ network }: PlatformStackConfig) => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  bindAddress: '0.0.0.0',
  clientConnection: { kubeconfig: '/var/lib/kube-proxy/kubeconfig.conf' },
  clusterCIDR: network.pods,
  detectLocalMode: 'ClusterCIDR',
  healthzBindAddress: '0.0.0.0:10256',
  mode: 'iptables',
});

const account = '/var/run/secrets/kubernetes.io/serviceaccount';

const kubeconfig = (config: PlatformStackConfig) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'default', cluster: { 'certificate-authority': `${account}/ca.crt`, server: apiUrl(config) } }],
  contexts: [{ name: 'default', context: { cluster: 'default', namespace: 'default', user: 'default' } }],
  'current-context': 'default',
  users: [{ name: 'default', user: { tokenFile: `${account}/token` } }],
});

const pod = (config: PlatformStackConfig) => ({
  serviceAccountName: name,
  automountServiceAccountToken: true,
  priorityClassName: 'system-node-critical',
  hostNetwork: true,
  dnsPolicy: 'Default',
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ operator: 'Exists' }],
  containers: [
    {
      name,
      image: addOnImage(config, name),
      command: ['/usr/local/bin/kube-proxy'],
      args: ['--config=/var/lib/kube-proxy/config.conf', '--hostname-override=$(NODE_NAME)'],
      env: [{ name: 'NODE_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } }],
      ports: [{ name: 'healthz', containerPort: 10256, hostPort: 10256, protocol: 'TCP' }],
      livenessProbe: {
        httpGet: { path: '/livez', port: 'healthz' },
        periodSeconds: 10,
        timeoutSeconds: 5,
        failureThreshold: 6,
      },
      resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '256Mi' } },
      // It writes kernel settings and packet filter rules of the node.
      securityContext: { privileged: true, readOnlyRootFilesystem: true },
      volumeMounts: [
        { name: 'configuration', mountPath: '/var/lib/kube-proxy', readOnly: true },
        { name: 'xtables-lock', mountPath: '/run/xtables.lock' },
        { name: 'modules', mountPath: '/lib/modules', readOnly: true },
      ],
    },
  ],
  volumes: [
    { name: 'configuration', configMap: { name } },
    { name: 'xtables-lock', hostPath: { path: '/run/xtables.lock', type: 'FileOrCreate' } },
    { name: 'modules', hostPath: { path: '/lib/modules', type: 'Directory' } },
  ],
});
