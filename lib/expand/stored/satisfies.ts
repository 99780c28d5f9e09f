import {
  compareQuantities,
  formatPath,
  isPlainObject,
  isTypeName,
  parseQuantity,
  roundUpQuantity,
  structureOf,
  type TypeName,
} from '../../api';
import { addedValues, atomicMaps, atomicTypes, omittedZeros, computedFields } from './server-defaults';

type Fields = Readonly<Record<string, unknown>>;
type Field = NonNullable<ReturnType<ReturnType<typeof structureOf>['fields']['get']>>;

/** Path of the current comparison; after a mismatch it stays at the difference. */
interface Walk {
  readonly path: (string | number)[];
}

/** Location of a value: its field, and whether the value is atomic. */
interface Location {
  readonly field: Field | undefined;
  /** Type and field, such as `PodSpec.nodeSelector`. */
  readonly name: string;
  readonly atomic: boolean;
}

/**
 * Returns whether a live object has everything that a desired one specifies, in the form the API server stores: quantities
 * are compared as values, lists by their keys, and empty equals absent.
 *
 * Additional live fields belong to others, except within atomic maps and lists, where they may only be defaults.
 */
export const satisfies = (desired: object, live: object): boolean => firstDifference(desired, live) === undefined;

/** Returns the path of the first field that is not as desired; undefined if there is none. */
export function firstDifference(desired: object, live: object): string | undefined {
  const { kind, apiVersion: _, ...body } = desired as Fields;
  const type = typeof kind === 'string' && isTypeName(kind) ? kind : undefined;
  const walk: Walk = { path: [] };
  return satisfiesObject(type, body, live as Fields, false, walk) ? undefined : formatPath(walk.path);
}

function satisfiesObject(
  type: TypeName | undefined,
  desired: Fields,
  live: Fields,
  atomic: boolean,
  walk: Walk,
): boolean {
  const fields = type && structureOf(type).fields;
  for (const key in desired) {
    const value = desired[key];
    if (value === undefined || value === null) continue;
    if (key === 'stringData' && type === 'Secret') {
      if (!satisfiesText(value as Fields, live['data'], walk)) return false;
      continue;
    }
    const name = `${type}.${key}`;
    walk.path.push(key);
    if (
      !satisfiesValue({ field: fields?.get(key), name, atomic: atomic || atomicMaps.has(name) }, value, live[key], walk)
    )
      return false;
    walk.path.pop();
  }
  return !atomic || hasOnlyDefaults(type, desired, live, walk);
}

/** Returns whether additional fields of an atomic value are only defaults. */
function hasOnlyDefaults(type: TypeName | undefined, desired: Fields, live: Fields, walk: Walk): boolean {
  const fields = type && structureOf(type).fields;
  for (const key in live) {
    const value = live[key];
    if ((desired[key] !== undefined && desired[key] !== null) || isEmpty(value)) continue;
    const name = `${type}.${key}`;
    if (computedFields.has(name) || fields?.get(key)?.default === value || addedValues.get(name)?.includes(value))
      continue;
    walk.path.push(key);
    return false;
  }
  return true;
}

function satisfiesValue(location: Location, desired: unknown, live: unknown, walk: Walk): boolean {
  const { field, name } = location;
  if (Array.isArray(desired))
    return satisfiesList(location, desired, Array.isArray(live) ? (live as unknown[]) : [], walk);
  if (isPlainObject(desired)) return satisfiesMap(location, desired, live, walk);
  if (desired === live) return true;
  if (live === undefined || live === null) {
    return desired === '' || ((desired === 0 || desired === false) && omittedZeros.has(name));
  }
  if (field?.kind === 'quantity') return sameQuantity(desired, live);
  return field?.kind === 'int-or-string' && String(desired) === String(live);
}

function satisfiesMap({ field, atomic }: Location, desired: Fields, live: unknown, walk: Walk): boolean {
  // A value without fields, such as `emptyDir: {}`, matters by its presence.
  if (live === undefined || live === null) return field?.kind !== 'object' && Object.values(desired).every(isEmpty);
  if (!isPlainObject(live)) return false;
  if (field?.kind === 'object') {
    const type = field.type as TypeName;
    return satisfiesObject(type, desired, live, atomic || atomicTypes.has(type), walk);
  }
  for (const key in desired) {
    walk.path.push(key);
    if (
      desired[key] !== undefined &&
      !satisfiesValue({ field: field?.items, name: '', atomic }, desired[key], live[key], walk)
    ) {
      return false;
    }
    walk.path.pop();
  }
  return !atomic || hasOnlyDefaults(undefined, desired, live, walk);
}

function satisfiesList(location: Location, desired: readonly unknown[], live: readonly unknown[], walk: Walk): boolean {
  const { field, name } = location;
  if (field?.keys !== undefined && field.items?.kind === 'object')
    return satisfiesKeyedList(location, field.keys, desired, live, walk);
  if (name === 'ObjectMeta.finalizers') return desired.every((value) => live.includes(value));
  if (desired.length !== live.length) return false;
  if (field?.set === true) return desired.every((value) => live.includes(value));
  return desired.every((value, index) => {
    walk.path.push(index);
    const same = satisfiesValue({ field: field?.items, name: '', atomic: true }, value, live[index], walk);
    if (same) walk.path.pop();
    return same;
  });
}

/** Compares entries with keys: each must be present, in the same order; others may be between them. */
function satisfiesKeyedList(
  location: Location,
  keys: readonly string[],
  desired: readonly unknown[],
  live: readonly unknown[],
  walk: Walk,
): boolean {
  const items = location.field?.items;
  const identities = live.map((entry) => identityOf(entry, keys, items));
  let last = -1;
  return (
    desired.every((entry, index) => {
      const found = identities.indexOf(identityOf(entry, keys, items));
      walk.path.push(index);
      if (found <= last) return false;
      last = found;
      const same = satisfiesValue({ field: items, name: '', atomic: location.atomic }, entry, live[found], walk);
      if (same) walk.path.pop();
      return same;
    }) &&
    (!location.atomic || desired.length === live.length)
  );
}

function identityOf(entry: unknown, keys: readonly string[], items: Field | undefined): string {
  if (!isPlainObject(entry)) return String(entry);
  const fields = structureOf(items?.type as TypeName).fields;
  return keys.map((key) => String(entry[key] ?? fields.get(key)?.default ?? '')).join('\n');
}

const milli = 1_000_000n;

/** Compares quantities; resources of containers are rounded up to thousandths. */
function sameQuantity(a: unknown, b: unknown): boolean {
  const [one, other] = [a, b].map((value) =>
    typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined,
  );
  if (!one || !other) return false;
  return compareQuantities(roundUpQuantity(one, milli), roundUpQuantity(other, milli)) === 0;
}

/** Compares the strings in a Secret, which the API server stores as bytes. */
function satisfiesText(texts: Fields, data: unknown, walk: Walk): boolean {
  for (const key in texts) {
    const live = isPlainObject(data) ? data[key] : undefined;
    if (Buffer.from(typeof live === 'string' ? live : '', 'base64').toString() === texts[key]) continue;
    walk.path.push('stringData', key);
    return false;
  }
  return true;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isPlainObject(value) && Object.keys(value).length === 0;
}
