import type * as z from 'zod';
import { checkHead } from './manifest-head';
import { type DocumentKind } from './manifest-kind';
import { isPlainObject } from '../values/plain-object';
import { isError, type Problem } from '../problem';
import { type KindDefinition } from '../kinds/kind-definition';
import { pinionKinds } from '../kinds/kinds';
import { isWorkloadKind } from '../kinds/workload-kinds';
import { checkRule, type ValidationRule } from '../rules/validation-rule';
import { workflowKind } from './workflow';
import { checkRules } from '../schema/schema-rules';
import { checkRulesOnValidFields } from '../schema/check-rules-on-valid-fields';
import { schemaProblems } from '../schema/schema-problems';
import { refineProblems } from './refine-problems';
import { withoutPlatformValues } from './without-platform-values';

type Fields = Readonly<Record<string, unknown>>;

/** Validates a manifest; returns its parsed spec unless there are errors, and all problems. */
export function validateManifest(
  written: Fields,
  kind: DocumentKind,
  schema: z.ZodType,
): { readonly data?: unknown; readonly problems: readonly Problem[] } {
  const input = isWorkloadKind(kind) ? withoutPlatformValues(written, kind, schema) : written;
  const problems: Problem[] = [];
  const report = (problem: Problem) => void problems.push(problem);
  checkHead(input, kind, report);
  const parsed = schema.safeParse(input['spec'] ?? {}, { reportInput: false });
  if (parsed.success) {
    checkRules(schema, parsed.data, ['spec'], report);
    for (const rule of manifestRulesOf(kind)) checkRule(rule, { ...input, spec: parsed.data }, [], report);
  } else {
    const found = schemaProblems(schema, input['spec'] ?? {}, parsed.error.issues, ['spec']);
    problems.push(...found);
    checkRulesOnValidFields(
      schema,
      input['spec'] ?? {},
      found.map(({ path }) => path.slice(1)),
      report,
    );
  }
  const named = refineProblems(problems, input).map((problem) => ({ ...problem, object: nameOf(input, kind) }));
  if (named.some(isError)) return { problems: named };
  return { data: parsed.data, problems: named };
}

const manifestRulesOf = (kind: DocumentKind): readonly ValidationRule[] => {
  const definition: KindDefinition | undefined = kind === workflowKind ? undefined : pinionKinds[kind];
  return definition?.manifestRules ?? [];
};

function nameOf({ metadata }: Fields, kind: string): string {
  const { namespace, name } = isPlainObject(metadata) ? metadata : ({} as Fields);
  return `${kind} ${[namespace, name].filter((part) => typeof part === 'string').join('/') || '(without a name)'}`;
}
