import { type KubernetesObject } from '@pinion-platform/pinion';
import { type Container } from '@pinion-platform/pinion/api';
import { rbacObjects, leaderElectionRules, readVerbs, rule, eventRule } from '../objects/program-rbac';
import { addOnImage } from './add-ons';
import {
  restrictedSecurityContext,
  importantService,
  platformWorkload,
  unprivileged,
} from '../objects/platform-workload';
import { programObjects } from '../objects/plain-object';
import { platformAccounts, platformProjects } from '../config/platform-accounts';
import { storageClassName } from '../config/platform-manifest';
import { type PlatformStackConfig } from '../config/platform-stack-config';
import { volumeDriverName, volumeDriverNode } from './volume-driver-node';

const program = 'ebs-csi-driver';
const account = platformAccounts[program];
const folder = '/var/lib/csi/sockets/pluginproxy';
const socket = `${folder}/csi.sock`;
const storage = 'storage.k8s.io';

const claims = ['persistentvolumeclaims'];
const volumes = ['persistentvolumes'];

/** RBAC rules for the sidecars, which create, attach and resize volumes for claims. */
const controllerRules = [
  eventRule,
  rule('', volumes, [...readVerbs, 'create', 'delete', 'patch']),
  rule('', claims, [...readVerbs, 'update']),
  rule('', ['persistentvolumeclaims/status'], ['patch']),
  rule('', ['nodes', 'pods'], readVerbs),
  rule(storage, ['csinodes', 'storageclasses', 'volumeattributesclasses'], readVerbs),
  rule(storage, ['volumeattachments'], [...readVerbs, 'patch']),
  rule(storage, ['volumeattachments/status'], ['patch']),
];

const dashed = volumeDriverName.replaceAll('.', '-');

/** Leader election leases of the driver and its sidecars. */
const leases = [dashed, `external-attacher-leader-${dashed}`, `external-resizer-${dashed}`];

/** Returns the objects of the EBS CSI driver, and the encrypted default storage class. */
export function volumeDriver(config: PlatformStackConfig): KubernetesObject[] {
  const object = programObjects(program, account.namespace);
  const wide = { clusterWide: true };
  return [
    object(
      'storage.k8s.io/v1',
      'CSIDriver',
      volumeDriverName,
      {
        spec: { attachRequired: true, fsGroupPolicy: 'File', podInfoOnMount: false },
      },
      wide,
    ),
    object('storage.k8s.io/v1', 'StorageClass', storageClassName, storageClass(config), {
      ...wide,
      annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
    }),
    ...rbacObjects(program, { account, cluster: controllerRules, own: leaderElectionRules(...leases) }),
    ...rbacObjects(`${program}-node`, {
      account: { namespace: account.namespace, name: 'ebs-csi-node' },
      cluster: [
        rule('', ['nodes'], readVerbs),
        rule(storage, ['csinodes'], ['get']),
        rule(storage, ['volumeattachments'], readVerbs),
      ],
    }),
    controller(config),
    volumeDriverNode(config),
  ];
}

/** Returns the fields of the storage class: volumes are created in the zone of their pod, and always encrypted. */
const storageClass = ({ volumeKey }: PlatformStackConfig) => ({
  provisioner: volumeDriverName,
  parameters: {
    type: 'gp3',
    encrypted: 'true',
    ...(volumeKey !== undefined && { kmsKeyId: volumeKey }),
    'csi.storage.k8s.io/fstype': 'ext4',
  },
  allowVolumeExpansion: true,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'WaitForFirstConsumer',
});

const controller = (config: PlatformStackConfig): KubernetesObject =>
  platformWorkload(config, program, 'PinterestService', platformProjects.storage, account.name, {
    ...importantService(config),
    replicas: 2,
    apiAccess: true,
    iamRole: config.roles[program],
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        securityContext: unprivileged(1000),
        containers: [plugin(config), ...sidecars(config)],
        volumes: [{ name: 'socket', emptyDir: {} }],
      },
    },
  });

const probe = {
  httpGet: { path: '/healthz', port: 'health' },
  initialDelaySeconds: 10,
  periodSeconds: 10,
  timeoutSeconds: 60,
};
/** Served by the liveness sidecar of the plugin. */
const health = {
  livenessProbe: { ...probe, failureThreshold: 10 },
  readinessProbe: { ...probe, failureThreshold: 5 },
};

const plugin = (config: PlatformStackConfig): Container => ({
  name: 'plugin',
  image: addOnImage(config, program, 'plugin'),
  args: [
    'controller',
    `--endpoint=unix://${socket}`,
    '--batching=true',
    // Tag that its IAM role requires on volumes.
    `--k8s-tag-cluster-id=${config.cluster}`,
    '--logging-format=json',
    '--v=2',
  ],
  env: [{ name: 'CSI_NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
  ports: [{ name: 'health', containerPort: 9808, protocol: 'TCP' }],
  ...health,
  ...containerDefaults,
});

const containerDefaults: Pick<Container, 'resources' | 'securityContext' | 'volumeMounts'> = {
  resources: { requests: { cpu: '10m', memory: '40Mi' }, limits: { memory: '256Mi' } },
  securityContext: restrictedSecurityContext,
  volumeMounts: [{ name: 'socket', mountPath: folder }],
};

function sidecars(config: PlatformStackConfig): Container[] {
  const rates = ['--kube-api-qps=20', '--kube-api-burst=100', '--leader-election=true', '--v=2'];
  const sidecar = (name: string, ...args: string[]): Container => ({
    name,
    image: addOnImage(config, program, name),
    args: [`--csi-address=${socket}`, ...args],
    ...containerDefaults,
  });
  return [
    sidecar(
      'provisioner',
      '--timeout=60s',
      '--extra-create-metadata',
      '--default-fstype=ext4',
      '--worker-threads=100',
      '--retry-interval-max=30m',
      ...rates,
    ),
    sidecar('attacher', '--timeout=6m', '--worker-threads=100', '--retry-interval-max=5m', ...rates),
    sidecar(
      'resizer',
      '--timeout=60s',
      '--handle-volume-inuse-error=false',
      '--workers=100',
      '--retry-interval-max=30m',
      ...rates,
    ),
    sidecar('liveness', '--probe-timeout=60s', '--health-port=9808'),
  ];
}
