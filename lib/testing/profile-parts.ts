import { environmentPrefix, reservedPrefix, type Container, type PodSpec } from '../api';
import { type KubernetesObject } from '../expand';
import { podTemplateOf } from './only';

/** Volumes with the platform's prefix that a kind creates from fields of the workload; a test checks that this list is complete. */
const kindVolumes = new RegExp(`^${reservedPrefix}(config|secret-.+|aws-token|checkpoint|shared-memory)$`);
/** Variables with the platform's prefix that identify members, shards and runs. */
const memberVariables = new RegExp(`^${environmentPrefix}(MEMBER|MEMBERS|SHARD|TASK|RUN)(_|$)`);

const isPartName = (name: string) => name.startsWith(reservedPrefix) && !kindVolumes.test(name);
const isPartVariable = (name: string) => name.startsWith(environmentPrefix) && !memberVariables.test(name);

/** Folds the additions of profile parts into one line each: containers show only their image, files only their names, others only their number. */
export function foldParts(objects: readonly KubernetesObject[]): unknown[] {
  const files = new Set(objects.flatMap(partFilesOf));
  return objects.map((object) => {
    if (object.kind === 'ConfigMap' && files.has(object.metadata.name))
      return { ...object, data: Object.keys((object['data'] as object | undefined) ?? {}).sort() };
    return podTemplateOf(object) ? foldPods(object) : object;
  });
}

/** Returns the names of ConfigMaps with files of parts, which the volumes of parts refer to. */
function partFilesOf(object: KubernetesObject): string[] {
  return (podTemplateOf(object)?.spec?.volumes ?? []).flatMap(({ name, configMap }) =>
    isPartName(name) && configMap?.name !== undefined ? [configMap.name] : [],
  );
}

/** Returns the value with all pod specs folded. */
function foldPods(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(foldPods);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray((value as Partial<PodSpec>).containers)) return foldPod(value as PodSpec);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, foldPods(member)]));
}

function foldPod(pod: PodSpec): unknown {
  const { initContainers, containers, volumes, ...rest } = pod;
  return {
    ...rest,
    ...(initContainers && { initContainers: initContainers.map(foldContainer) }),
    containers: containers.map(foldContainer),
    ...(volumes && { volumes: foldEntries(volumes, isPartName, 'volumes') }),
  };
}

function foldContainer(container: Container): unknown {
  if (isPartName(container.name)) return { [container.name]: container.image };
  const { env, volumeMounts, ...rest } = container;
  return {
    ...rest,
    ...(env && { env: foldEntries(env, isPartVariable, 'variables') }),
    ...(volumeMounts && { volumeMounts: foldEntries(volumeMounts, isPartName, 'mounts') }),
  };
}

/** Returns a list whose entries from parts are folded into one line with their number. */
function foldEntries<T extends { readonly name: string }>(
  list: readonly T[],
  isPart: (name: string) => boolean,
  noun: string,
): unknown[] {
  const own = list.filter(({ name }) => !isPart(name));
  const number = list.length - own.length;
  return number === 0 ? own : [`${number} ${noun} of the profile`, ...own];
}
