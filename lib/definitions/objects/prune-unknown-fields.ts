import { isPlainObject } from '../../api';
import { childPath, fieldSchema, valueSchema, type SchemaNode } from '../schema/schema-node';

/** A value without the fields that its schema does not have, and their paths. */
export interface Pruned {
  readonly value: unknown;
  readonly paths: readonly string[];
}

const objectFields = ['apiVersion', 'kind', 'metadata'];

/** Removes the fields that a schema does not have, as the API server does when it reads a stored object. */
export function pruneUnknownFields(value: unknown, schema: SchemaNode, isRoot = false): Pruned {
  const paths: string[] = [];
  const root = isRoot ? { ...schema, 'x-kubernetes-embedded-resource': true } : schema;
  return { value: pruneValue(value, root, '', (path) => void paths.push(path)), paths };
}

type Remove = (path: string) => void;

/** The items of a list below a node that keeps unknown fields keep theirs, too. */
function pruneValue(
  value: unknown,
  schema: SchemaNode | undefined,
  path: string,
  remove: Remove,
  keepsAll = false,
): unknown {
  const keeps = keepsAll || schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      keeps && schema?.items === undefined
        ? (item as unknown)
        : pruneValue(item, schema?.items, `${path}[${index}]`, remove, keeps),
    );
  }
  if (!isPlainObject(value)) return value;
  const kept = Object.entries(value).flatMap(([field, child]) => {
    const at = childPath(path, field);
    if (schema?.['x-kubernetes-embedded-resource'] === true && objectFields.includes(field))
      return [[field, child] as const];
    const below = schema && fieldSchema(schema, field);
    if (below) return [[field, pruneValue(child, below, at, remove)] as const];
    if (keeps) return [[field, child] as const];
    // A map of any values has no schema below it, so that the server empties objects in it.
    if (schema?.additionalProperties === true && !valueSchema(schema))
      return [[field, pruneValue(child, undefined, at, remove)] as const];
    remove(at);
    return [];
  });
  return Object.fromEntries(kept);
}

/** Removes nulls that a schema neither allows nor replaces by a default, as the API server does when it reads a stored object. */
export function dropNulls(value: unknown, schema: SchemaNode | undefined): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => dropNulls(item, schema?.items));
  if (!isPlainObject(value)) return value;
  const kept = Object.entries(value).flatMap(([field, child]) => {
    const below = schema && fieldSchema(schema, field);
    const isDropped = child === null && below !== undefined && below.nullable !== true && below.default === undefined;
    return isDropped ? [] : [[field, dropNulls(child, below)] as const];
  });
  return Object.fromEntries(kept);
}
