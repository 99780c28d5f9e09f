import type * as z from 'zod';
import { checkHead } from './manifest-head';
import { type DocumentKind } from './manifest-kind';
import { isPlainObject } from '../values/plain-object';
import { isError, type Problem } from '../problem';
import { checkRules } from '../schema/schema-rules';
import { checkRulesOnValidFields } from '../schema/check-rules-on-valid-fields';
import { schemaProblems } from '../schema/schema-problems';

type Fields = Readonly<Record<string, unknown>>;

/** Validates a manifest; returns its parsed spec unless there are errors, and all problems. */
export function validateManifest(
  input: Fields,
  kind: DocumentKind,
  schema: z.ZodType,
): { readonly data?: unknown; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report = (problem: Problem) => void problems.push(problem);
  checkHead(input, kind, report);
  const parsed = schema.safeParse(input['spec'] ?? {}, { reportInput: false });
  if (parsed.success) checkRules(schema, parsed.data, ['spec'], report);
  else {
    const found = schemaProblems(schema, input['spec'] ?? {}, parsed.error.issues, ['spec']);
    problems.push(...found);
    checkRulesOnValidFields(
      schema,
      input['spec'] ?? {},
      found.map(({ path }) => path.slice(1)),
      report,
    );
  }
  const named = problems.map((problem) => ({ ...problem, object: nameOf(input, kind) }));
  return named.some(isError) || !parsed.success ? { problems: named } : { data: parsed.data, problems: named };
}

function nameOf({ metadata }: Fields, kind: string): string {
  const { namespace, name } = isPlainObject(metadata) ? metadata : ({} as Fields);
  return `${kind} ${[namespace, name].filter((part) => typeof part === 'string').join('/') || '(without a name)'}`;
}
