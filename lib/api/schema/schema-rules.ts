import * as z from 'zod';
import { fieldFacts } from './field-facts';
import { type FieldPath, type Problem } from '../problem';
import { checkRule, type ValidationRule } from '../rules/validation-rule';
import { unwrap } from './schema-walk';

/** Parts of a schema that have rules. */
interface RuleTree {
  readonly rules: readonly ValidationRule[];
  readonly fields: readonly (readonly [string, RuleTree])[];
  readonly each?: RuleTree;
}

const trees = new WeakMap<z.ZodType, RuleTree | null>();

/** Returns whether to skip a rule for the object at a path. */
type Skip = (rule: ValidationRule, path: FieldPath) => boolean;

/** Evaluates the rules of a schema, including nested ones, on a parsed value. */
export function checkRules(
  schema: z.ZodType,
  value: unknown,
  base: FieldPath,
  report: (problem: Problem) => void,
  skip?: Skip,
): void {
  let tree = trees.get(schema);
  if (tree === undefined) trees.set(schema, (tree = treeOf(schema) ?? null));
  if (tree) walk(tree, value, [...base], report, skip);
}

function treeOf(schema: z.ZodType): RuleTree | undefined {
  const inner = unwrap(schema);
  const rules = fieldFacts.get(inner)?.rules ?? [];
  const fields: [string, RuleTree][] = [];
  let each: RuleTree | undefined;
  if (inner instanceof z.ZodObject) {
    for (const [name, field] of Object.entries(inner.shape)) {
      const tree = treeOf(field as z.ZodType);
      if (tree) fields.push([name, tree]);
    }
  } else if (inner instanceof z.ZodArray) each = treeOf(inner.element as z.ZodType);
  else if (inner instanceof z.ZodRecord) each = treeOf(inner.valueType as z.ZodType);
  return rules.length + fields.length === 0 && !each ? undefined : { rules, fields, ...(each && { each }) };
}

function walk(
  tree: RuleTree,
  value: unknown,
  path: (string | number)[],
  report: (problem: Problem) => void,
  skip?: Skip,
): void {
  if (typeof value !== 'object' || value === null) return;
  for (const rule of tree.rules) if (!skip?.(rule, path)) checkRule(rule, value, path, report);
  const below = (key: string | number, member: unknown, next: RuleTree) => {
    path.push(key);
    walk(next, member, path, report, skip);
    path.pop();
  };
  for (const [name, next] of tree.fields) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) below(name, member, next);
  }
  if (tree.each) {
    const each = tree.each;
    if (Array.isArray(value)) value.forEach((member, index) => below(index, member, each));
    else for (const [key, member] of Object.entries(value)) below(key, member, each);
  }
}
