import { isDeepStrictEqual } from 'node:util';
import { keepValid, type ReportChange, type SchemaChange } from './schema-change';
import {
  compareCompositions,
  compareDefaults,
  compareNullable,
  compareOtherKeywords,
  compareRequired,
} from './keyword-changes';
import { constraintChanges, type ConstraintChange } from './constraint-changes';
import { guardOf, isCreationRule, isTransitionRule, ruleChanges, type RuleChange } from './rule-changes';
import { compareExtensions } from './extension-changes';
import {
  childPath,
  fieldSchema,
  itemsPath,
  keepsUnknownFields,
  typesOf,
  valueSchema,
  valuesPath,
  type SchemaNode,
} from './schema-node';

/** Reports what changes between two schemas of the same value. */
export function compareSchemas(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): void {
  if (isDeepStrictEqual(before, after)) return;
  if (!compareTypes(before, after, path, report)) return;
  for (const change of constraintChanges(before, after)) report({ path, ...constraintFinding(change) });
  for (const change of ruleChanges(before, after)) report({ path, ...ruleFinding(change, before) });
  compareNullable(before, after, path, report);
  compareDefaults(before, after, path, report);
  compareExtensions(before, after, path, report);
  compareRequired(before, after, path, report);
  compareCompositions(before, after, path, report);
  compareOtherKeywords(before, after, path, report);
  compareFields(before, after, path, report);
  compareValues(before, after, path, report);
  if (before.items && after.items) compareSchemas(before.items, after.items, itemsPath(path), report);
}

/** Returns whether the rest of the schemas can be compared. */
function compareTypes(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): boolean {
  const [from, to] = [typesOf(before), typesOf(after)];
  const text = `its type changes from ${from.join(' or ') || 'any'} to ${to.join(' or ') || 'any'}`;
  if (isDeepStrictEqual(from, to)) return true;
  const isWider =
    to.length === 0 ||
    (from.length > 0 && from.every((one) => to.includes(one) || (one === 'integer' && to.includes('number'))));
  if (isWider) {
    report({
      ...{
        path,
        class: 'breaks-clients',
        change: 'type-widened',
        reason: `${text}: a client that knows the former type cannot read every value`,
      },
      remedy: 'update the clients first, or add a new field',
    });
    return true;
  }
  const isPruned =
    from.some((one) => one === 'object' || one === 'array') &&
    to.length > 0 &&
    !from.some((one) => to.includes(one)) &&
    !keepsUnknownFields(after);
  report({
    path,
    class: isPruned ? 'breaks-objects' : 'breaks-writes',
    change: isPruned ? 'type-changed-prunes' : 'type-changed',
    reason: isPruned
      ? `${text}: the fields of stored values are removed when they are read`
      : `${text}: stored values are invalid, and a write that changes them is rejected`,
    remedy: 'keep the type, and add a new field; remove the former one after its objects have moved',
  });
  return from.length === 0;
}

function constraintFinding({ keyword, effect, text }: ConstraintChange): Omit<SchemaChange, 'path'> {
  if (effect === 'loosened')
    return {
      class: 'safe',
      change: `${keyword}-loosened`,
      reason: `${text}: all former values stay valid`,
      remedy: 'none',
    };
  const comparison =
    effect === 'tightened' ? 'former values may be invalid' : 'whether all former values match is not known';
  return {
    class: 'breaks-writes',
    change: effect === 'tightened' ? `${keyword}-tightened` : `${keyword}-changed`,
    reason: `${text}: ${comparison}; a write that changes such a value, or the list or map item around it, is rejected`,
    remedy: keepValid,
  };
}

/** Characters of a rule that a reason shows. */
const maxRule = 160;

function ruleFinding({ change, rule }: RuleChange, before: SchemaNode): Omit<SchemaChange, 'path'> {
  const cel = rule.rule.length > maxRule ? `${rule.rule.slice(0, maxRule)}…` : rule.rule;
  const text = `rule ${JSON.stringify(rule.message ?? cel)}`;
  if (change === 'rule-removed')
    return {
      ...{ class: 'changes-meaning', change, reason: `${text} no longer applies: clients may rely on it` },
      remedy: 'make sure that no controller relies on it',
    };
  const guard = guardOf(rule);
  if (guard !== undefined && !fieldSchema(before, guard) && !keepsUnknownFields(before))
    return { class: 'safe', change, reason: `${text} limits only objects with the new field ${guard}`, remedy: 'none' };
  const verb = change === 'rule-added' ? 'is new' : 'has another expression';
  if (isCreationRule(rule))
    return {
      ...{
        class: 'breaks-clients',
        change,
        reason: `${text} ${verb}: it rejects new objects that were valid, and no update`,
      },
      remedy: 'update the clients that create such objects first',
    };
  const scope = isTransitionRule(rule)
    ? 'it compares with the former value, so it applies to every update, also to those that change nothing here'
    : 'it applies to every update that changes anything at or below this path, such as scaling; only unchanged values are exempt';
  return {
    ...{ class: 'breaks-writes', change, reason: `${text} ${verb}, and stored objects may violate it: ${scope}` },
    remedy:
      'check the stored objects with --objects or --live; move the rule to the smallest part of the object that it reads',
  };
}

function compareFields(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): void {
  const { properties: from = {} } = before;
  const { properties: to = {} } = after;
  for (const [field, schema] of Object.entries(from)) {
    const at = childPath(path, field);
    const next = Object.hasOwn(to, field) ? to[field] : valueSchema(after);
    if (next) compareSchemas(schema, next, at, report);
    else reportRemoved(at, keepsUnknownFields(after), report);
  }
  for (const [field, schema] of Object.entries(to)) {
    if (Object.hasOwn(from, field)) continue;
    const former = valueSchema(before);
    if (former) compareSchemas(former, schema, childPath(path, field), report);
    else reportAdded(childPath(path, field), schema, keepsUnknownFields(before), report);
  }
}

function reportRemoved(path: string, isKept: boolean, report: ReportChange): void {
  if (isKept) {
    const reason = 'is no longer described; stored values are kept, and any value is accepted';
    return report({
      path,
      class: 'changes-meaning',
      change: 'field-undescribed',
      reason,
      remedy: 'make sure that its readers accept any value',
    });
  }
  report({
    ...{ path, class: 'breaks-objects', change: 'field-removed' },
    reason: 'is removed: objects are read without it at once, and their next write deletes the stored value',
    remedy: `keep the field and mark it as deprecated in its description; if no object needs it, acknowledge it with --allow-pruning ${path}`,
  });
}

function reportAdded(path: string, schema: SchemaNode, wasKept: boolean, report: ReportChange): void {
  if (schema.default !== undefined) compareDefaults({}, { default: schema.default }, path, report);
  if (wasKept)
    return report({
      ...{
        path,
        class: 'breaks-writes',
        change: 'field-described',
        reason:
          'is described now; stored values of any shape may be invalid, and lose fields that the schema does not have',
      },
      remedy: 'check the stored objects with --objects or --live',
    });
  report({ path, class: 'safe', change: 'field-added', reason: 'is new', remedy: 'none' });
}

/** Compares the values of maps; an object with given fields that becomes a map is compared by its fields. */
function compareValues(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): void {
  const [from, to] = [valueSchema(before), valueSchema(after)];
  if (from && to) return compareSchemas(from, to, valuesPath(path), report);
  if (from && !to && !keepsUnknownFields(after)) reportRemoved(valuesPath(path), false, report);
  if (!from && to && keepsUnknownFields(before)) reportAdded(valuesPath(path), to, true, report);
}
