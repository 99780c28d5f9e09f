import { type KubernetesObject } from '../../expand';
import { specOf } from './spec-of';

type Fields = Readonly<Record<string, unknown>>;

/** Immutable fields of a Job's spec. */
const immutableFieldNames = [
  'completions',
  'completionMode',
  'selector',
  'template',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'successPolicy',
  'managedBy',
] as const;

/** Returns the immutable fields of a Job's spec. */
export function immutableFields(job: object): Fields {
  const fields = specOf(job);
  return Object.fromEntries(
    immutableFieldNames.filter((field) => fields[field] !== undefined).map((field) => [field, fields[field]]),
  );
}

/** Returns a Job with the immutable fields of the live one. */
export function withImmutableFieldsOf(desired: KubernetesObject, live: object): KubernetesObject {
  const spec = Object.fromEntries(
    Object.entries(specOf(desired)).filter(([field]) => !immutableFieldNames.some((name) => name === field)),
  );
  return { ...desired, spec: { ...spec, ...immutableFields(live) } };
}
