import * as z from 'zod';
import { type Problem } from '../problem';
import { type ValidationRule } from '../rules/validation-rule';

/** Additional data of a schema, from which problems, CRDs and docs are derived. */
export interface FieldFacts {
  /** Rules across the fields of this object. */
  readonly rules?: readonly ValidationRule[];
  /** CRD schema of a leaf, which zod does not know. */
  readonly crd?: () => Record<string, unknown>;
  /** Name of a leaf's type in docs and TypeScript. */
  readonly typeName?: string;
  /** Whether values may contain secrets and are never shown. */
  readonly hidden?: boolean;
  /** Key fields of a list of objects; keys must be unique. */
  readonly listKeys?: readonly string[];
  /** Maximum number of entries of a map. */
  readonly maxEntries?: number;
}

/** Facts by schema; schemas derived by `describe` or `optional` keep them. */
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

/** Reports a problem of a leaf, with a path relative to it. */
type LeafReport = (problem: Problem) => void;

/** Returns a schema whose values are checked by a function: native Kubernetes types, quantities and durations. */
export function leaf<T, Input = T>(
  typeName: string,
  crd: () => Record<string, unknown>,
  check: (value: unknown, report: LeafReport) => void,
): z.ZodCustom<T, Input> {
  const schema = (z.custom<T>() as unknown as z.ZodCustom<T, Input>).check((context) => {
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
