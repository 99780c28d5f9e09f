import { type EnvVar, type Volume, type VolumeMount } from '../api';
import { freeze } from './freeze';
import { draft, type KubernetesObject } from './kubernetes-object';
import { nameOf, shortHash } from './name';

/** Files ready to be mounted: what a ConfigMap holds of them, the hash of it, and where they are seen. */
export interface FileContents {
  readonly data: Readonly<Record<string, string>>;
  readonly hash: string;
  readonly volumeName: string;
  readonly mounts: readonly VolumeMount[];
}

/** Files of a pod kept in an immutable ConfigMap whose name changes with their content, so that a change rolls the pods. */
export interface ConfigFiles {
  readonly object: KubernetesObject;
  readonly volume: Volume;
  readonly mounts: readonly VolumeMount[];
}

/** Lays out files, by absolute path; each is mounted alone, so that the folder around it stays as the image has it. */
export function contentsOf(volumeName: string, files: Readonly<Record<string, string>>): FileContents {
  const paths = Object.keys(files).sort();
  const data = Object.fromEntries(paths.map((path) => [keyOf(path), files[path] ?? '']));
  const mounts = paths.map((path) => ({ name: volumeName, mountPath: path, subPath: keyOf(path), readOnly: true }));
  return freeze({ data, hash: shortHash(JSON.stringify(data)), volumeName, mounts });
}

/** The ConfigMap of a workload that holds files for one purpose, and how a pod sees them. */
export function configFilesOf(
  workload: string,
  purpose: string,
  { data, hash, volumeName, mounts }: FileContents,
): ConfigFiles {
  const name = nameOf([workload, purpose, hash]);
  return {
    object: draft('ConfigMap', { name }, { immutable: true, data }),
    volume: { name: volumeName, configMap: { name } },
    mounts,
  };
}

/** A ConfigMap key for a path: its characters that keys may have, apart from others by a hash where some were lost. */
function keyOf(path: string): string {
  const plain = path.slice(1).replaceAll('/', '.');
  return /^[-._a-zA-Z0-9]{1,253}$/.test(plain) && !plain.startsWith('..')
    ? plain
    : `${plain.replace(/[^-_a-zA-Z0-9]+/g, '-').slice(-200)}-${shortHash(path)}`;
}

/** Variables as Kubernetes writes them, in the order of their names. */
export const variablesOf = (values: Readonly<Record<string, string>> | undefined): EnvVar[] =>
  Object.keys(values ?? {})
    .sort()
    .map((name) => ({ name, value: values?.[name] ?? '' }));
