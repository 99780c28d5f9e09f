import { type Container, type NativeKind, type NativeObjectOf, type PodTemplateSpec } from '../api';
import { type KubernetesObject } from '../expand';

/**
 * Returns the only object of a kind, or of a kind and name. If there is none or more than one, throws an error that lists the objects.
 */
export function only<K extends NativeKind>(
  objects: readonly KubernetesObject[],
  kind: K,
  name?: string,
): KubernetesObject & NativeObjectOf<K>;
/**
 * Returns the only object of a kind that pinion does not create itself.
 */
export function only(objects: readonly KubernetesObject[], kind: string, name?: string): KubernetesObject;
export function only(objects: readonly KubernetesObject[], kind: string, name?: string): KubernetesObject {
  const found = objects.filter(
    (object) => object.kind === kind && (name === undefined || object.metadata.name === name),
  );
  const [object] = found;
  if (object && found.length === 1) return object;
  const expected = name === undefined ? kind : `${kind} ${name}`;
  throw new Error(
    `${found.length === 0 ? 'no' : `${found.length} matches for`} ${expected} among ${listObjects(objects)}`,
  );
}

/**
 * Returns the pod template of the only workload, or of the one with that name; for a CronJob, that of its Jobs.
 */
export function podOf(objects: readonly KubernetesObject[], name?: string): PodTemplateSpec {
  const pods = objects.flatMap((object) => {
    const template = name === undefined || object.metadata.name === name ? podTemplateOf(object) : undefined;
    return template ? [template] : [];
  });
  const [pod] = pods;
  if (pod && pods.length === 1) return pod;
  const hint = pods.length > 1 && name === undefined ? '; specify a name' : '';
  throw new Error(`${pods.length === 0 ? 'no' : pods.length} objects with pods among ${listObjects(objects)}${hint}`);
}

/** Returns an app, init or sidecar container of a pod by name. If there is none, throws an error that lists the containers. */
export function containerOf({ spec }: PodTemplateSpec, name: string): Container {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const container = containers.find((candidate) => candidate.name === name);
  if (container) return container;
  throw new Error(`no container ${name} among ${containers.map((candidate) => candidate.name).join(', ')}`);
}

interface PodOwnerSpec {
  readonly template?: PodTemplateSpec;
  readonly jobTemplate?: { readonly spec?: { readonly template?: PodTemplateSpec } };
}

const kindsWithPods = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob']);

/** Returns the pod template of an object that runs pods. */
export function podTemplateOf(object: KubernetesObject): PodTemplateSpec | undefined {
  const spec = object['spec'] as PodOwnerSpec | undefined;
  return kindsWithPods.has(object.kind) ? (spec?.template ?? spec?.jobTemplate?.spec?.template) : undefined;
}

const listObjects = (objects: readonly KubernetesObject[]): string =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).join(', ') || 'nothing';
