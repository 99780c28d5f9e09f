import { type EnvVar, type Volume, type VolumeMount, type Workload } from '../../api';
import { derivedName, shortHash } from '../objects/name';

/** Returns the variables from keys of Secrets. */
export const secretVariables = (workload: Workload): EnvVar[] =>
  Object.entries(workload.spec.secrets?.env ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { optional, ...from }]) => ({
      name,
      valueFrom: { secretKeyRef: { key: from.key, name: from.name, ...(optional !== undefined && { optional }) } },
    }));

/** Returns the volumes of Secrets that are mounted as files, and their mounts. */
export function secretVolumes(workload: Workload): { volumes: Volume[]; mounts: VolumeMount[] } {
  const files = Object.entries(workload.spec.secrets?.files ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const volumeName = (path: string) => derivedName(['pinion-secret', shortHash(path)]);
  return {
    volumes: files.map(([path, { name, optional }]) => ({
      name: volumeName(path),
      secret: { secretName: name, ...(optional !== undefined && { optional }) },
    })),
    mounts: files.map(([path]) => ({ name: volumeName(path), mountPath: path, readOnly: true })),
  };
}
