import { type Container, type PodTemplateSpec } from '../api';
import { type KubernetesObject } from '../expand';

/**
 * The one object of a kind, or of a kind and name. Throws if there is none or more than one, and says what there is.
 */
export function only(objects: readonly KubernetesObject[], kind: string, name?: string): KubernetesObject {
  const found = objects.filter(
    (object) => object.kind === kind && (name === undefined || object.metadata.name === name),
  );
  const [object] = found;
  if (object && found.length === 1) return object;
  const wanted = name === undefined ? kind : `${kind} ${name}`;
  throw new Error(`${found.length === 0 ? 'no' : `${found.length} times`} ${wanted} among ${listed(objects)}`);
}

/**
 * The pod template of the one workload among the objects, or of the one with that name; of a CronJob, that of its Jobs.
 */
export function podOf(objects: readonly KubernetesObject[], name?: string): PodTemplateSpec {
  const pods = objects.flatMap((object) => {
    const template = name === undefined || object.metadata.name === name ? podTemplateOf(object) : undefined;
    return template ? [template] : [];
  });
  const [pod] = pods;
  if (pod && pods.length === 1) return pod;
  const advice = pods.length > 1 && name === undefined ? '; give the name of one' : '';
  throw new Error(`${pods.length === 0 ? 'no' : pods.length} objects with pods among ${listed(objects)}${advice}`);
}

/** A container of a pod by name, app, init or sidecar. Throws if there is none, and says which there are. */
export function containerOf({ spec }: PodTemplateSpec, name: string): Container {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const container = containers.find((candidate) => candidate.name === name);
  if (container) return container;
  throw new Error(`no container ${name} among ${containers.map((candidate) => candidate.name).join(', ')}`);
}

interface Runs {
  readonly template?: PodTemplateSpec;
  readonly jobTemplate?: { readonly spec?: { readonly template?: PodTemplateSpec } };
}

const running = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob']);

/** The pod template of an object that runs pods. */
export function podTemplateOf(object: KubernetesObject): PodTemplateSpec | undefined {
  const spec = object['spec'] as Runs | undefined;
  return running.has(object.kind) ? (spec?.template ?? spec?.jobTemplate?.spec?.template) : undefined;
}

const listed = (objects: readonly KubernetesObject[]): string =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).join(', ') || 'nothing';
