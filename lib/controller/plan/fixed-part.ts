import { type KubernetesObject } from '../../expand';
import { specOf } from './spec-of';

type Fields = Readonly<Record<string, unknown>>;

/** Fields of a Job's spec that the API server never changes. */
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

/** What can never change in a Job, out of its spec. */
export function fixedPart(job: object): Fields {
  const fields = specOf(job);
  return Object.fromEntries(
    fixedFields.filter((field) => fields[field] !== undefined).map((field) => [field, fields[field]]),
  );
}

/** A Job with what can never change in it as it is in the live one. */
export function withFixedPartOf(desired: KubernetesObject, live: object): KubernetesObject {
  const spec = Object.fromEntries(
    Object.entries(specOf(desired)).filter(([field]) => !fixedFields.some((fixed) => fixed === field)),
  );
  return { ...desired, spec: { ...spec, ...fixedPart(live) } };
}
