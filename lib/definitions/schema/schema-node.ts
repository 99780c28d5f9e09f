import { isPlainObject } from '../../api';

/** A validation rule in CEL of a schema. */
export interface CelRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A node of an OpenAPI schema of a CustomResourceDefinition. Keywords that are not listed are allowed. */
export interface SchemaNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly required?: readonly string[];
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly CelRule[];
}

/** Returns the schema of the values of a map; undefined if there is none. */
export function valueSchema({ additionalProperties }: SchemaNode): SchemaNode | undefined {
  return isPlainObject(additionalProperties) ? additionalProperties : undefined;
}

/** Returns the schema of a field of an object; undefined if the schema does not have it. */
export function fieldSchema(schema: SchemaNode, field: string): SchemaNode | undefined {
  const { properties } = schema;
  return properties && Object.hasOwn(properties, field) ? properties[field] : valueSchema(schema);
}

/** Returns whether fields that a schema does not have are kept. */
export const keepsUnknownFields = (schema: SchemaNode): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;

/** Returns the types of the values that a schema allows; empty for any. */
export function typesOf(schema: SchemaNode): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined || schema.type === '' ? [] : [schema.type];
}

/** Returns a path in a schema as findings show it: `spec.containers[].ports`. */
export const childPath = (path: string, field: string): string => (path === '' ? field : `${path}.${field}`);

/** Path of the values of a map. */
export const valuesPath = (path: string): string => childPath(path, '*');

/** Path of the items of a list. */
export const itemsPath = (path: string): string => `${path}[]`;
