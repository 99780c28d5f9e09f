import * as z from 'zod';
import { type FieldFacts, fieldFacts } from './field-facts';
import { type ValidationRule } from '../rules/validation-rule';
import { failureOf, type FormFailure } from './text-form';

/** One field of an object, as described in CRDs, docs and TypeScript interfaces. */
export interface FieldNode {
  readonly name: string;
  /** Description of the field. */
  readonly description: string;
  /** Whether the field is required. */
  readonly required: boolean;
  /** Default value; undefined if there is none. */
  readonly default?: unknown;
  readonly shape: Shape;
}

/** Allowed values of a field. */
export type Shape =
  | { readonly kind: 'object'; readonly fields: readonly FieldNode[]; readonly rules: readonly ValidationRule[] }
  | {
      readonly kind: 'list';
      readonly items: Shape;
      readonly min?: number;
      readonly max?: number;
      readonly keys?: readonly string[];
    }
  | { readonly kind: 'map'; readonly keys: TextShape; readonly values: Shape; readonly max?: number }
  | TextShape
  | NumberShape
  | { readonly kind: 'boolean' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'either'; readonly options: readonly Shape[] }
  | { readonly kind: 'leaf'; readonly typeName: string; readonly crd: () => Record<string, unknown> };

/** Text with bounds and JavaScript patterns. */
export interface TextShape {
  readonly kind: 'text';
  readonly min?: number;
  readonly max?: number;
  readonly patterns: readonly string[];
  /** Failure of a string that does not match. */
  readonly failure?: FormFailure;
}

/** A number within bounds. */
export interface NumberShape {
  readonly kind: 'integer' | 'number';
  readonly min?: number;
  readonly max?: number;
}

/** Returns a schema as plain data. Throws for constructs without a structural form. */
export function shapeOf(schema: z.ZodType): Shape {
  const { inner } = unwrapped(schema);
  const facts = fieldFacts.get(inner) ?? {};
  if (facts.crd) return { kind: 'leaf', typeName: facts.typeName ?? 'any', crd: facts.crd };
  if (inner instanceof z.ZodObject) {
    const fields = Object.entries(inner.shape).map(([name, field]) => fieldOf(name, field as z.ZodType));
    return { kind: 'object', fields, rules: facts.rules ?? [] };
  }
  if (inner instanceof z.ZodArray) return listShape(inner, facts);
  if (inner instanceof z.ZodRecord) {
    const max = facts.maxEntries;
    const keys = shapeOf(inner.keyType as z.ZodType) as TextShape;
    return { kind: 'map', keys, values: shapeOf(inner.valueType as z.ZodType), ...(max !== undefined && { max }) };
  }
  if (inner instanceof z.ZodUnion) return { kind: 'either', options: (inner.options as z.ZodType[]).map(shapeOf) };
  if (inner instanceof z.ZodEnum) return { kind: 'enum', values: inner.options.map(String) };
  if (inner instanceof z.ZodBoolean) return { kind: 'boolean' };
  if (inner instanceof z.ZodNumber) return numberShape(inner);
  if (inner instanceof z.ZodString) return textShape(inner);
  throw new Error(`a schema of type ${inner.def.type} has no structural form`);
}

function fieldOf(name: string, schema: z.ZodType): FieldNode {
  const { inner, required, preset } = unwrapped(schema);
  return {
    name,
    description: schema.description ?? inner.description ?? '',
    required,
    ...(preset !== undefined && { default: preset }),
    shape: shapeOf(schema),
  };
}

interface Unwrapped {
  readonly inner: z.ZodType;
  readonly required: boolean;
  readonly preset?: unknown;
}

function unwrapped(schema: z.ZodType): Unwrapped {
  let inner = schema;
  let required = true;
  let preset: unknown;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
    required = false;
    if (!(inner instanceof z.ZodOptional)) preset ??= inner.def.defaultValue;
    inner = inner.unwrap() as z.ZodType;
  }
  return { inner, required, preset };
}

function listShape(list: z.ZodArray, { listKeys }: FieldFacts): Shape {
  const items = shapeOf(list.element as z.ZodType);
  return { kind: 'list', items, ...boundsOf(list), ...(listKeys && { keys: listKeys }) };
}

/** Definition of a zod check. */
interface CheckFacts {
  readonly check?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: RegExp;
}

function checksOf(schema: z.ZodType): CheckFacts[] {
  return (schema.def.checks ?? []).map((check) => check._zod.def as CheckFacts);
}

function boundsOf(schema: z.ZodType): { min?: number; max?: number } {
  const checks = checksOf(schema);
  const least = checks.flatMap(({ minimum }) => minimum ?? []);
  const most = checks.flatMap(({ maximum }) => maximum ?? []);
  return {
    ...(least.length > 0 && Math.max(...least) > 0 && { min: Math.max(...least) }),
    ...(most.length > 0 && { max: Math.min(...most) }),
  };
}

function textShape(schema: z.ZodString): TextShape {
  const failure = (schema.def.checks ?? []).map(failureOf).find((found) => found !== undefined);
  return {
    kind: 'text',
    ...boundsOf(schema),
    patterns: checksOf(schema).flatMap(({ pattern }) => pattern?.source.replaceAll('\\/', '/') ?? []),
    ...(failure && { failure }),
  };
}

function numberShape(schema: z.ZodNumber): NumberShape {
  const { minValue: min, maxValue: max } = schema;
  return {
    kind: schema.isInt ? 'integer' : 'number',
    ...(min !== null && Number.isFinite(min) && min > Number.MIN_SAFE_INTEGER && { min }),
    ...(max !== null && Number.isFinite(max) && max < Number.MAX_SAFE_INTEGER && { max }),
  };
}
