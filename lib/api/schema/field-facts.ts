import * as z from 'zod';
import { type Problem } from '../problem';
import { type ValidationRule } from '../rules/validation-rule';

/** Additional data of a schema, from which problems, CRDs and docs are derived. */
export interface FieldFacts {
  /** Rules across the fields of this object. */
  readonly rules?: readonly ValidationRule[];
  /** CRD schema of a leaf, which zod cannot see into. */
  readonly crd?: () => Record<string, unknown>;
  /** How docs name the type of a leaf, and TypeScript's name for it. */
  readonly typeName?: string;
  /** Values may hold secrets and are never shown. */
  readonly hidden?: boolean;
  /** List of objects keyed by these fields; entries with equal keys are a problem. */
  readonly listKeys?: readonly string[];
  /** Most entries of a map. */
  readonly maxEntries?: number;
}

/** Facts by schema; a schema that `describe` or `optional` makes from another keeps them. */
export const fieldFacts = z.registry<FieldFacts>();

/** Attaches rules across fields to an object schema. */
export function withRules<T extends z.ZodType>(schema: T, rules: readonly ValidationRule[]): T {
  return withFacts(schema, { rules });
}

/** Attaches facts to a schema, keeping those that it has. */
export function withFacts<T extends z.ZodType>(schema: T, facts: FieldFacts): T {
  fieldFacts.add(schema, { ...fieldFacts.get(schema), ...facts });
  return schema;
}

/** A problem within a leaf, its path relative to the leaf. */
type LeafReport = (problem: Problem) => void;

/** Returns a schema whose values are checked by a function: native Kubernetes types, quantities and durations. */
export function leaf<T>(
  typeName: string,
  crd: () => Record<string, unknown>,
  check: (value: unknown, report: LeafReport) => void,
): z.ZodCustom<T, T> {
  const schema = z.custom<T>().check((context) => {
    check(context.value, (problem) => {
      context.issues.push({
        code: 'custom',
        input: context.value,
        path: [...problem.path],
        message: problem.reason,
        params: { problem },
      });
    });
  });
  return withFacts(schema, { crd, typeName });
}
