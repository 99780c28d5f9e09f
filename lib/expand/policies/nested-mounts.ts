import {
  podTemplatesOf,
  type Container,
  type FieldPath,
  type Problem,
  type Volume,
  type VolumeMount,
  type Workload,
} from '../../api';
import { expanderOf } from '../kinds/kind-expanders';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { podSpecOf } from '../objects/pod-spec-of';

/**
 * Reports files that are mounted into the folder of a Secret or ConfigMap.
 *
 * The kubelet creates a folder for each mount within such a volume, and a file cannot be mounted over a folder: the
 * container cannot start.
 */
export function nestedMountProblems(
  workload: Workload,
  objects: readonly KubernetesObject[],
  report: (problem: Problem) => void,
): void {
  const reported = new Set<string>();
  for (const object of objects) {
    const pod = podSpecOf(object);
    const volumes = new Map((pod?.volumes ?? []).map((volume) => [volume.name, volume]));
    for (const container of [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])])
      for (const { file, folder } of filesInFolders(container, volumes)) {
        const path = pathOf(workload, container.name, file);
        if (path === undefined || reported.has(file.mountPath)) continue;
        reported.add(file.mountPath);
        report({
          code: 'invalid-combination',
          path,
          value: file.mountPath,
          reason: `is in ${folder.mountPath}, where ${volumeText(workload, folder)} is mounted, so that the container cannot start`,
          remedy: `choose a path outside of ${folder.mountPath}`,
          rule: 'file-in-volume',
        });
      }
  }
}

/** Names a mounted volume; those of `spec.secrets.files` have names that no user knows. */
const volumeText = ({ spec }: Workload, { name, mountPath }: VolumeMount): string =>
  Object.hasOwn(spec.secrets?.files ?? {}, mountPath) ? 'a Secret' : `the volume ${name}`;

/** Lists the mounts of files that are within a volume whose content the kubelet writes. */
function filesInFolders({ volumeMounts = [] }: Container, volumes: ReadonlyMap<string, Volume>) {
  const files = volumeMounts.filter((mount) => isFile(mount, volumes.get(mount.name)));
  return files.flatMap((file) => {
    const folder = folderOf(file, volumeMounts);
    return folder && isWrittenByKubelet(volumes.get(folder.name)) && isWhole(folder) ? [{ file, folder }] : [];
  });
}

/** Returns the deepest mount that a path is in: a volume within another one may be writable. */
function folderOf(file: VolumeMount, mounts: readonly VolumeMount[]): VolumeMount | undefined {
  const prefixOf = ({ mountPath }: VolumeMount): string => `${mountPath.replace(/\/+$/, '')}/`;
  const around = mounts.filter((mount) => mount !== file && file.mountPath.startsWith(prefixOf(mount)));
  return around.sort((a, b) => prefixOf(b).length - prefixOf(a).length)[0];
}

const isWhole = ({ subPath, subPathExpr }: VolumeMount): boolean => !subPath && !subPathExpr;

const isWrittenByKubelet = (volume: Volume | undefined): boolean =>
  (volume?.secret ?? volume?.configMap ?? volume?.projected ?? volume?.downwardAPI) !== undefined;

/** Returns whether a mount is a key of a Secret or ConfigMap; keys are files unless `items` gives them paths. */
function isFile({ subPath }: VolumeMount, volume: Volume | undefined): boolean {
  if (!subPath || subPath.includes('/')) return false;
  const source = volume?.secret ?? volume?.configMap;
  return source !== undefined && (source.items?.some(({ path }) => path === subPath) ?? true);
}

/** Returns the path of the field that declares a mount; undefined if the platform adds it. */
function pathOf(workload: Workload, container: string, { mountPath }: VolumeMount): FieldPath | undefined {
  if (Object.hasOwn(workload.spec.config?.files ?? {}, mountPath)) return ['spec', 'config', 'files', mountPath];
  for (const { template, path } of podTemplatesOf(workload))
    for (const list of ['containers', 'initContainers'] as const)
      for (const [index, { name, volumeMounts = [] }] of (template.spec[list] ?? []).entries()) {
        const at = name === container ? volumeMounts.findIndex((mount) => mount.mountPath === mountPath) : -1;
        if (at >= 0) return [...path, 'spec', list, index, 'volumeMounts', at, 'mountPath'];
      }
  return expanderOf(workload)
    .mounts(workload.spec as never)
    .find((mount) => mount.mountPath === mountPath)?.path;
}
