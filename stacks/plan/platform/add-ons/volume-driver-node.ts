import { type KubernetesObject } from '@pinion-platform/pinion';
import { type Container, type ManifestInput } from '@pinion-platform/pinion/api';
import { addOnImage } from './add-ons';
import { restrictedSecurityContext, platformWorkload } from '../objects/platform-workload';
import { volumeDriverNodeName } from '../config/stack-patch-exceptions';
import { platformProjects } from '../config/platform-accounts';
import { type PlatformStackConfig } from '../config/platform-stack-config';

/** Name of the CSI driver. */
export const volumeDriverName = 'ebs.csi.aws.com';

type HostPaths = NonNullable<NonNullable<ManifestInput<'PinterestDaemon'>['spec']['host']>['paths']>;

const kubelet = '/var/lib/kubelet';
const plugin = `${kubelet}/plugins/${volumeDriverName}`;

/** Host paths in mount order, on which the patches below depend. */
const paths = [
  { name: 'kubelet', path: kubelet, mountPath: kubelet, readOnly: false, type: 'Directory' },
  { name: 'devices', path: '/dev', mountPath: '/dev', readOnly: false, type: 'Directory' },
  {
    name: 'registration',
    path: `${kubelet}/plugins_registry`,
    mountPath: '/registration',
    readOnly: false,
    type: 'Directory',
  },
  { name: 'plugin', path: plugin, mountPath: '/csi', readOnly: false, type: 'DirectoryOrCreate' },
] as const satisfies HostPaths;

type PathName = (typeof paths)[number]['name'];

/** Host paths that the project allows. */
export const volumeDriverPaths: string[] = [kubelet, '/dev'];

/** Host paths that each container of the daemon needs, by container index. */
const requiredPaths: readonly (readonly PathName[])[] = [
  ['kubelet', 'devices', 'plugin'],
  ['registration', 'plugin'],
  ['plugin'],
];

const mountsOf = (container: number): string => `/spec/template/spec/containers/${container}/volumeMounts`;

/** Patches that remove the mounts that a container does not need, last first, so that indexes stay valid. */
const removeMounts = requiredPaths.flatMap((required, container) =>
  paths
    .map(({ name }, index) => ({ name, index }))
    .filter(({ name }) => !required.includes(name))
    .reverse()
    .map(({ index }) => ({ op: 'remove' as const, path: `${mountsOf(container)}/${index}` })),
);

/** Propagates the mounts of the driver to the kubelet; `host.paths` has no field for this. */
const propagateMounts = { op: 'add' as const, path: `${mountsOf(0)}/0/mountPropagation`, value: 'Bidirectional' };

/** Returns the node plugin of the driver, which formats and mounts volumes. */
export const volumeDriverNode = (config: PlatformStackConfig): KubernetesObject =>
  platformWorkload(config, 'ebs-csi-driver', 'PinterestDaemon', platformProjects.storage, volumeDriverNodeName, {
    critical: true,
    apiAccess: true,
    update: { maxUnavailable: '10%' },
    host: { paths: [...paths] },
    patches: [{ kind: 'DaemonSet', operations: [...removeMounts, propagateMounts] }],
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        securityContext: { runAsUser: 0, runAsGroup: 0, seccompProfile: { type: 'RuntimeDefault' } },
        containers: containers(config),
      },
    },
  });

const resources = { requests: { cpu: '10m', memory: '40Mi' }, limits: { memory: '256Mi' } };

const containers = (config: PlatformStackConfig): Container[] => [
  {
    name: 'plugin',
    image: addOnImage(config, 'ebs-csi-driver', 'plugin'),
    args: [
      'node',
      '--endpoint=unix:/csi/csi.sock',
      `--csi-mount-point-prefix=${kubelet}/plugins/kubernetes.io/csi/${volumeDriverName}/`,
      // Pods cannot reach the instance metadata service.
      '--metadata-sources=kubernetes',
      '--logging-format=json',
      '--v=2',
    ],
    env: [{ name: 'CSI_NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
    ports: [{ name: 'health', containerPort: 9808, protocol: 'TCP' }],
    livenessProbe: {
      httpGet: { path: '/healthz', port: 'health' },
      initialDelaySeconds: 10,
      timeoutSeconds: 3,
      periodSeconds: 10,
      failureThreshold: 5,
    },
    readinessProbe: { httpGet: { path: '/healthz', port: 'health' }, timeoutSeconds: 3, periodSeconds: 5 },
    // Waits until the volumes of a terminating node are detached.
    lifecycle: { preStop: { exec: { command: ['/bin/aws-ebs-csi-driver', 'pre-stop-hook'] } } },
    resources,
    securityContext: { privileged: true, readOnlyRootFilesystem: true },
  },
  {
    name: 'registrar',
    image: addOnImage(config, 'ebs-csi-driver', 'registrar'),
    args: ['--csi-address=/csi/csi.sock', `--kubelet-registration-path=${plugin}/csi.sock`, '--v=2'],
    resources,
    securityContext: restrictedSecurityContext,
  },
  {
    name: 'liveness',
    image: addOnImage(config, 'ebs-csi-driver', 'liveness'),
    args: ['--csi-address=/csi/csi.sock', '--health-port=9808'],
    resources,
    securityContext: restrictedSecurityContext,
  },
];
