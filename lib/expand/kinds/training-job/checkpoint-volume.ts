import { type EnvVar, type Volume, type VolumeMount, type Workload } from '../../../api';
import { draftObject, type KubernetesObject } from '../../objects/kubernetes-object';
import { derivedName } from '../../objects/name';
import { type ProjectContext } from '../../project-context';

const volumeName = 'pinion-checkpoint';

/** Checkpoint volume: its claim, unless it is an existing one, and the pod fields that mount it. */
export interface CheckpointVolume {
  readonly objects: readonly KubernetesObject[];
  readonly volumes: readonly Volume[];
  readonly mounts: readonly VolumeMount[];
  readonly env: readonly EnvVar[];
}

/** Creates the checkpoint volume of a training job; empty if it has none. */
export function checkpointVolume(
  workload: Workload<'PinterestTrainingJob'>,
  context: ProjectContext,
  members: number,
): CheckpointVolume {
  const { checkpoint } = workload.spec;
  if (checkpoint === undefined) return { objects: [], volumes: [], mounts: [], env: [] };
  const { claim, mountPath } = checkpoint;
  const claimName = checkpoint.claimName ?? derivedName([workload.metadata.name, 'checkpoint']);
  return {
    objects: claim === undefined ? [] : [createClaim(claimName, claim, context, members)],
    volumes: [{ name: volumeName, persistentVolumeClaim: { claimName } }],
    mounts: [{ name: volumeName, mountPath, ...(claim?.subPath !== undefined && { subPath: claim.subPath }) }],
    env: [{ name: 'CHECKPOINT_DIR', value: mountPath }],
  };
}

type Claim = NonNullable<NonNullable<Workload<'PinterestTrainingJob'>['spec']['checkpoint']>['claim']>;

function createClaim(name: string, claim: Claim, context: ProjectContext, members: number): KubernetesObject {
  const storageClassName = claim.storageClass ?? context.platform.spec.storage.defaultClass;
  const spec = {
    accessModes: claim.accessModes ?? [members > 1 ? 'ReadWriteMany' : 'ReadWriteOnce'],
    resources: { requests: { storage: claim.size } },
    ...(storageClassName !== undefined && { storageClassName }),
  };
  return draftObject('PersistentVolumeClaim', { name, ...(claim.labels && { labels: claim.labels }) }, { spec });
}
