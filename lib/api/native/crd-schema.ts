import { quantityPattern } from '../values/quantity';
import { type ValidationRule } from '../rules/validation-rule';
import { type FieldLimits } from './overlay';
import { longestQuantity } from './scalar';
import { type Field, type Structure, structureOf, type TypeName } from './structure-table';
import { omittedFields, type OmittedFields } from './walk';

/** Options of a schema. */
export interface NativeSchemaOptions {
  /** Fields to omit, by type. */
  readonly omit?: OmittedFields;
}

/** Structural schema for a CustomResourceDefinition. */
export type JsonSchema = Record<string, unknown>;

/** Schema of the time that clients write as null in the metadata of a template; other times are set by the API server. */
export const unsetTime: JsonSchema = { type: 'string', nullable: true, maxLength: 0 };

/**
 * Returns the structural OpenAPI v3 schema of a native Kubernetes type for a CustomResourceDefinition.
 *
 * It has no descriptions. It includes the limits and CEL rules of the overlay, except those that only clients check.
 */
export function nativeSchema(type: TypeName, options: NativeSchemaOptions = {}): JsonSchema {
  return objectSchema(structureOf(type), options, undefined);
}

function objectSchema(
  structure: Structure,
  options: NativeSchemaOptions,
  only: readonly string[] | undefined,
): JsonSchema {
  const gone = omittedFields(options.omit, structure.name);
  const kept = (key: string): boolean => gone?.[key] === undefined && (only === undefined || only.includes(key));
  const fields = [...structure.fields].filter(([key]) => kept(key));
  const required = structure.required.filter(kept);
  const rules = (structure.rules?.rules ?? []).filter((rule) => rule.where !== 'client' && speaksOf(rule).every(kept));
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    ...structure.rules?.count,
    properties: {
      ...(structure.name === 'ObjectMeta' && { creationTimestamp: unsetTime }),
      ...Object.fromEntries(fields.map(([key, field]) => [key, fieldSchema(field, options)])),
    },
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules.map(shortValidationOf) }),
  };
}

/** Returns the fields of `self` that a rule reads. */
function speaksOf(rule: ValidationRule): readonly string[] {
  return [...rule.cel.matchAll(/\bself\.(\w+)/g)].map((match) => match[1] as string);
}

/** Returns a rule as an entry of x-kubernetes-validations. */
export function validationOf(rule: ValidationRule): JsonSchema {
  const { cel, reason, remedy, fieldPath } = rule;
  return { rule: cel, message: `${reason}; ${remedy}`, ...(fieldPath && { fieldPath: `.${fieldPath.join('.')}` }) };
}

/** Like `validationOf`, without the remedy: a pod's schema must stay small. */
function shortValidationOf(rule: ValidationRule): JsonSchema {
  return { ...validationOf(rule), message: rule.reason };
}

function fieldSchema(field: Field, options: NativeSchemaOptions): JsonSchema {
  const limits = field.limits?.client === true ? undefined : field.limits;
  switch (field.kind) {
    case 'object':
      return objectSchema(structureOf(field.type as TypeName), options, limits?.only);
    case 'list':
      return { type: 'array', ...countOf(limits), items: fieldSchema(field.items as Field, options), ...listOf(field) };
    case 'map':
      return {
        type: 'object',
        ...(limits?.maxProperties !== undefined && { maxProperties: limits.maxProperties }),
        additionalProperties: fieldSchema(field.items as Field, options),
      };
    case 'any':
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    default:
      return scalarSchema(field, limits);
  }
}

function scalarSchema(field: Field, limits: FieldLimits | undefined): JsonSchema {
  switch (field.kind) {
    case 'quantity':
      return { 'x-kubernetes-int-or-string': true, maxLength: longestQuantity, ...amountOf(limits) };
    case 'int-or-string':
      return { 'x-kubernetes-int-or-string': true, ...rangeOf(limits), ...textOf(limits) };
    case 'int32':
      return { type: 'integer', ...(limits?.maximum === undefined && { format: 'int32' }), ...rangeOf(limits) };
    case 'int64':
      return { type: 'integer', ...rangeOf(limits) };
    case 'time':
      return { type: 'string', format: 'date-time' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'string':
      return {
        type: 'string',
        ...textOf(limits),
        ...(field.enum && field.limits?.client !== true && { enum: [...field.enum] }),
      };
    default:
      return { type: field.kind };
  }
}

/** Returns the schema of a quantity, not negative if its minimum is 0. */
function amountOf(limits: FieldLimits | undefined): JsonSchema {
  if (limits?.minimum !== 0) return { pattern: quantityPattern };
  return { minimum: 0, pattern: quantityPattern.replace('[+-]?', '\\+?') };
}

function textOf(limits: FieldLimits | undefined): JsonSchema {
  const most = limits?.maxLength ?? limits?.form?.maxLength;
  return {
    ...(limits?.minLength !== undefined && { minLength: limits.minLength }),
    ...(most !== undefined && { maxLength: most }),
    ...(limits?.form && { pattern: limits.form.pattern }),
  };
}

function rangeOf(limits: FieldLimits | undefined): JsonSchema {
  return {
    ...(limits?.minimum !== undefined && { minimum: limits.minimum }),
    ...(limits?.maximum !== undefined && { maximum: limits.maximum }),
  };
}

function countOf(limits: FieldLimits | undefined): JsonSchema {
  return {
    ...(limits?.minItems !== undefined && { minItems: limits.minItems }),
    ...(limits?.maxItems !== undefined && { maxItems: limits.maxItems }),
  };
}

/**
 * Returns the schema of a list. A keyed list requires its keys or has defaults for them, which would make results of
 * the entry points differ, so other lists stay plain.
 */
function listOf(field: Field): JsonSchema {
  if (field.set) return { 'x-kubernetes-list-type': 'set' };
  const type = field.items?.type;
  if (field.keys === undefined || type === undefined) return {};
  const { fields } = structureOf(type);
  if (!field.keys.every((key) => fields.get(key)?.required)) return {};
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...field.keys] };
}
