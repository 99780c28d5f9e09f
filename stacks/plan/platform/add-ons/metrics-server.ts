import { type KubernetesObject } from '@pinion-platform/pinion';
import { rbacObjects, readVerbs, rule } from '../objects/program-rbac';
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

/** Returns the objects of metrics-server, and the API group that it serves. */
export function metricsServer(config: PlatformStackConfig): KubernetesObject[] {
  const object = programObjects(name, namespace);
  return [
    ...rbacObjects(name, {
      account: { namespace, name },
      authenticates: true,
      cluster: [rule('', ['nodes/metrics'], ['get']), rule('', ['nodes', 'pods'], readVerbs)],
    }),
    object(
      'rbac.authorization.k8s.io/v1',
      'ClusterRole',
      'platform:metrics-reader',
      { rules: [rule('metrics.k8s.io', ['nodes', 'pods'], readVerbs)] },
      {
        clusterWide: true,
        labels: Object.fromEntries(
          ['view', 'edit', 'admin'].map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true']),
        ),
      },
    ),
    service(config),
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

/** Returns the resources that metrics-server recommends by cluster size: 1m of CPU and 2 MiB per node, for at least 100 nodes. */
function resourcesOf(config: PlatformStackConfig) {
  const nodes = Math.max(100, maxPlannedNodes(config));
  return { requests: { cpu: `${nodes}m`, memory: `${nodes * 2}Mi` }, limits: { memory: `${nodes * 4}Mi` } };
}

function service(config: PlatformStackConfig): KubernetesObject {
  const probe = (path: string) => ({ httpGet: { path, port: 'https', scheme: 'HTTPS' as const }, periodSeconds: 10 });
  return platformWorkload(config, name, 'PinterestService', namespace, name, {
    ...importantService(config),
    replicas: 2,
    apiAccess: true,
    ports: [{ name: 'https', port: 443, targetPort: 'https', protocol: 'HTTPS' }],
    ...allowIngressFrom(config, port),
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        securityContext: unprivileged(1000),
        containers: [
          {
            name,
            image: addOnImage(config, name),
            args: [
              '--cert-dir=/tmp',
              `--secure-port=${port}`,
              '--kubelet-preferred-address-types=InternalIP',
              '--kubelet-use-node-status-port',
              // Serving certificates of kubelets are signed by the cluster CA.
              '--kubelet-certificate-authority=/var/run/secrets/kubernetes.io/serviceaccount/ca.crt',
              '--metric-resolution=15s',
            ],
            ports: [{ name: 'https', containerPort: port, protocol: 'TCP' }],
            livenessProbe: probe('/livez'),
            readinessProbe: { ...probe('/readyz'), initialDelaySeconds: 20 },
            resources: resourcesOf(config),
            securityContext: restrictedSecurityContext,
            volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
          },
        ],
        volumes: [{ name: 'tmp', emptyDir: {} }],
      },
    },
  });
}
