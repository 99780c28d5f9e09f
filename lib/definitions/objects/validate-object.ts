import { isDeepStrictEqual } from 'node:util';
import { evaluateCel, isPlainObject } from '../../api';
import { isCreationRule, isTransitionRule } from '../schema/rule-changes';
import { childPath, fieldSchema, type CelRule, type SchemaNode } from '../schema/schema-node';
import { formerField, formerItem, isUnchangedValue, type FormerValue } from './former-value';
import { valueErrors } from './value-errors';

/** A reason why the API server rejects an object. */
export interface ValidationError {
  readonly path: string;
  readonly reason: string;
  /** Whether pinion cannot judge it: the server may accept it. @default false */
  readonly isUnknown?: boolean;
  /** Whether the change violates a rule that compares with the former value. @default false */
  readonly isTransition?: boolean;
}

/** Returns why the API server rejects a new value, or an update of `former`; unchanged parts are not rejected again. */
export function validationErrors(schema: SchemaNode, value: unknown, former?: FormerValue): ValidationError[] {
  const embedded = embeddedErrors(value, schema, '');
  const formerDuplicates = former === undefined ? [] : duplicateErrors(former.value, schema, '');
  const duplicates = formerDuplicates.length > 0 ? [] : duplicateErrors(value, schema, '');
  return [
    ...nodeErrors(value, former, schema, ''),
    ...embedded,
    ...duplicates,
    ...ruleErrors(value, former, schema, ''),
  ];
}

/** Violations of a node and of what is below it; none if the node is unchanged. */
function nodeErrors(
  value: unknown,
  former: FormerValue | undefined,
  schema: SchemaNode,
  path: string,
): ValidationError[] {
  const errors: ValidationError[] = [];
  const report = (reason: string, field?: string): void =>
    void errors.push({ path: field === undefined ? path : childPath(path, field), reason });
  valueErrors(value, schema, report, (reason) => void errors.push({ path, reason, isUnknown: true }));
  if (isPlainObject(value))
    for (const [field, child] of Object.entries(value)) {
      const below = fieldSchema(schema, field);
      if (below) errors.push(...nodeErrors(child, formerField(former, field), below, childPath(path, field)));
    }
  if (Array.isArray(value) && schema.items)
    for (const [index, item] of value.entries())
      errors.push(...nodeErrors(item, formerItem(former, item, index, schema), schema.items, `${path}[${index}]`));
  if (value !== null) errors.push(...alternativeErrors(value, former, schema, path));
  return errors.length > 0 && isUnchangedValue(value, former, schema) ? [] : errors;
}

function alternativeErrors(
  value: unknown,
  former: FormerValue | undefined,
  schema: SchemaNode,
  path: string,
): ValidationError[] {
  const errorsOf = (one: SchemaNode): ValidationError[] => nodeErrors(value, former, one, path);
  const { allOf = [], anyOf, oneOf, not } = schema;
  const errors = allOf.flatMap(errorsOf);
  const fits = (one: SchemaNode): boolean => errorsOf(one).length === 0;
  if (anyOf && !anyOf.some(fits)) errors.push({ path, reason: 'matches none of anyOf' });
  if (oneOf && oneOf.filter(fits).length !== 1) errors.push({ path, reason: 'does not match exactly one of oneOf' });
  if (not && fits(not)) errors.push({ path, reason: 'matches not' });
  return errors;
}

/** Violations of embedded objects, which are rejected again also where they are unchanged. */
function embeddedErrors(value: unknown, schema: SchemaNode | undefined, path: string): ValidationError[] {
  if (!schema) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => embeddedErrors(item, schema.items, `${path}[${index}]`));
  if (!isPlainObject(value)) return [];
  const below = Object.entries(value).flatMap(([field, child]) =>
    embeddedErrors(child, fieldSchema(schema, field), childPath(path, field)),
  );
  if (schema['x-kubernetes-embedded-resource'] !== true) return below;
  const isName = (field: string): boolean => typeof value[field] === 'string' && value[field] !== '';
  const missing = ['apiVersion', 'kind'].filter((field) => !isName(field));
  return [
    ...missing.map((field) => ({ path: childPath(path, field), reason: 'is required in an embedded object' })),
    ...below,
  ];
}

/** Items that occur twice in lists of unique items. */
function duplicateErrors(value: unknown, schema: SchemaNode | undefined, path: string): ValidationError[] {
  if (!schema) return [];
  if (isPlainObject(value))
    return Object.entries(value).flatMap(([field, child]) =>
      duplicateErrors(child, fieldSchema(schema, field), childPath(path, field)),
    );
  if (!Array.isArray(value)) return [];
  const below = value.flatMap((item, index) => duplicateErrors(item, schema.items, `${path}[${index}]`));
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return below;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keyOf = (item: unknown): unknown =>
    listType === 'map' && isPlainObject(item) ? keys.map((key) => item[key] ?? null) : item;
  const all = value.map(keyOf);
  const repeated = all.findIndex((key, index) => all.findIndex((other) => isDeepStrictEqual(key, other)) < index);
  return repeated < 0 ? below : [...below, { path: `${path}[${repeated}]`, reason: 'occurs twice' }];
}

/** Violations of CEL rules. Unchanged values are exempt, but not from rules with the former value, nor from rules that fail. */
function ruleErrors(
  value: unknown,
  former: FormerValue | undefined,
  schema: SchemaNode,
  path: string,
): ValidationError[] {
  if (value === null || value === undefined) return [];
  const own = (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => {
    const error = ruleError(rule, value, former, path, schema);
    return error ? [error] : [];
  });
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return own;
    return [
      ...own,
      ...value.flatMap((item, index) =>
        ruleErrors(item, formerItem(former, item, index, schema), items, `${path}[${index}]`),
      ),
    ];
  }
  if (!isPlainObject(value)) return own;
  const below = Object.entries(value).flatMap(([field, child]) => {
    const next = fieldSchema(schema, field);
    return next ? ruleErrors(child, formerField(former, field), next, childPath(path, field)) : [];
  });
  return [...own, ...below];
}

function ruleError(
  rule: CelRule,
  value: unknown,
  former: FormerValue | undefined,
  path: string,
  schema: SchemaNode,
): ValidationError | undefined {
  const isTransition = isTransitionRule(rule);
  if (isCreationRule(rule) && former !== undefined) return undefined;
  if (isTransition && rule.optionalOldSelf === true)
    return {
      path,
      reason: `rule ${JSON.stringify(rule.rule)} with optionalOldSelf cannot be evaluated here`,
      isUnknown: true,
    };
  if (isTransition && former === undefined) return undefined;
  const reason = `violates ${JSON.stringify(rule.message ?? rule.rule)}`;
  try {
    const result = evaluateCel(rule.rule, isTransition ? { self: value, oldSelf: former?.value } : { self: value });
    if (result === true || (!isTransition && isUnchangedValue(value, former, schema))) return undefined;
    return { path, reason, isTransition };
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    if (/no such key|index .*out of|division by zero/i.test(message)) return { path, reason: `${reason}: ${message}` };
    return { path, reason: `rule ${JSON.stringify(rule.rule)} cannot be evaluated here: ${message}`, isUnknown: true };
  }
}
