import { autoscalerFlags, type KubernetesObject } from '@pinion-platform/pinion';
import { rbacObjects, readVerbs, rule, eventRule } from '../objects/program-rbac';
import { addOnImage } from './add-ons';
import { clusterBounds } from '../config/cluster-bounds';
import {
  restrictedSecurityContext,
  importantService,
  platformWorkload,
  unprivileged,
} from '../objects/platform-workload';
import { platformAccounts, platformProjects } from '../config/platform-accounts';
import { type PlatformStackConfig } from '../config/platform-stack-config';

const name = 'cluster-autoscaler';
const namespace = platformProjects.scaling;
const port = 8085;

/** Returns the objects of the cluster autoscaler, which has explicit groups and bounds instead of autodiscovery. */
export const clusterAutoscaler = (config: PlatformStackConfig): KubernetesObject[] => [
  ...rbacObjects(name, {
    account: platformAccounts[name],
    cluster: [
      eventRule,
      rule('', ['nodes'], [...readVerbs, 'update']),
      rule('', ['pods/eviction'], ['create']),
      rule('', ['pods/status'], ['update']),
      rule(
        '',
        ['namespaces', 'persistentvolumeclaims', 'persistentvolumes', 'pods', 'replicationcontrollers', 'services'],
        readVerbs,
      ),
      rule('apps', ['daemonsets', 'replicasets', 'statefulsets'], readVerbs),
      rule('batch', ['jobs'], readVerbs),
      rule('policy', ['poddisruptionbudgets'], readVerbs),
      rule('resource.k8s.io', ['deviceclasses', 'resourceclaims', 'resourceslices'], readVerbs),
      rule(
        'storage.k8s.io',
        ['csidrivers', 'csinodes', 'csistoragecapacities', 'storageclasses', 'volumeattachments'],
        readVerbs,
      ),
    ],
    own: [
      rule('', ['configmaps'], ['create', 'list', 'watch']),
      rule('', ['configmaps'], ['delete', 'get', 'update'], ['cluster-autoscaler-status']),
    ],
  }),
  service(config),
];

/** Returns the flags of group sizes and cluster limits: those of the capacity plan, or lower configured ones. */
function autoscalerBounds(config: PlatformStackConfig): string[] {
  const { nodes, cpus, memoryGib } = clusterBounds(config);
  const planned = autoscalerFlags({ ...config.autoscaler, maxNodes: nodes, maxCores: cpus, maxMemoryGib: memoryGib });
  return [
    ...config.nodeGroups.map(({ min, max, group }) => `--nodes=${min}:${max}:${group}`),
    ...Object.entries(planned).map(([flag, value]) => `--${flag}=${value}`),
  ];
}

/** Scale-down flags: slow, one drain at a time, and not while many nodes are unready. */
const scaleDown = [
  '--scale-down-utilization-threshold=0.5',
  '--scale-down-unneeded-time=10m',
  '--scale-down-delay-after-add=10m',
  '--scale-down-delay-after-failure=5m',
  '--max-scale-down-parallelism=5',
  '--max-drain-parallelism=1',
  '--max-total-unready-percentage=20',
  '--ok-total-unready-count=3',
  '--skip-nodes-with-system-pods=true',
  // Sidecars keep logs in an emptyDir volume, which would otherwise prevent any scale-down.
  '--skip-nodes-with-local-storage=false',
];

function service(config: PlatformStackConfig): KubernetesObject {
  return platformWorkload(config, name, 'PinterestService', namespace, name, {
    ...importantService(config),
    replicas: 2,
    leaderElection: true,
    apiAccess: true,
    iamRole: config.roles[name],
    metrics: { port },
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        securityContext: unprivileged(65532),
        containers: [
          {
            name,
            image: addOnImage(config, name),
            command: ['/cluster-autoscaler'],
            args: [
              '--cloud-provider=aws',
              `--namespace=${namespace}`,
              `--leader-elect-resource-name=${name}`,
              ...autoscalerBounds(config),
              '--enforce-node-group-min-size=true',
              '--max-node-provision-time=15m',
              '--startup-taint=node.cilium.io/agent-not-ready',
              ...scaleDown,
              `--address=:${port}`,
              '--v=2',
            ],
            ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
            livenessProbe: { httpGet: { path: '/health-check', port: 'http' }, periodSeconds: 10, timeoutSeconds: 5 },
            // It holds every pod and node of the cluster in memory.
            resources: { requests: { cpu: '100m', memory: '600Mi' }, limits: { memory: '2Gi' } },
            securityContext: restrictedSecurityContext,
          },
        ],
      },
    },
  });
}
