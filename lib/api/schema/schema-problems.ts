import type * as z from 'zod';
import { nearest } from '../values/nearest';
import { type FieldPath, type Problem } from '../problem';
import { remedyForNativeName } from './native-names';
import { fieldNamesAt, isHidden } from './schema-walk';
import { type FormFailure } from './text-form';
import { valueAt } from '../values/value-at';

type Issue = z.core.$ZodIssue;

/** Data of a custom issue: a whole problem, or the failure of a string to have its form. */
interface CustomParams {
  readonly problem?: Problem;
  readonly form?: FormFailure;
}

/** Returns the issues of a schema as problems, with paths under `base`. */
export function schemaProblems(
  schema: z.ZodType,
  input: unknown,
  issues: readonly Issue[],
  base: FieldPath,
): Problem[] {
  return issues.flatMap((issue) => {
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    return problemsOf(issue, schema, path, valueAt(input, path)).map((problem) => {
      const whole = { ...problem, path: [...base, ...problem.path] };
      if (!isHidden(schema, problem.path)) return whole;
      const { value: _hidden, ...shown } = whole;
      return shown;
    });
  });
}

function problemsOf(issue: Issue, schema: z.ZodType, path: FieldPath, value: unknown): Problem[] {
  switch (issue.code) {
    case 'custom': {
      const { problem, form } = (issue.params ?? {}) as CustomParams;
      if (problem) return [{ ...problem, path }];
      return [{ code: 'bad-format', path, value, ...(form ?? { reason: issue.message, remedy: 'correct it' }) }];
    }
    case 'invalid_type':
      if (value === undefined)
        return [{ code: 'required', path, reason: 'is missing', remedy: `set ${article(issue.expected)}` }];
      return [
        {
          code: 'wrong-type',
          path,
          value,
          reason: value === null ? 'is null' : `is ${article(typeName(value))}`,
          remedy:
            value === null ? `set ${article(issue.expected)}, or remove the field` : remedyFor(issue.expected, value),
        },
      ];
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField([...path, key], valueAt(value, [key]), fieldNamesAt(schema, path)));
    case 'invalid_value':
      return [unsupportedValue(path, value, issue.values.map(String))];
    case 'too_small':
    case 'too_big':
      return [outOfRange(issue, path, value)];
    case 'invalid_format':
      return [{ code: 'bad-format', path, value, reason: issue.message, remedy: 'correct it' }];
    case 'invalid_key':
      return issue.issues.flatMap((inner) => problemsOf(inner, schema, path, path.at(-1)));
    case 'invalid_union':
      return [
        {
          code: 'wrong-type',
          path,
          value,
          reason: 'has an unsupported type',
          remedy: unionRemedy(issue),
        },
      ];
    default:
      return [{ code: 'wrong-type', path, value, reason: issue.message, remedy: 'correct it' }];
  }
}

/** Returns the problem of an unknown field, with the nearest known one as remedy. */
export function unknownField(path: FieldPath, value: unknown, known: readonly string[]): Problem {
  const native = remedyForNativeName(String(path.at(-1)), known);
  const guess = nearest(String(path.at(-1)), known);
  const remedy = native
    ? native
    : guess
      ? `did you mean "${guess}"?`
      : known.length > 0 && known.length <= 12
        ? `use ${known.join(', ')}`
        : 'remove it';
  return { code: 'unknown-field', path, value, reason: 'does not exist', remedy };
}

/** Returns the problem of an unsupported value. */
const unsupportedValue = (path: FieldPath, value: unknown, allowed: readonly string[]): Problem =>
  value === undefined
    ? { code: 'required', path, reason: 'is missing', remedy: `use ${allowed.join(' or ')}` }
    : typeof value !== 'string' && allowed.includes(String(value))
      ? {
          code: 'wrong-type',
          path,
          value,
          reason: `is a ${typeof value}`,
          remedy: 'put it in quotes',
        }
      : { code: 'unsupported-value', path, value, reason: 'is not supported', remedy: remedyOf(value, allowed) };

/** Returns the nearest of the allowed values, and the others. */
function remedyOf(value: unknown, allowed: readonly string[]): string {
  const guess = typeof value === 'string' ? nearest(value, allowed) : undefined;
  return guess === undefined
    ? `use ${allowed.join(' or ')}`
    : `did you mean "${guess}"? Allowed are ${allowed.join(', ')}`;
}

function outOfRange(
  issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall,
  path: FieldPath,
  value: unknown,
): Problem {
  const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', object: ' entries' };
  const unit = units[issue.origin] ?? '';
  if (issue.code === 'too_big') {
    return {
      code: 'out-of-range',
      path,
      value: unit ? undefined : value,
      reason: unit ? `has more than ${issue.maximum}${unit}` : `is more than ${issue.maximum}`,
      remedy: `use at most ${issue.maximum}`,
    };
  }
  return {
    code: 'out-of-range',
    path,
    value: unit ? undefined : value,
    reason: unit ? `has fewer than ${issue.minimum}${unit}` : `is less than ${issue.minimum}`,
    remedy: `use at least ${issue.minimum}`,
  };
}

const unionRemedy = (issue: z.core.$ZodIssueInvalidUnion): string =>
  `write ${[...new Set(issue.errors.flat().map(acceptedByOption))].join(' or ')}`;

function acceptedByOption(issue: Issue): string {
  if (issue.code === 'invalid_type') return article(issue.expected);
  const form = issue.code === 'custom' ? (issue.params as CustomParams | undefined)?.form : undefined;
  return form ? form.reason.replace(/^is not /, '') : 'a value in range';
}

const remedyFor = (expected: string, value: unknown): string =>
  expected === 'string' && ['number', 'boolean'].includes(typeof value)
    ? 'put it in quotes'
    : `write ${article(expected)}`;

const names: Readonly<Record<string, string>> = { int: 'whole number', record: 'map' };

function article(type: string): string {
  const name = names[type] ?? type;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

const typeName = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);
