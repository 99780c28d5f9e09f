import { parseQuantity } from '../values/quantity';
import { didYouMean } from './did-you-mean';
import { type FieldLimits } from './overlay';
import { type Field, type FieldKind } from './structure-table';
import { describeType, reportHere, type Walk } from './walk';

const needed: { readonly [Kind in FieldKind]?: string } = {
  string: 'a string',
  boolean: 'a boolean',
  int32: 'a whole number',
  int64: 'a whole number',
  number: 'a number',
  'int-or-string': 'a whole number or a string',
  quantity: 'a whole number or a string',
  time: 'a time',
  bytes: 'a base64 string',
};

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const base64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Maximum length of a quantity, in characters: the cost of CEL rules that read quantities depends on it. */
export const longestQuantity = 32;

/** Checks a scalar value at the current path of the walk. */
export function checkScalar(field: Field, value: unknown, walk: Walk): void {
  switch (field.kind) {
    case 'string':
      if (typeof value === 'string') return checkText(field, value, walk);
      break;
    case 'boolean':
      if (typeof value === 'boolean') return;
      break;
    case 'int32':
    case 'int64':
      if (typeof value === 'number' && Number.isInteger(value)) return checkInteger(field, value, walk);
      break;
    case 'number':
      if (typeof value === 'number') return;
      break;
    case 'int-or-string':
      if (typeof value === 'string') return checkText(field, value, walk);
      if (typeof value === 'number' && Number.isInteger(value)) return checkInteger(field, value, walk);
      break;
    case 'quantity':
      if (typeof value === 'string' || Number.isInteger(value))
        return checkQuantity(field, value as string | number, walk);
      break;
    case 'time':
    case 'bytes':
      if (typeof value === 'string') return checkEncoded(field, value, walk);
      break;
    default:
      return;
  }
  reportWrongType(field, value, walk);
}

function reportWrongType(field: Field, value: unknown, walk: Walk): void {
  const what = needed[field.kind] ?? field.kind;
  const scalar =
    { string: ['number', 'boolean'], quantity: ['number'] }[field.kind as string]?.includes(typeof value) ?? false;
  const remedy = value === null ? 'remove the field, or set a value' : scalar ? 'put it in quotes' : `write ${what}`;
  reportHere(walk, 'wrong-type', `must be ${what}, not ${describeType(value)}`, remedy, shown(field, value));
}

function checkText(field: Field, value: string, walk: Walk): void {
  if (field.enum !== undefined && !field.enum.has(value)) return reportUnsupported(field.enum, value, walk);
  const { limits } = field;
  if (limits === undefined) return;
  if (limits.minLength !== undefined && value.length < limits.minLength) {
    const code = value === '' ? 'required' : 'out-of-range';
    return reportHere(
      walk,
      code,
      value === '' ? 'is empty' : 'is too short',
      `use at least ${limits.minLength} characters`,
    );
  }
  const most = limits.maxLength ?? limits.form?.maxLength;
  if (most !== undefined && value.length > most && Array.from(value).length > most) {
    reportHere(walk, 'out-of-range', `is longer than ${most} characters`, `shorten it to ${most}`, shown(field, value));
  }
  if (field.pattern !== undefined && !field.pattern.test(value)) {
    const what = limits.form?.what ?? 'of the right form';
    reportHere(walk, 'bad-format', `is not ${what}`, `write ${what}`, shown(field, value));
  }
}

function reportUnsupported(choice: ReadonlySet<string>, value: string, walk: Walk): void {
  const near = didYouMean(value, choice);
  const list = [...choice].join(', ');
  reportHere(
    walk,
    'unsupported-value',
    `must be one of ${list}`,
    near === undefined ? `use one of ${list}` : `did you mean ${near}?`,
    value,
  );
}

function checkInteger(field: Field, value: number, walk: Walk): void {
  const [least, most] = rangeOf(field.kind, field.limits);
  if (value >= least && value <= most) return;
  const remedy = `use a whole number from ${least} to ${most}`;
  reportHere(walk, 'out-of-range', `must be from ${least} to ${most}`, remedy, shown(field, value));
}

function rangeOf(kind: FieldKind, limits: FieldLimits | undefined): readonly [number, number] {
  const most = kind === 'int64' ? Number.MAX_SAFE_INTEGER : 2_147_483_647;
  return [limits?.minimum ?? -most - 1, limits?.maximum ?? most];
}

function checkQuantity(field: Field, value: string | number, walk: Walk): void {
  const quantity = parseQuantity(value);
  if (typeof value === 'string' && value.length > longestQuantity) {
    reportHere(walk, 'out-of-range', `is longer than ${longestQuantity} characters`, 'use a unit', value);
  } else if (quantity === undefined) {
    reportHere(
      walk,
      'bad-format',
      'is not a quantity',
      'write a number with an optional unit: 250m, 1.5, 512Mi, 1Gi',
      value,
    );
  } else if (field.limits?.minimum === 0 && quantity.nanos < 0n) {
    reportHere(walk, 'out-of-range', 'is less than 0', 'write an amount of 0 or more', value);
  }
}

function checkEncoded(field: Field, value: string, walk: Walk): void {
  if (field.kind === 'time' && !rfc3339.test(value)) {
    reportHere(walk, 'bad-format', 'is not a time', 'write it as 2026-01-31T12:00:00Z', shown(field, value));
  }
  if (field.kind === 'bytes' && !base64.test(value.replace(/[\r\n]/g, ''))) {
    reportHere(walk, 'bad-format', 'is not base64', 'encode it in base64');
  }
}

function shown(field: Field, value: unknown): unknown {
  return field.limits?.secret === true || field.kind === 'bytes' ? undefined : value;
}
