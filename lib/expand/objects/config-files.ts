import { type EnvVar, type Volume, type VolumeMount } from '../../api';
import { freeze } from './freeze';
import { draftObject, type KubernetesObject } from './kubernetes-object';
import { derivedName, shortHash } from './name';

/** Files as data of a ConfigMap, with the hash of the data, the volume name and the mounts. */
export interface FileContents {
  readonly data: Readonly<Record<string, string>>;
  readonly hash: string;
  readonly volumeName: string;
  readonly mounts: readonly VolumeMount[];
}

/** Files of a pod in an immutable ConfigMap whose name changes with their content, so that a change rolls out the pods. */
export interface ConfigFiles {
  readonly object: KubernetesObject;
  readonly volume: Volume;
  readonly mounts: readonly VolumeMount[];
}

/**
 * Maps files by absolute path to ConfigMap keys and mounts. Each file has its own mount, so that other files of the image
 * in the same directory remain visible.
 */
export function contentsOf(volumeName: string, files: Readonly<Record<string, string>>): FileContents {
  const paths = Object.keys(files).sort();
  const keys = keysOf(paths);
  const data = Object.fromEntries(paths.map((path, index) => [keys[index] ?? '', files[path] ?? '']));
  const mounts = paths.map((path, index) => ({
    name: volumeName,
    mountPath: path,
    subPath: keys[index] ?? '',
    readOnly: true,
  }));
  return freeze({ data, hash: shortHash(JSON.stringify(data)), volumeName, mounts });
}

/** Creates the ConfigMap with a workload's files for one purpose, with its volume and mounts. */
export function configFilesOf(
  workload: string,
  purpose: string,
  { data, hash, volumeName, mounts }: FileContents,
): ConfigFiles {
  const name = derivedName([workload, purpose, hash]);
  return {
    object: draftObject('ConfigMap', { name }, { immutable: true, data }),
    volume: { name: volumeName, configMap: { name } },
    mounts,
  };
}

/** Returns ConfigMap keys for paths; keys have a hash if the path has invalid characters or the keys of two paths would be equal. */
function keysOf(paths: readonly string[]): string[] {
  const plainKeys = paths.map((path) => path.slice(1).replaceAll('/', '.'));
  return plainKeys.map((key, index) =>
    plainKeys.indexOf(key) === plainKeys.lastIndexOf(key) &&
    /^[-._a-zA-Z0-9]{1,253}$/.test(key) &&
    !key.startsWith('..')
      ? key
      : `${key.replace(/[^-_a-zA-Z0-9]+/g, '-').slice(-200)}-${shortHash(paths[index] ?? '')}`,
  );
}

/** Returns environment variables, sorted by name. */
export const variablesOf = (values: Readonly<Record<string, string>> | undefined): EnvVar[] =>
  Object.keys(values ?? {})
    .sort()
    .map((name) => ({ name, value: values?.[name] ?? '' }));
