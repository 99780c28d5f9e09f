import { immutableFieldsOf, type KubernetesObject } from '../../expand';
import { specOf } from './spec-of';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the immutable fields of a Job's spec. */
export function immutableFields(job: object): Fields {
  const fields = specOf(job);
  return Object.fromEntries(
    immutableFieldsOf('Job')
      .filter((field) => fields[field] !== undefined)
      .map((field) => [field, fields[field]]),
  );
}

/** Returns a Job with the immutable fields of the live one. */
export function withImmutableFieldsOf(desired: KubernetesObject, live: object): KubernetesObject {
  const spec = Object.fromEntries(
    Object.entries(specOf(desired)).filter(([field]) => !immutableFieldsOf('Job').includes(field)),
  );
  return { ...desired, spec: { ...spec, ...immutableFields(live) } };
}
