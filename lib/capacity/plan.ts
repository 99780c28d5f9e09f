import { isError, ProblemsError, type Problem } from '../api';
import { type LoadInput } from './load';
import { examineLoad } from './load-examination';
import { planFor, type PlanDraft } from './plan-draft';
import { planProblems } from './plan-problems';

/** What a cluster asks for, each value with its reason. */
export interface Plan extends Omit<PlanDraft, 'master' | 'impossible'> {
  /** What a person should know though nothing is wrong. */
  readonly warnings: readonly Problem[];
}

/** A plan, or all that is in its way. */
export interface ExaminedPlan {
  readonly plan?: Plan;
  readonly problems: readonly Problem[];
}

/** Plans a cluster from the description of its load. Throws a `ProblemsError` with all that is wrong. */
export function planCapacity(input: LoadInput): Plan {
  const { plan, problems } = examineCapacity(input);
  if (!plan) throw new ProblemsError(problems.filter(isError));
  return plan;
}

/** Plans a cluster from any value, as it was read from a file; never throws for what that is. */
export function examineCapacity(input: unknown): ExaminedPlan {
  const { load, problems } = examineLoad(input);
  if (!load) return { problems };
  const draft = planFor(load);
  const all = [...problems, ...planProblems(draft)];
  if (all.some(isError)) return { problems: all };
  const { master: _machine, impossible: _none, ...plan } = draft;
  return { plan: { ...plan, warnings: all }, problems: all };
}
