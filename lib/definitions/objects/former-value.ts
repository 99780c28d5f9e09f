import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../../api';
import { fieldSchema, type SchemaNode } from '../schema/schema-node';

/** The value that a field had before an update; undefined if the API server cannot find it. */
export interface FormerValue {
  readonly value: unknown;
}

/** Returns the former value of a field of an object. */
export function formerField(former: FormerValue | undefined, field: string): FormerValue | undefined {
  if (!isPlainObject(former?.value) || !Object.hasOwn(former.value, field)) return undefined;
  return { value: former.value[field] };
}

/** Returns the former value of an item of a list: by its keys, by its index in a list without a type, else unknown. */
export function formerItem(
  former: FormerValue | undefined,
  item: unknown,
  index: number,
  schema: SchemaNode,
): FormerValue | undefined {
  const items: unknown = former?.value;
  if (!Array.isArray(items)) return undefined;
  const listType = schema['x-kubernetes-list-type'];
  const found: unknown =
    listType === undefined
      ? items[index]
      : listType === 'map'
        ? items.find((other) => hasSameKeys(item, other, schema))
        : undefined;
  return found === undefined || found === null ? undefined : { value: found };
}

function hasSameKeys(one: unknown, other: unknown, schema: SchemaNode): boolean {
  if (!isPlainObject(one) || !isPlainObject(other)) return false;
  return (schema['x-kubernetes-list-map-keys'] ?? []).every((key) => isDeepStrictEqual(one[key], other[key]));
}

/**
 * Returns whether the API server takes a value as unchanged, so that it does not reject it again.
 *
 * A field that the schema does not have counts as a change.
 */
export function isUnchangedValue(value: unknown, former: FormerValue | undefined, schema: SchemaNode): boolean {
  if (former === undefined) return false;
  if (Array.isArray(value)) return isUnchangedList(value, former, schema);
  if (!isPlainObject(value)) return isDeepStrictEqual(value, former.value);
  if (!isPlainObject(former.value)) return false;
  const fields = Object.keys(value);
  if (fields.length !== Object.keys(former.value).length) return false;
  return fields.every((field) => {
    const below = fieldSchema(schema, field);
    return below !== undefined && isUnchangedValue(value[field], formerField(former, field), below);
  });
}

function isUnchangedList(value: readonly unknown[], former: FormerValue, schema: SchemaNode): boolean {
  const others: unknown = former.value;
  if (!Array.isArray(others) || others.length !== value.length) return false;
  const { items } = schema;
  const isMap = schema['x-kubernetes-list-type'] === 'map';
  if (!items || (value.length > 0 && !formerItem(former, value[0], 0, schema) && !isMap))
    return isDeepStrictEqual(value, others);
  return value.every((item, index) => {
    const one = formerItem(former, item, index, schema);
    return one === undefined ? !isMap && isDeepStrictEqual(value, others) : isUnchangedValue(item, one, items);
  });
}
