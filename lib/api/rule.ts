import { type FieldPath, type Problem, type ProblemCode } from './problem';

/** A rule across fields, written in CEL for the API server and evaluated by us as well. */
export interface Rule {
  /** Name of the rule, kebab-case; a problem carries it. */
  readonly name: string;
  /** True where all is well; `self` is the object. */
  readonly cel: string;
  readonly reason: string;
  readonly remedy: string;
  /** Where the problem is shown, relative to the object. @default the object itself */
  readonly fieldPath?: readonly string[];
  /** @default contradiction */
  readonly code?: ProblemCode;
  /** `client` where only we evaluate it. @default both */
  readonly where?: 'both' | 'client';
  /** The same rule as a function, for speed; a test proves the two equal. */
  readonly holds?: (self: Readonly<Record<string, unknown>>) => boolean;
}

/** Reports a problem where a rule does not hold for `self`, which lies at the path. */
export function checkRule(rule: Rule, self: unknown, path: FieldPath, report: (problem: Problem) => void): void {
  if (rule.holds === undefined || rule.holds(self as Readonly<Record<string, unknown>>)) return;
  const { name, reason, remedy, code = 'contradiction', fieldPath = [] } = rule;
  report({ code, path: [...path, ...fieldPath], reason, remedy, rule: name });
}
