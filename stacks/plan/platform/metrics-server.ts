import { type KubernetesObject } from 'pinion';
import { accessOf, reading, rule } from './access';
import { imageOf } from './add-ons';
import { mostNodes } from './bounds';
import { openTo } from './open-to';
import { confined, importantService, ownWorkload, unprivileged } from './own-workload';
import { objectsOf } from './plain-object';
import { platformProjects } from './platform-accounts';
import { type PlatformFacts } from './platform-facts';

const name = 'metrics-server';
const namespace = platformProjects.scaling;
const port = 10250;

/** metrics-server, and the part of the API that it serves. */
export function metricsServer(facts: PlatformFacts): KubernetesObject[] {
  const object = objectsOf(name, namespace);
  return [
    ...accessOf(name, {
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
          // It makes its own certificate at its start; nobody signs one for it before.
          insecureSkipTLSVerify: true,
          service: { namespace, name, port: 443 },
        },
      },
      { clusterWide: true },
    ),
  ];
}

/** One core of a thousand and 2 MiB a node beyond the first hundred, as the project's table of sizes has it. */
function amounts(facts: PlatformFacts) {
  const nodes = Math.max(100, mostNodes(facts));
  return { requests: { cpu: `${nodes}m`, memory: `${nodes * 2}Mi` }, limits: { memory: `${nodes * 4}Mi` } };
}

function service(facts: PlatformFacts): KubernetesObject {
  const ask = (path: string) => ({ httpGet: { path, port: 'https', scheme: 'HTTPS' as const }, periodSeconds: 10 });
  return ownWorkload(facts, name, 'PinterestService', namespace, name, {
    ...importantService(facts),
    replicas: 2,
    apiAccess: true,
    ports: [{ name: 'https', port: 443, targetPort: 'https', protocol: 'HTTPS' }],
    ...openTo(facts, port),
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        securityContext: unprivileged(1000),
        containers: [
          {
            name,
            image: imageOf(facts, name),
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
            securityContext: confined,
            volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
          },
        ],
        volumes: [{ name: 'tmp', emptyDir: {} }],
      },
    },
  });
}
