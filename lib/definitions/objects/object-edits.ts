import { isPlainObject } from '../../api';
import { type ScalePaths } from '../definition';

/** Names of the requests that are tried with an object. */
export type TrialStep = 'read' | 'update' | 'scale' | 'status' | 'edit';

/** A write of an object that is tried. */
export interface TriedWrite {
  readonly step: Exclude<TrialStep, 'read'>;
  /** Field that it changes; absent if it changes nothing. */
  readonly field?: string;
  /** Returns the object to write, given the stored one as it is read. */
  apply(object: Record<string, unknown>): Record<string, unknown>;
}

type Key = string | number;

/** Leaves of an object whose change is tried; more would slow down a check of thousands of objects. */
const maxEdits = 40;

const fieldText = (keys: readonly Key[]): string =>
  keys.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );

/** Returns the scaling of an object by one; none if the definition has no scale subresource. */
export function scaleWrite(scale: ScalePaths | undefined): TriedWrite[] {
  if (!scale) return [];
  const keys = scale.specReplicasPath.split('.').filter((key) => key !== '');
  const apply: TriedWrite['apply'] = (object) => {
    const current = valueAtKeys(object, keys);
    return withValue(object, keys, (typeof current === 'number' ? current : 0) + 1) as Record<string, unknown>;
  };
  return [{ step: 'scale', field: fieldText(keys), apply }];
}

/** Returns edits of the fields of the spec, several candidates for each, of which the first valid one is to be used. */
export function fieldEdits(object: Readonly<Record<string, unknown>>): TriedWrite[][] {
  const leaves = [...leavesOf(object['spec'], ['spec'])].slice(0, maxEdits);
  return leaves.map(({ keys, value }) =>
    candidates(value).map((next) => ({
      step: 'edit',
      field: fieldText(keys),
      apply: (current) => withValue(current, keys, next) as Record<string, unknown>,
    })),
  );
}

function* leavesOf(value: unknown, keys: readonly Key[]): Generator<{ keys: readonly Key[]; value: unknown }> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* leavesOf(item, [...keys, index]);
  else if (isPlainObject(value))
    for (const [field, child] of Object.entries(value)) yield* leavesOf(child, [...keys, field]);
  else yield { keys, value };
}

/** Other values of a field: near ones, or none at all for a null. */
function candidates(value: unknown): unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value - 1, value * 2];
  if (typeof value === 'string') return [`${value}x`, `${value}0`, value.slice(0, -1)];
  return [undefined];
}

function valueAtKeys(value: unknown, keys: readonly Key[]): unknown {
  return keys.reduce<unknown>((found, key) => (found as Readonly<Record<Key, unknown>> | undefined)?.[key], value);
}

/** Returns a copy with another value at a path; an undefined value removes the field. */
function withValue(object: unknown, keys: readonly Key[], next: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return next;
  if (Array.isArray(object))
    return object.map((item: unknown, index) => (index === key ? withValue(item, rest, next) : item));
  const copy: Record<string, unknown> = { ...(object as Record<string, unknown> | undefined) };
  const changed = withValue(copy[key], rest, next);
  if (changed === undefined) Reflect.deleteProperty(copy, key);
  else copy[key] = changed;
  return copy;
}
