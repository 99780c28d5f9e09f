import { celError, isPlainObject } from '../../api';
import { validationErrors } from '../objects/validate-object';
import { pruneUnknownFields } from '../objects/prune-unknown-fields';
import { childPath, itemsPath, valueSchema, valuesPath, type SchemaNode } from './schema-node';
import { isTransitionRule } from './rule-changes';

/** A reason why the API server rejects a schema. */
export interface SchemaError {
  readonly path: string;
  readonly change: string;
  readonly reason: string;
  readonly remedy: string;
}

interface Scope {
  readonly isRoot: boolean;
  /** Whether the API server can find the former value: not below a list without keys. */
  readonly isCorrelatable: boolean;
  readonly report: (path: string, change: string, reason: string, remedy: string) => void;
}

/** Returns why the API server rejects the schema of a version, as far as pinion knows its rules. */
export function schemaErrors(schema: SchemaNode): SchemaError[] {
  const errors: SchemaError[] = [];
  const report: Scope['report'] = (path, change, reason, remedy) => void errors.push({ path, change, reason, remedy });
  if (schema.type !== 'object')
    report('', 'schema-not-structural', 'the schema is not an object', 'set type: object at the root');
  visit(schema, '', { isRoot: true, isCorrelatable: true, report });
  return errors;
}

const forbidden = ['$ref', 'definitions', 'dependencies', 'patternProperties', 'additionalItems', 'id'];

function visit(schema: SchemaNode, path: string, scope: Scope): void {
  const { report } = scope;
  const keywords = schema as unknown as Record<string, unknown>;
  for (const keyword of forbidden)
    if (keywords[keyword] !== undefined)
      report(path, 'schema-not-structural', `${keyword} is not supported`, 'write the schema out');
  if (keywords['uniqueItems'] === true)
    report(path, 'schema-not-structural', 'uniqueItems is not supported', 'use x-kubernetes-list-type: set');
  typeErrors(schema, path, report);
  listErrors(schema, path, report);
  ruleErrors(schema, path, scope);
  valueErrors(schema, path, report);
  const below = { ...scope, isRoot: false };
  for (const [field, child] of Object.entries(schema.properties ?? {})) visit(child, childPath(path, field), below);
  const values = valueSchema(schema);
  if (values) visit(values, valuesPath(path), below);
  if (schema.items)
    visit(schema.items, itemsPath(path), {
      ...below,
      isCorrelatable: scope.isCorrelatable && schema['x-kubernetes-list-type'] === 'map',
    });
}

function typeErrors(schema: SchemaNode, path: string, report: Scope['report']): void {
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const type = schema.type ?? '';
  if (type === '' && !isIntOrString && !preserves) report(path, 'schema-not-structural', 'has no type', 'set the type');
  if (type !== '' && !['array', 'boolean', 'integer', 'number', 'object', 'string'].includes(type))
    report(path, 'schema-not-structural', `type ${type} does not exist`, 'use a type of OpenAPI');
  if (type === 'array' && schema.items === undefined)
    report(path, 'schema-not-structural', 'is an array without items', 'add items');
  const hasFields = Object.keys(schema.properties ?? {}).length > 0;
  if (hasFields && schema.additionalProperties !== undefined && schema.additionalProperties !== true)
    report(path, 'schema-not-structural', 'has properties and additionalProperties', 'use one of them');
  if (schema.additionalProperties === false)
    report(
      path,
      'schema-not-structural',
      'additionalProperties is false',
      'remove it: unknown fields are removed anyway',
    );
  if (schema['x-kubernetes-embedded-resource'] === true && type !== 'object')
    report(path, 'schema-not-structural', 'is an embedded resource and not an object', 'set type: object');
}

function listErrors(schema: SchemaNode, path: string, report: Scope['report']): void {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (listType === undefined) {
    if (keys.length > 0)
      report(path, 'invalid-list-type', 'has map keys and no list type', 'set x-kubernetes-list-type: map');
    return;
  }
  if (schema.type !== 'array')
    return report(path, 'invalid-list-type', 'is not a list', 'remove x-kubernetes-list-type');
  if (!['atomic', 'set', 'map'].includes(listType))
    return report(path, 'invalid-list-type', `list type ${listType} does not exist`, 'use atomic, set or map');
  if ((listType === 'map') !== keys.length > 0)
    return report(
      path,
      'invalid-list-type',
      `list type ${listType} has ${keys.length} keys`,
      'set keys for lists of type map only',
    );
  const { items = {} } = schema;
  if (listType === 'map' && items.type !== 'object')
    report(path, 'invalid-list-type', 'its items are not objects', 'use another list type');
  for (const key of keys) {
    const child = items.properties?.[key];
    if (!child) report(path, 'invalid-list-type', `its key ${key} is not a field of the items`, 'add the field');
    else if (!items.required?.includes(key) && child.default === undefined)
      report(
        path,
        'invalid-list-type',
        `its key ${key} is optional and has no default`,
        'require it, or give it a default',
      );
  }
}

function ruleErrors(schema: SchemaNode, path: string, { isCorrelatable, report }: Scope): void {
  for (const rule of schema['x-kubernetes-validations'] ?? []) {
    const error = celError(rule.rule);
    if (error !== undefined)
      report(
        path,
        'invalid-rule',
        `rule ${JSON.stringify(rule.rule)} is not valid CEL: ${error.split('\n')[0]}`,
        'correct the rule',
      );
    else if (isTransitionRule(rule) && !isCorrelatable)
      report(
        path,
        'invalid-rule',
        'a rule uses oldSelf below a list whose items have no keys',
        'use x-kubernetes-list-type: map',
      );
  }
}

function valueErrors(schema: SchemaNode, path: string, report: Scope['report']): void {
  if (schema.pattern !== undefined && !isRegularExpression(schema.pattern))
    report(
      path,
      'invalid-pattern',
      `pattern ${JSON.stringify(schema.pattern)} is not a regular expression`,
      'correct the pattern',
    );
  if (schema.default === undefined) return;
  const [error] = validationErrors(schema, schema.default);
  if (error)
    return report(
      path,
      'invalid-default',
      `its default is invalid: ${error.path} ${error.reason}`,
      'correct the default',
    );
  const pruned = pruneUnknownFields(schema.default, schema);
  if (isPlainObject(pruned.value) && pruned.paths.length > 0)
    report(path, 'invalid-default', `its default has unknown fields: ${pruned.paths.join(', ')}`, 'remove them');
}

/** Only the parts of the syntax that Go and JavaScript share are judged: named groups and flags differ. */
function isRegularExpression(pattern: string): boolean {
  if (/\(\?[^:]|\\[pPzAQE]|\[\[:/.test(pattern)) return true;
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}
