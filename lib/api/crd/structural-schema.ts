import { type FieldNode, type NumberShape, type Shape, type TextShape } from '../schema/field-tree';
import { type JsonSchema, validationOf } from '../native';
import { type ProblemCode } from '../problem';
import { type ValidationRule } from '../rules/validation-rule';

/** Reasons of the API server by problem code; others have its default, FieldValueInvalid. It omits messages of FieldValueDuplicate. */
const reasons: { readonly [Code in ProblemCode]?: string } = {
  required: 'FieldValueRequired',
  'platform-owned': 'FieldValueForbidden',
};

/** Returns the structural OpenAPI v3 schema of a shape, for a CustomResourceDefinition. */
export function structuralSchema(shape: Shape): JsonSchema {
  switch (shape.kind) {
    case 'object':
      return objectSchema(shape.fields, shape.rules);
    case 'list':
      return {
        type: 'array',
        ...(shape.min !== undefined && { minItems: shape.min }),
        ...(shape.max !== undefined && { maxItems: shape.max }),
        items: structuralSchema(shape.items),
        ...(shape.keys && { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...shape.keys] }),
      };
    case 'map':
      return mapSchema(shape.keys, structuralSchema(shape.values), shape.max);
    case 'text':
      return { type: 'string', ...textBounds(shape) };
    case 'integer':
    case 'number':
      return { type: shape.kind, ...rangeOf(shape) };
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return { type: 'string', enum: [...shape.values] };
    case 'either':
      return eitherSchema(shape.options);
    case 'leaf':
      return shape.crd();
    default:
      return shape satisfies never;
  }
}

/** Returns the rules of an object as x-kubernetes-validations, without those that only clients evaluate. */
export function validationsOf(rules: readonly ValidationRule[]): JsonSchema[] {
  return rules
    .filter(({ where, severity }) => where !== 'client' && severity !== 'warning')
    .map((rule) => {
      const reason = rule.code && reasons[rule.code];
      return { ...validationOf(rule), ...(reason && { reason }) };
    });
}

function objectSchema(fields: readonly FieldNode[], rules: readonly ValidationRule[]): JsonSchema {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const validations = validationsOf(rules);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(validations.length > 0 && { 'x-kubernetes-validations': validations }),
  };
}

function fieldSchema(field: FieldNode): JsonSchema {
  return {
    description: field.description,
    ...(field.default !== undefined && { default: filled(field.default, field.shape) }),
    ...structuralSchema(field.shape),
  };
}

/**
 * Returns the schema of a map. Schemas cannot restrict keys, so a rule does; rules cannot read maps of untyped values.
 */
function mapSchema(keys: TextShape, values: JsonSchema, max: number | undefined): JsonSchema {
  const tests = [
    ...(keys.max === undefined ? [] : [`size(k) <= ${keys.max}`]),
    ...keys.patterns.map((pattern) => `k.matches(${JSON.stringify(pattern)})`),
  ];
  const failure = keys.failure ? `${keys.failure.reason}; ${keys.failure.remedy}` : 'is too long';
  const seen = values['type'] !== undefined || values['x-kubernetes-int-or-string'] === true;
  const rule = { rule: `self.all(k, ${tests.join(' && ')})`, message: `a key ${failure}` };
  return {
    type: 'object',
    ...(max !== undefined && { maxProperties: max }),
    additionalProperties: values,
    ...(seen && max !== undefined && tests.length > 0 && { 'x-kubernetes-validations': [rule] }),
  };
}

/** Returns a default with the defaults of nested fields: the API server evaluates rules on the default as written. */
function filled(value: unknown, shape: Shape): unknown {
  if (shape.kind !== 'object' || typeof value !== 'object' || value === null) return value;
  const given = value as Readonly<Record<string, unknown>>;
  const fields = shape.fields.flatMap(({ name, default: preset, shape: below }) => {
    const chosen = given[name] ?? preset;
    return chosen === undefined ? [] : [[name, filled(chosen, below)]];
  });
  return Object.fromEntries(fields);
}

/**
 * Returns the schema of a union. Structural schemas support only one, of integers and strings; the type of others is
 * checked by clients only.
 */
function eitherSchema(options: readonly Shape[]): JsonSchema {
  const text = options.find((option) => option.kind === 'text');
  const integer = options.find((option): option is NumberShape => option.kind === 'integer');
  if (options.length !== 2 || !text || !integer) return { 'x-kubernetes-preserve-unknown-fields': true };
  return { 'x-kubernetes-int-or-string': true, ...rangeOf(integer), ...textBounds(text) };
}

function textBounds({ min, max, patterns }: TextShape): JsonSchema {
  const [pattern, ...more] = patterns;
  return {
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
    ...(pattern !== undefined && { pattern }),
    ...(more.length > 0 && { allOf: more.map((other) => ({ pattern: other })) }),
  };
}

function rangeOf({ min, max }: { readonly min?: number; readonly max?: number }): JsonSchema {
  return { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
}
