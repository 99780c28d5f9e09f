import { isPlainObject } from '../values/plain-object';
import { type FieldPath } from '../problem';
import { type ValidationRule } from '../rules/validation-rule';

/** Object whose field types are not validated. */
export type Self = Readonly<Record<string, unknown>>;

/** Returns a rule that exactly one of some fields is set. */
export function exactlyOne(name: string, fields: readonly string[]): ValidationRule {
  return {
    name,
    cel: `[${fields.map((field) => `has(self.${field})`).join(', ')}].exists_one(x, x)`,
    reason: `must set exactly one of ${listOf(fields)}`,
    remedy: 'set one of them',
    holds: (self) => countOf(self, fields) === 1,
  };
}

/** Returns a rule that at most one of some fields is set. */
export function atMostOne(name: string, fields: readonly string[]): ValidationRule {
  return {
    name,
    cel: `[${fields.map((field) => `has(self.${field})`).join(', ')}].filter(x, x).size() <= 1`,
    reason: `must set at most one of ${listOf(fields)}`,
    remedy: 'set only one of them',
    holds: (self) => countOf(self, fields) <= 1,
  };
}

/** Returns a rule that a field is set if and only if another has a certain value. */
export function goesWith(name: string, field: string, other: string, value: string): ValidationRule {
  return {
    name,
    cel: `has(self.${field}) == (has(self.${other}) && self.${other} == '${value}')`,
    reason: `must be set with ${other}: ${value}, and only then`,
    remedy: `set ${field} with ${other}: ${value}, or remove it otherwise`,
    fieldPath: [field],
    holds: (self) => (self[field] !== undefined) === (self[other] === value),
  };
}

/** Returns a rule that two fields exclude each other. */
export function notBoth(name: string, first: string, second: string): ValidationRule {
  return {
    name,
    cel: `!has(self.${first}) || !has(self.${second})`,
    reason: `cannot be combined with ${first}`,
    remedy: `set either ${first} or ${second}`,
    fieldPath: [second],
    holds: (self) => self[first] === undefined || self[second] === undefined,
  };
}

/** Returns the same rule, excluded from CRD schemas. */
export const clientOnly = (rule: ValidationRule): ValidationRule => ({ ...rule, where: 'client' });

/** Returns the list in a field; empty if there is none. */
export function listIn(self: unknown, field: string): readonly Self[] {
  const list = isPlainObject(self) ? self[field] : undefined;
  return Array.isArray(list) ? list.filter(isPlainObject) : [];
}

/** Returns the entries of a list with their indexes, without entries of the wrong type. */
export function* entriesIn(self: Self, field: string): Generator<readonly [number, Self]> {
  const list = self[field];
  if (!Array.isArray(list)) return;
  for (let index = 0; index < list.length; index++) if (isPlainObject(list[index])) yield [index, list[index] as Self];
}

/** Returns the paths of the invalid entries of a list. */
export function placesIn(self: Self, field: string, last: FieldPath, wrong: (entry: Self) => boolean): FieldPath[] {
  if (self[field] === undefined) return [];
  return [...entriesIn(self, field)].filter(([, entry]) => wrong(entry)).map(([index]) => [field, index, ...last]);
}

/** Returns the object in a field; empty if there is none. */
export function objectIn(self: Self, field: string): Self {
  const value = self[field];
  return isPlainObject(value) ? value : {};
}

function countOf(self: Self, fields: readonly string[]): number {
  let count = 0;
  for (const field of fields) if (self[field] !== undefined) count++;
  return count;
}

function listOf(fields: readonly string[]): string {
  return fields.length <= 8 ? fields.join(', ') : `${fields.slice(0, 7).join(', ')} and ${fields.length - 7} more`;
}
