import { type PodSpec, type PodTemplateSpec } from '../../api';
import { type KubernetesObject } from './kubernetes-object';

/** Fields of an object that contain a pod template. */
interface TemplateOwner {
  readonly template?: PodTemplateSpec;
  readonly jobTemplate?: { readonly spec?: TemplateOwner };
}

/** Returns the template of the pods that an object creates; undefined if it creates none. */
export function podTemplateSpecOf({ spec }: KubernetesObject): PodTemplateSpec | undefined {
  const owner = (spec ?? {}) as TemplateOwner;
  return (owner.jobTemplate?.spec ?? owner).template;
}

/** Returns the spec of the pods that an object creates; undefined if it creates none. */
export const podSpecOf = (object: KubernetesObject): PodSpec | undefined => podTemplateSpecOf(object)?.spec;
