import { type EnvVar, type Volume, type VolumeMount } from '../api';
import { draft, type KubernetesObject } from './kubernetes-object';
import { nameOf, shortHash } from './name';

/** Files of a pod kept in an immutable ConfigMap whose name changes with their content, so that a change rolls the pods. */
export interface ConfigFiles {
  readonly object: KubernetesObject;
  readonly volume: Volume;
  readonly mounts: readonly VolumeMount[];
}

/** Puts files, by absolute path, into one ConfigMap; each is mounted alone, so that the folder around it stays as the image has it. */
export function configFilesOf(
  workload: string,
  purpose: string,
  volumeName: string,
  files: Readonly<Record<string, string>>,
): ConfigFiles {
  const paths = Object.keys(files).sort();
  const data = Object.fromEntries(paths.map((path) => [keyOf(path), files[path] ?? '']));
  const name = nameOf([workload, purpose, shortHash(JSON.stringify(data))]);
  return {
    object: draft('ConfigMap', { name }, { immutable: true, data }),
    volume: { name: volumeName, configMap: { name } },
    mounts: paths.map((path) => ({ name: volumeName, mountPath: path, subPath: keyOf(path), readOnly: true })),
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
