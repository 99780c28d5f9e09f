import { type PodSpec } from '../../api';
import { type KubernetesObject } from './kubernetes-object';

/** Fields of an object that contain a pod template. */
interface TemplateOwner {
  readonly template?: { readonly spec?: PodSpec };
  readonly jobTemplate?: { readonly spec?: TemplateOwner };
}

/** Returns the spec of the pods that an object creates; undefined if it creates none. */
export function podSpecOf({ spec }: KubernetesObject): PodSpec | undefined {
  const owner = (spec ?? {}) as TemplateOwner;
  return (owner.jobTemplate?.spec ?? owner).template?.spec;
}
