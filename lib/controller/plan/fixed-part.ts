import { type KubernetesObject } from '../../expand';
import { specOf } from './spec-of';

type Fields = Readonly<Record<string, unknown>>;

/** Immutable fields of a Job's spec. */
const fixedFields = [
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
export function fixedPart(job: object): Fields {
  const fields = specOf(job);
  return Object.fromEntries(
    fixedFields.filter((field) => fields[field] !== undefined).map((field) => [field, fields[field]]),
  );
}

/** Returns a Job with the immutable fields of the live one. */
export function withFixedPartOf(desired: KubernetesObject, live: object): KubernetesObject {
  const spec = Object.fromEntries(
    Object.entries(specOf(desired)).filter(([field]) => !fixedFields.some((fixed) => fixed === field)),
  );
  return { ...desired, spec: { ...spec, ...fixedPart(live) } };
}
