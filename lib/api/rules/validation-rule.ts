import { isSensitivePath } from '../manifest/redact-problem';
import { valueAt } from '../values/value-at';
import { evaluateCel } from './cel';
import { type FieldPath, type Problem, type ProblemCode } from '../problem';

export { celError, celValue, evaluateCel } from './cel';

/** A violation of a rule with its own value and texts, where those of the rule are too general. */
export interface RuleViolation {
  /** Path relative to the object. */
  readonly path: FieldPath;
  /** Value to show; never a secret. */
  readonly value?: unknown;
  /** @default - the reason of the rule */
  readonly reason?: string;
  /** @default - the remedy of the rule */
  readonly remedy?: string;
}

/** Rule across fields, written in CEL for the API server and evaluated by clients as well. */
export interface ValidationRule {
  /** Name of the rule, in kebab-case; included in its problems. */
  readonly name: string;
  /** CEL expression that is true for valid objects; `self` is the object. */
  readonly cel: string;
  readonly reason: string;
  readonly remedy: string;
  /** Path of the problem, relative to the object. @default the object itself */
  readonly fieldPath?: readonly string[];
  /** @default invalid-combination */
  readonly code?: ProblemCode;
  /** Severity; only clients report warnings. @default error */
  readonly severity?: 'error' | 'warning';
  /** `client` if only clients evaluate it. @default both */
  readonly where?: 'both' | 'client';
  /** Equivalent function, for speed; a test verifies that both are equal. */
  readonly holds?: (self: Readonly<Record<string, unknown>>) => boolean;
  /** Like `holds`, but returns the violations, or their paths relative to the object; empty if it is valid. */
  readonly find?: (self: Readonly<Record<string, unknown>>) => readonly (FieldPath | RuleViolation)[];
  /** Fields of `self` that the rule reads. @default - those in the CEL expression, or all if there are none */
  readonly reads?: readonly string[];
  /** Whether each violation depends only on the value at its path, so that invalid values elsewhere do not matter. @default false */
  readonly perField?: boolean;
}

/**
 * Reports a problem if a rule does not hold for `self`, the value at the path.
 *
 * Transition rules (which refer to oldSelf) are skipped. `variables` are those of the rule besides `self`.
 * Failed evaluations are ignored: they occur for values of the wrong type, which have their own problem.
 */
export function checkRule(
  rule: ValidationRule,
  self: unknown,
  path: FieldPath,
  report: (problem: Problem) => void,
  variables?: Readonly<Record<string, unknown>>,
): void {
  if (rule.find !== undefined) {
    for (const found of rule.find(self as Readonly<Record<string, unknown>>))
      reportViolation(rule, path, withValue('path' in found ? found : { path: found }, self, path), report);
  } else if (
    !(rule.holds === undefined
      ? holdsInCel(rule, self, variables)
      : rule.holds(self as Readonly<Record<string, unknown>>))
  ) {
    reportViolation(rule, path, withValue({ path: rule.fieldPath ?? [] }, self, path), report);
  }
}

/** Returns a violation with the value at its path, unless that may be a secret or is an object. */
function withValue(violation: RuleViolation, self: unknown, at: FieldPath): RuleViolation {
  // A violation with its own reason says what it shows.
  if (violation.value !== undefined || violation.reason !== undefined) return violation;
  const value = valueAt(self, violation.path);
  const isShown =
    ['number', 'boolean'].includes(typeof value) ||
    (typeof value === 'string' && value !== '' && !isSensitivePath([...at, ...violation.path]));
  return isShown && violation.path.length > 0 ? { ...violation, value } : violation;
}

function reportViolation(
  { name, reason, remedy, severity, code = 'invalid-combination' }: ValidationRule,
  path: FieldPath,
  { path: relativePath, ...own }: RuleViolation,
  report: (problem: Problem) => void,
): void {
  report({ code, path: [...path, ...relativePath], reason, remedy, ...own, rule: name, ...(severity && { severity }) });
}

interface Plan {
  /** Fields without which the rule holds. */
  readonly guards: readonly string[];
  readonly transition: boolean;
}

const plans = new WeakMap<ValidationRule, Plan>();

function holdsInCel(
  rule: ValidationRule,
  self: unknown,
  variables: Readonly<Record<string, unknown>> | undefined,
): boolean {
  let plan = plans.get(rule);
  if (plan === undefined) plans.set(rule, (plan = planOf(rule.cel)));
  if (plan.transition) return true;
  if (typeof self === 'object' && self !== null) {
    for (const field of plan.guards) if ((self as Readonly<Record<string, unknown>>)[field] === undefined) return true;
  }
  try {
    return evaluateCel(rule.cel, { ...variables, self }) !== false;
  } catch {
    return true;
  }
}

/** Returns whether an expression is a conditional at the top level. */
function isTopLevelConditional(cel: string): boolean {
  let depth = 0;
  for (const character of cel) {
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === '?' && depth === 0) return true;
  }
  return false;
}

/** Parses the guards `!has(self.x) ||` at the start; within a conditional they would belong to its condition. */
function planOf(cel: string): Plan {
  const start = isTopLevelConditional(cel) ? '' : (/^(?:!has\(self\.\w+\)(?: \|\| |$))*/.exec(cel)?.[0] ?? '');
  return {
    guards: [...start.matchAll(/self\.(\w+)/g)].map((match) => match[1] as string),
    transition: /\boldSelf\b/.test(cel),
  };
}
