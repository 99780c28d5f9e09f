import { type KubernetesObject } from 'pinion';
import { rbacObjects, reading, rule } from '../objects/program-rbac';
import { addOnImage } from './add-ons';
import { maxPlannedNodes } from '../config/cluster-bounds';
import { allowIngressFrom } from '../objects/network-policies';
import {
  restrictedSecurityContext,
  importantService,
  platformWorkload,
  unprivileged,
} from '../objects/platform-workload';
import { programObjects } from '../objects/plain-object';
import { platformProjects } from '../config/platform-accounts';
import { type PlatformStackConfig } from '../config/platform-stack-config';

const name = 'metrics-server';
const namespace = platformProjects.scaling;
const port = 10250;

/** metrics-server, and the part of the API that it serves. */
export function metricsServer(facts: PlatformStackConfig): KubernetesObject[] {
  const object = programObjects(name, namespace);
  return [
    ...rbacObjects(name, {
      account: { namespace, name },
      authenticates: true,
      cluster: [rule('', ['nodes/metrics'], ['get']), rule('', ['nodes', 'pods'], reading)],
    }),
    object(
      'rbac.authorization.k8s.io/v1',
      'ClusterRole',
      'platform:metrics-reader',
      { rules: [rule('metrics.k8s.io', ['nodes', 'pods'], reading)] },
      {
        clusterWide: true,
        labels: Object.fromEntries(
          ['view', 'edit', 'admin'].map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true']),
        ),
      },
    ),
    service(facts),
    object(
      'apiregistration.k8s.io/v1',
      'APIService',
      'v1beta1.metrics.k8s.io',
      {
        spec: {
          group: 'metrics.k8s.io',
          version: 'v1beta1',
          groupPriorityMinimum: 100,
          versionPriority: 100,
          // Its certificate is self-signed at startup.
          insecureSkipTLSVerify: true,
          service: { namespace, name, port: 443 },
        },
      },
      { clusterWide: true },
    ),
  ];
}

/** One core of a thousand and 2 MiB a node beyond the first hundred, as the project's table of sizes has it. */
function amounts(facts: PlatformStackConfig) {
  const nodes = Math.max(100, maxPlannedNodes(facts));
  return { requests: { cpu: `${nodes}m`, memory: `${nodes * 2}Mi` }, limits: { memory: `${nodes * 4}Mi` } };
}

function service(facts: PlatformStackConfig): KubernetesObject {
  const ask = (path: string) => ({ httpGet: { path, port: 'https', scheme: 'HTTPS' as const }, periodSeconds: 10 });
  return platformWorkload(facts, name, 'PinterestService', namespace, name, {
    ...importantService(facts),
    replicas: 2,
    apiAccess: true,
    ports: [{ name: 'https', port: 443, targetPort: 'https', protocol: 'HTTPS' }],
    ...allowIngressFrom(facts, port),
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        securityContext: unprivileged(1000),
        containers: [
          {
            name,
            image: addOnImage(facts, name),
            args: [
              '--cert-dir=/tmp',
              `--secure-port=${port}`,
              '--kubelet-preferred-address-types=InternalIP',
              '--kubelet-use-node-status-port',
              // Kubelets serve with certificates of the cluster.
              '--kubelet-certificate-authority=/var/run/secrets/kubernetes.io/serviceaccount/ca.crt',
              '--metric-resolution=15s',
            ],
            ports: [{ name: 'https', containerPort: port, protocol: 'TCP' }],
            livenessProbe: ask('/livez'),
            readinessProbe: { ...ask('/readyz'), initialDelaySeconds: 20 },
            resources: amounts(facts),
            securityContext: restrictedSecurityContext,
            volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
          },
        ],
        volumes: [{ name: 'tmp', emptyDir: {} }],
      },
    },
  });
}
