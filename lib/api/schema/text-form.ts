import * as z from 'zod';

/** Reason and remedy for a string that does not match its form: clauses without a period. */
export interface FormFailure {
  readonly reason: string;
  readonly remedy: string;
}

const failures = new WeakMap<object, FormFailure>();

/** Returns a check that a string matches a pattern; its issue carries the failure as data in `params.form`. */
export function textForm(pattern: RegExp, reason: string, remedy: string): z.core.$ZodCheck<string> {
  const form: FormFailure = { reason, remedy };
  // A check of zod's own class keeps the pattern visible to CRDs and to JSON Schema.
  const check = new z.core.$ZodCheckRegex({ check: 'string_format', format: 'regex', pattern });
  check._zod.check = ({ value, issues }) => {
    if (pattern.test(value)) return;
    issues.push({ code: 'custom', input: value, message: reason, params: { form }, continue: true });
  };
  failures.set(check, form);
  return check;
}

/** Returns the failure that a check of `textForm` reports; undefined for another check. */
export const failureOf = (check: object): FormFailure | undefined => failures.get(check);
