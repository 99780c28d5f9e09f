import { type KubernetesObject } from 'pinion';
import { type Container, type ManifestInput } from 'pinion/api';
import { addOnImage } from './add-ons';
import { restrictedSecurityContext, platformWorkload } from '../objects/platform-workload';
import { platformProjects } from '../config/platform-accounts';
import { type PlatformStackConfig } from '../config/platform-stack-config';

/** Name by which kubelets, claims and AWS know the driver. */
export const volumeDriverName = 'ebs.csi.aws.com';

type HostPaths = NonNullable<NonNullable<ManifestInput<'PinterestDaemon'>['spec']['host']>['paths']>;

const kubelet = '/var/lib/kubelet';
const plugin = `${kubelet}/plugins/${volumeDriverName}`;

/** Folders of the node in the order in which they are mounted; patches below count on it. */
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

/** Folders of nodes that the project allows the driver. */
export const volumeDriverPaths: string[] = [kubelet, '/dev'];

/** Containers of the daemon, and which of the folders each of them needs. */
const needs: readonly (readonly PathName[])[] = [
  ['kubelet', 'devices', 'plugin'],
  ['registration', 'plugin'],
  ['plugin'],
];

const mountsOf = (container: number): string => `/spec/template/spec/containers/${container}/volumeMounts`;

/** Takes from each container the folders that it does not need; from the last on, so that places stay what they are. */
const withdrawn = needs.flatMap((needed, container) =>
  paths
    .map(({ name }, index) => ({ name, index }))
    .filter(({ name }) => !needed.includes(name))
    .reverse()
    .map(({ index }) => ({ op: 'remove' as const, path: `${mountsOf(container)}/${index}` })),
);

/** Propagates the mounts of the driver to the kubelet; `host.paths` has no field for this. */
const outward = { op: 'add' as const, path: `${mountsOf(0)}/0/mountPropagation`, value: 'Bidirectional' };

/** Returns the node plugin of the driver, which formats and mounts volumes. */
export const volumeDriverNode = (facts: PlatformStackConfig): KubernetesObject =>
  platformWorkload(facts, 'ebs-csi-driver', 'PinterestDaemon', platformProjects.storage, 'ebs-csi-node', {
    critical: true,
    apiAccess: true,
    update: { maxUnavailable: '10%' },
    host: { paths: [...paths] },
    patches: [{ kind: 'DaemonSet', operations: [...withdrawn, outward] }],
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        securityContext: { runAsUser: 0, runAsGroup: 0, seccompProfile: { type: 'RuntimeDefault' } },
        containers: containers(facts),
      },
    },
  });

const resources = { requests: { cpu: '10m', memory: '40Mi' }, limits: { memory: '256Mi' } };

const containers = (facts: PlatformStackConfig): Container[] => [
  {
    name: 'plugin',
    image: addOnImage(facts, 'ebs-csi-driver', 'plugin'),
    args: [
      'node',
      '--endpoint=unix:/csi/csi.sock',
      `--csi-mount-point-prefix=${kubelet}/plugins/kubernetes.io/csi/${volumeDriverName}/`,
      // Pods do not reach the metadata service of the machine.
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
    // A node that goes keeps its volumes until they are detached.
    lifecycle: { preStop: { exec: { command: ['/bin/aws-ebs-csi-driver', 'pre-stop-hook'] } } },
    resources,
    securityContext: { privileged: true, readOnlyRootFilesystem: true },
  },
  {
    name: 'registrar',
    image: addOnImage(facts, 'ebs-csi-driver', 'registrar'),
    args: ['--csi-address=/csi/csi.sock', `--kubelet-registration-path=${plugin}/csi.sock`, '--v=2'],
    resources,
    securityContext: restrictedSecurityContext,
  },
  {
    name: 'liveness',
    image: addOnImage(facts, 'ebs-csi-driver', 'liveness'),
    args: ['--csi-address=/csi/csi.sock', '--health-port=9808'],
    resources,
    securityContext: restrictedSecurityContext,
  },
];
