import type * as z from 'zod';
import { type FieldPath, type Problem } from '../problem';
import { type ValidationRule } from '../rules/validation-rule';
import { parseValidFields } from './parse-valid-fields';
import { checkRules } from './schema-rules';

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
  const valid = parseValidFields(schema, spec);
  const reads = (rule: ValidationRule, at: FieldPath): boolean => {
    const fields = fieldsOf(rule);
    return broken.some((path) => isBelow(path, at) && (fields === undefined || fields.has(String(path[at.length]))));
  };
  const concernsBroken = (path: FieldPath) => broken.some((one) => isBelow(one, path) || isBelow(path, one));
  checkRules(
    schema,
    valid,
    ['spec'],
    (problem) => {
      if (!concernsBroken(problem.path.slice(1))) report(problem);
    },
    (rule, at) => rule.perField !== true && reads(rule, at.slice(1)),
  );
}

const isBelow = (path: FieldPath, at: FieldPath): boolean => at.every((step, index) => path[index] === step);

function fieldsOf({ cel, reads }: ValidationRule): ReadonlySet<string> | undefined {
  const fields = new Set(reads ?? [...cel.matchAll(/\bself\.(\w+)/g)].map((match) => match[1] ?? ''));
  return fields.size === 0 ? undefined : fields;
}
