import { type ManifestInput } from '@pinion-platform/pinion/api';
import { platformProjects } from './platform-accounts';

type PatchExceptions = NonNullable<ManifestInput<'Platform'>['spec']['patchExceptions']>;

/** Name of the daemon of the volume driver. */
export const volumeDriverNodeName = 'ebs-csi-node';

/** Fields that patches of the stack's own workloads change in addition to those that all patches may change. */
export const stackPatchExceptions: PatchExceptions = [
  {
    project: platformProjects.storage,
    workload: volumeDriverNodeName,
    kind: 'DaemonSet',
    fields: ['/spec/template/spec/containers/*/volumeMounts'],
  },
];
