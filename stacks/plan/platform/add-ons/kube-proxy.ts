import { dump } from 'js-yaml';
import { type KubernetesObject } from 'pinion';
import { addOnImage } from './add-ons';
import { apiUrl } from '../objects/api-endpoint';
import { programObjects, systemNamespace } from '../objects/plain-object';
import { type PlatformStackConfig } from '../config/platform-stack-config';

const name = 'kube-proxy';
const object = programObjects(name, systemNamespace);
const selector = { 'app.kubernetes.io/name': name };
const rbac = 'rbac.authorization.k8s.io';

/** kube-proxy on every node; it finds the API by its own name, since it is what makes the service of the API reachable. */
export const kubeProxy = (facts: PlatformStackConfig): KubernetesObject[] => [
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
    data: { 'config.conf': dump(configuration(facts)), 'kubeconfig.conf': dump(kubeconfig(facts)) },
  }),
  object('apps/v1', 'DaemonSet', name, {
    spec: {
      selector: { matchLabels: selector },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
      template: { metadata: { labels: selector }, spec: pod(facts) },
    },
  }),
];

/** In iptables mode, which the network plugin is tested with. */
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

const kubeconfig = (facts: PlatformStackConfig) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'default', cluster: { 'certificate-authority': `${account}/ca.crt`, server: apiUrl(facts) } }],
  contexts: [{ name: 'default', context: { cluster: 'default', namespace: 'default', user: 'default' } }],
  'current-context': 'default',
  users: [{ name: 'default', user: { tokenFile: `${account}/token` } }],
});

const pod = (facts: PlatformStackConfig) => ({
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
      image: addOnImage(facts, name),
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
      // It writes settings and packet rules of the node's kernel.
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
