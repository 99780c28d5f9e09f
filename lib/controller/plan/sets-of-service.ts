import { type KubernetesObject } from '../../expand';
import { specOf } from './spec-of';

/** Returns the StatefulSets whose members have their host names in the domain of a headless Service. */
export const setsOfService = (service: string, objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
  objects.filter((object) => object.kind === 'StatefulSet' && specOf(object)['serviceName'] === service);
