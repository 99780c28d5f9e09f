import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../../api';
import { typesOf, type SchemaNode } from '../schema/schema-node';

/** Receives a reason why a value, or its missing field, is invalid. */
export type ReportValueError = (reason: string, field?: string) => void;

/** Receives a reason why pinion cannot judge a value. */
export type ReportUnknown = (reason: string) => void;

/** Reports violations of the keywords of one node, not of its fields and items. */
export function valueErrors(
  value: unknown,
  schema: SchemaNode,
  report: ReportValueError,
  unknown: ReportUnknown,
): void {
  const types = typesOf(schema);
  if (value === null) {
    if (types.length > 0 && schema.nullable !== true) report('is null');
    else if (schema.enum && !schema.enum.includes(null)) report('is not one of the values of enum');
    return;
  }
  if (types.length > 0 && !types.some((type) => hasType(value, type)))
    return report(`is not of type ${types.join(' or ')}`);
  if (schema.enum && !schema.enum.some((one) => isDeepStrictEqual(one, value)))
    report('is not one of the values of enum');
  if (typeof value === 'string') stringErrors(value, schema, report, unknown);
  else if (typeof value === 'number') numberErrors(value, schema, report);
  else if (Array.isArray(value)) sizeErrors(value.length, schema.minItems, schema.maxItems, 'items', report);
  else if (isPlainObject(value)) {
    sizeErrors(Object.keys(value).length, schema.minProperties, schema.maxProperties, 'fields', report);
    for (const field of schema.required ?? []) if (!Object.hasOwn(value, field)) report('is required', field);
  }
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isPlainObject(value);
    default:
      return typeof value === type;
  }
}

function sizeErrors(
  size: number,
  min: number | undefined,
  max: number | undefined,
  unit: string,
  report: ReportValueError,
): void {
  if (min !== undefined && size < min) report(`has fewer than ${min} ${unit}`);
  if (max !== undefined && size > max) report(`has more than ${max} ${unit}`);
}

function numberErrors(value: number, schema: SchemaNode, report: ReportValueError): void {
  const { minimum, maximum, multipleOf, format } = schema;
  if (minimum !== undefined && (schema.exclusiveMinimum === true ? value <= minimum : value < minimum))
    report(`is below ${minimum}`);
  if (maximum !== undefined && (schema.exclusiveMaximum === true ? value >= maximum : value > maximum))
    report(`is above ${maximum}`);
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) report(`is not a multiple of ${multipleOf}`);
  if (format === 'int32' && Math.abs(value) > 2 ** 31) report('is not an int32');
}

function stringErrors(value: string, schema: SchemaNode, report: ReportValueError, unknown: ReportUnknown): void {
  sizeErrors([...value].length, schema.minLength, schema.maxLength, 'characters', report);
  const { pattern, format } = schema;
  if (pattern !== undefined) {
    const expression = regularExpression(pattern);
    if (!expression) unknown(`pattern ${JSON.stringify(pattern)} cannot be evaluated here`);
    else if (!expression.test(value)) report(`does not match ${pattern}`);
  }
  if (format === undefined || uncheckedFormats.includes(format)) return;
  const check = formats[format];
  if (!check) return unknown(`format ${format} cannot be evaluated here`);
  if (!check(value)) report(`is not in format ${format}`);
}

const expressions = new Map<string, RegExp | undefined>();

/** Syntax that means something else in Go is not evaluated. */
function regularExpression(pattern: string): RegExp | undefined {
  if (expressions.has(pattern)) return expressions.get(pattern);
  let compiled: RegExp | undefined;
  try {
    compiled = /\(\?[^:]|\\[pPzAQEC]|\[\[:/.test(pattern) ? undefined : new RegExp(pattern, 'u');
  } catch {
    compiled = undefined;
  }
  expressions.set(pattern, compiled);
  return compiled;
}

/** Formats of which the API server checks nothing in a string. */
const uncheckedFormats = ['int32', 'int64', 'float', 'double', 'password', 'binary', ''];

const formats: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': (value) =>
    /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
  uuid: (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(value),
  ipv4: (value) => /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(value),
  byte: (value) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value),
};
