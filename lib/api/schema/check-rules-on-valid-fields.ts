import type * as z from 'zod';
import { type FieldPath, type Problem } from '../problem';
import { type ValidationRule } from '../rules/validation-rule';
import { checkRules } from './schema-rules';
import { withoutMember } from '../values/without-member';

/**
 * Reports violated rules of a spec without its invalid fields, so that all problems are reported at once.
 *
 * Rules that read an invalid field, or whose fields are unknown, are skipped: they would report defaults as user input.
 */
export function checkRulesOnValidFields(
  schema: z.ZodType,
  spec: unknown,
  broken: readonly FieldPath[],
  report: (problem: Problem) => void,
): void {
  const sound = broken.reduce<unknown>(withoutMember, spec);
  const parsed = schema.safeParse(sound, { reportInput: false });
  if (!parsed.success) return;
  const reads = (rule: ValidationRule, at: FieldPath): boolean => {
    const fields = fieldsOf(rule);
    return broken.some((path) => isBelow(path, at) && (fields === undefined || fields.has(String(path[at.length]))));
  };
  checkRules(schema, parsed.data, ['spec'], report, (rule, at) => reads(rule, at.slice(1)));
}

const isBelow = (path: FieldPath, at: FieldPath): boolean => at.every((step, index) => path[index] === step);

function fieldsOf({ cel, reads }: ValidationRule): ReadonlySet<string> | undefined {
  const fields = new Set(reads ?? [...cel.matchAll(/\bself\.(\w+)/g)].map((match) => match[1] ?? ''));
  return fields.size === 0 ? undefined : fields;
}
