import { ports } from '../network/ports';
import { type NodeClusterConfig } from './node-cluster-config';
import { yamlText } from './text/yaml-text';
import { hostFiles, hostUnits, type HostParts } from './host-parts';
import { imageCredentials } from './image-credentials';
import { kubeletConfiguration, type KubeletSpec, type NodeTaint } from './kubelet-configuration';
import { podTraffic } from './pod-traffic';
import { plainFile, program, type MachineFile } from './text/machine-file';
import { crictlConfiguration, workerUnits } from './machine-units';
import { machineScript } from './scripts/machine-script';
import { workerScript } from './scripts/worker-script';
import { shellSettings } from './text/shell-settings';
import { userData, type UserData } from './user-data';

/** Settings of the machines of a pool. */
export interface WorkerSpec {
  readonly cluster: NodeClusterConfig;
  /** Labels of its nodes; in Kubernetes' own domains only those that a kubelet may set. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly NodeTaint[];
  readonly kubelet: KubeletSpec;
  /** Registries that nodes log in to with their own role, such as `*.dkr.ecr.*.amazonaws.com`. @default - none */
  readonly imageRegistries?: readonly string[];
  readonly host: HostParts;
}

/** Returns the user data of a pool; deterministic. */
export const workerUserData = (spec: WorkerSpec): UserData =>
  userData(workerFiles(spec), spec.host.packages, 'pinion-worker.service');

/** Returns the files of each machine of a pool. */
export const workerFiles = (spec: WorkerSpec): MachineFile[] => [
  ...hostFiles(spec.host),
  plainFile(
    '/etc/pinion/machine.conf',
    shellSettings({
      CLUSTER: spec.cluster.name,
      AWS_REGION: spec.cluster.region,
      ENDPOINT: spec.cluster.endpoint,
      API_PORT: String(ports.apiServer),
      PARAMETERS: spec.cluster.parameters,
      HOST_PACKAGES: spec.host.packages,
      HOST_UNITS: hostUnits(spec.host),
    }),
  ),
  plainFile('/etc/kubernetes/kubelet.yaml', yamlText(kubeletConfiguration(spec.cluster, spec.kubelet, spec.taints))),
  podTraffic(spec.cluster.workerSubnets),
  ...imageCredentials(spec.imageRegistries ?? []),
  crictlConfiguration,
  ...workerUnits({ ...spec, imageRegistries: spec.imageRegistries ?? [] }),
  plainFile('/opt/pinion/lib/machine.sh', machineScript),
  program('/opt/pinion/bin/worker', workerScript),
];
