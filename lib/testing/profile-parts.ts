import { environmentPrefix, reservedPrefix, type Container, type PodSpec } from '../api';
import { type KubernetesObject } from '../expand';
import { podTemplateOf } from './only';

/** Volumes with the platform's prefix that a kind creates from the team's own fields; a test checks that there are no more. */
const ofTheKind = new RegExp(`^${reservedPrefix}(config|secret-.+|aws-token|checkpoint|shared-memory)$`);
/** Variables with the platform's prefix that identify members, shards and runs. */
const ofTheMember = new RegExp(`^${environmentPrefix}(MEMBER|MEMBERS|SHARD|TASK|RUN)(_|$)`);

const isPartName = (name: string) => name.startsWith(reservedPrefix) && !ofTheKind.test(name);
const isPartVariable = (name: string) => name.startsWith(environmentPrefix) && !ofTheMember.test(name);

/** Returns what parts of the profile add to an object, one line each: containers by image, files by name, others by number. */
export function withPartsFolded(objects: readonly KubernetesObject[]): unknown[] {
  const files = new Set(objects.flatMap(partFilesOf));
  return objects.map((object) => {
    if (object.kind === 'ConfigMap' && files.has(object.metadata.name))
      return { ...object, data: Object.keys((object['data'] as object | undefined) ?? {}).sort() };
    return podTemplateOf(object) ? folded(object) : object;
  });
}

/** Returns the names of ConfigMaps with files of parts, found by the volumes of parts. */
function partFilesOf(object: KubernetesObject): string[] {
  return (podTemplateOf(object)?.spec?.volumes ?? []).flatMap(({ name, configMap }) =>
    isPartName(name) && configMap?.name !== undefined ? [configMap.name] : [],
  );
}

/** Returns the tree with each pod spec folded. */
function folded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(folded);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray((value as Partial<PodSpec>).containers)) return foldedPod(value as PodSpec);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, folded(member)]));
}

function foldedPod(pod: PodSpec): unknown {
  const { initContainers, containers, volumes, ...rest } = pod;
  return {
    ...rest,
    ...(initContainers && { initContainers: initContainers.map(foldedContainer) }),
    containers: containers.map(foldedContainer),
    ...(volumes && { volumes: counted(volumes, isPartName, 'volumes') }),
  };
}

function foldedContainer(container: Container): unknown {
  if (isPartName(container.name)) return { [container.name]: container.image };
  const { env, volumeMounts, ...rest } = container;
  return {
    ...rest,
    ...(env && { env: counted(env, isPartVariable, 'variables') }),
    ...(volumeMounts && { volumeMounts: counted(volumeMounts, isPartName, 'mounts') }),
  };
}

/** Returns a list with the entries of parts folded into one line with their number. */
function counted<T extends { readonly name: string }>(
  list: readonly T[],
  isPart: (name: string) => boolean,
  what: string,
): unknown[] {
  const own = list.filter(({ name }) => !isPart(name));
  const number = list.length - own.length;
  return number === 0 ? own : [`${number} ${what} of the profile`, ...own];
}
