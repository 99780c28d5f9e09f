import { type Volume } from '../api';

// Values of cdk8s and cdk8s-plus are recognized by shape: cdk8s-plus is optional, and an app may load several copies of either.

/** A value of cdk8s: `Cron`, `Duration` or `Size`. */
export type CoreValue =
  | { readonly expressionString: string }
  | { toMilliseconds(): number; toIsoString(): string }
  | { toKibibytes(): number; asString(): string };

/** A named object, passed in place of its name: an `ISecret`, an `IConfigMap`, a claim, any ApiObject. */
export interface NamedResource {
  readonly name: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly node: object;
}

/** A `Volume` of cdk8s-plus. */
export interface VolumeValue {
  readonly name: string;
  _toKube(): object;
}

/** Accepted values of a field: the field's own type, and the equivalent values of cdk8s and cdk8s-plus. */
export type PropValue<T> = string extends T
  ? T | CoreValue | NamedResource
  : T extends string | number | boolean | bigint | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly PropValue<Item>[]
      : T extends Volume
        ? 'emptyDir' extends keyof T
          ? PropFields<T> | VolumeValue
          : PropFields<T>
        : PropFields<T>;

/** An object type whose fields also accept values of cdk8s and cdk8s-plus. */
export type PropFields<T> = { readonly [K in keyof T]: PropValue<T[K]> };

/** Receives the objects that are passed in place of their names. */
type ResourceListener = (resource: object) => void;

/**
 * Converts all values of cdk8s and cdk8s-plus in a value to plain data; returns the value itself if there are none.
 *
 * Passes each object that stands for its name to the listener.
 */
export function plainValue(value: unknown, listener: ResourceListener = () => undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return plainList(value, listener);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null)
    return plainFields(value as Record<string, unknown>, listener);
  return convert(value as Record<string, unknown>, listener);
}

function plainList(list: readonly unknown[], listener: ResourceListener): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (const [index, item] of list.entries()) {
    const plain = plainValue(item, listener);
    if (plain !== item) (changed ??= [...list])[index] = plain;
  }
  return changed ?? list;
}

function plainFields(fields: Record<string, unknown>, listener: ResourceListener): Record<string, unknown> {
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(fields)) {
    const plain = plainValue(fields[key], listener);
    if (plain !== fields[key]) (changed ??= { ...fields })[key] = plain;
  }
  return changed ?? fields;
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isFunction = (value: unknown): value is () => unknown => typeof value === 'function';

function convert(value: Record<string, unknown>, listener: ResourceListener): unknown {
  if (isString(value['expressionString'])) return value['expressionString'];
  if (isFunction(value['toMilliseconds']) && isFunction(value['toIsoString']))
    return `${String(value['toMilliseconds']())}ms`;
  if (isFunction(value['toKibibytes']) && isFunction(value['asString'])) return value['asString']();
  if (isString(value['name']) && isString(value['kind']) && isString(value['apiVersion'])) {
    listener(value);
    return value['name'];
  }
  // Volumes come before quantities: a rendered volume contains quantities of cdk8s-plus, which the next line converts.
  if (isString(value['name']) && isFunction(value['_toKube'])) return plainValue(value['_toKube']());
  if (isString(value['value']) || typeof value['value'] === 'number') return value['value'];
  return value;
}
