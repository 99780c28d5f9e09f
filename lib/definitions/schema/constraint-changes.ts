import { isDeepStrictEqual } from 'node:util';
import { type SchemaNode } from './schema-node';

/** A change of one keyword that limits values. */
export interface ConstraintChange {
  readonly keyword: string;
  /** Whether values that were valid may now be invalid, all stay valid, or pinion cannot compare them. */
  readonly effect: 'tightened' | 'loosened' | 'incomparable';
  readonly text: string;
}

const lowerBounds = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;
const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

const shown = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));

/** Returns the changes of keywords that limit the values of one node. */
export const constraintChanges = (before: SchemaNode, after: SchemaNode): ConstraintChange[] => [
  ...lowerBounds.flatMap((keyword) => bound(keyword, before[keyword], after[keyword], 1)),
  ...upperBounds.flatMap((keyword) => bound(keyword, before[keyword], after[keyword], -1)),
  ...exclusive('exclusiveMinimum', before, after),
  ...exclusive('exclusiveMaximum', before, after),
  ...multiple(before.multipleOf, after.multipleOf),
  ...pattern(before.pattern, after.pattern),
  ...format(before.format, after.format),
  ...choices(before.enum, after.enum),
];

function bound(keyword: string, from: number | undefined, to: number | undefined, sign: 1 | -1): ConstraintChange[] {
  if (from === to) return [];
  const isTighter = to !== undefined && (from === undefined || (to - from) * sign > 0);
  return [{ keyword, effect: isTighter ? 'tightened' : 'loosened', text: `${keyword}: ${shown(from)} → ${shown(to)}` }];
}

function exclusive(
  keyword: 'exclusiveMinimum' | 'exclusiveMaximum',
  before: SchemaNode,
  after: SchemaNode,
): ConstraintChange[] {
  const [from, to] = [before[keyword] === true, after[keyword] === true];
  if (from === to) return [];
  return [{ keyword, effect: to ? 'tightened' : 'loosened', text: `${keyword}: ${from} → ${to}` }];
}

function multiple(from: number | undefined, to: number | undefined): ConstraintChange[] {
  if (from === to) return [];
  const isLooser = to === undefined || (from !== undefined && from % to === 0);
  const text = `multipleOf: ${shown(from)} → ${shown(to)}`;
  return [{ keyword: 'multipleOf', effect: isLooser ? 'loosened' : 'tightened', text }];
}

/** Whether one expression allows all that another one does is not decided. */
function pattern(from: string | undefined, to: string | undefined): ConstraintChange[] {
  if (from === to) return [];
  const effect = to === undefined ? 'loosened' : from === undefined ? 'tightened' : 'incomparable';
  return [{ keyword: 'pattern', effect, text: `pattern: ${shown(from)} → ${shown(to)}` }];
}

/** Formats that allow all values of another one. */
const widerFormats: Readonly<Record<string, readonly string[]>> = { int32: ['int64'], float: ['double'] };

function format(from: string | undefined, to: string | undefined): ConstraintChange[] {
  if (from === to) return [];
  const isLooser = to === undefined || (from !== undefined && widerFormats[from]?.includes(to) === true);
  const text = `format: ${shown(from)} → ${shown(to)}`;
  return [{ keyword: 'format', effect: isLooser ? 'loosened' : 'tightened', text }];
}

function choices(from: readonly unknown[] | undefined, to: readonly unknown[] | undefined): ConstraintChange[] {
  if (to === undefined)
    return from === undefined ? [] : [{ keyword: 'enum', effect: 'loosened', text: 'enum: removed' }];
  if (from === undefined) return [{ keyword: 'enum', effect: 'tightened', text: `enum: none → ${shown(to)}` }];
  const lacks = (all: readonly unknown[], value: unknown): boolean => !all.some((one) => isDeepStrictEqual(one, value));
  const removed = from.filter((value) => lacks(to, value));
  const added = to.filter((value) => lacks(from, value));
  return [
    ...(removed.length > 0
      ? [{ keyword: 'enum', effect: 'tightened', text: `enum without ${removed.map(shown).join(', ')}` } as const]
      : []),
    ...(added.length > 0
      ? [{ keyword: 'enum', effect: 'loosened', text: `enum with ${added.map(shown).join(', ')}` } as const]
      : []),
  ];
}
