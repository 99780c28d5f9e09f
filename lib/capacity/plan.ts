import { isError, ProblemsError, type Problem } from '../api';
import { type Figure } from './figure';
import { type LoadInput } from './load';
import { examineLoad } from './load-examination';
import { planFor, type PlanDraft } from './plan-draft';
import { planProblems } from './plan-problems';
import { type PlannedName } from './planned-values';
import { type Values } from './sheet';

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
  const { master: _machine, impossible: _none, ...plan } = withPlanned(draft);
  return { plan: { ...plan, warnings: all }, problems: all };
}

/** Says of each override what the plan had said if nobody had overridden anything. */
function withPlanned(draft: PlanDraft): PlanDraft {
  const { load, values, nodeGroups } = draft;
  if (Object.keys(load.overrides).length + Object.keys(load.nodeGroupOverrides).length === 0) return draft;
  const plain = planFor({ ...load, overrides: {}, nodeGroupOverrides: {} });
  const figure = (own: Figure, was: Figure | undefined): Figure =>
    own.planned === undefined || was === undefined ? own : { ...own, planned: was.value };
  const figures = Object.entries(values).map(([name, own]) => [name, figure(own, plain.values[name as PlannedName])]);
  const groups = nodeGroups.map((group, index) => {
    const was = plain.nodeGroups[index];
    const parts = ['instanceTypes', 'min', 'desired', 'max', 'maxPods', 'rootGib'] as const;
    return { ...group, ...Object.fromEntries(parts.map((part) => [part, figure(group[part], was?.[part])])) };
  });
  return { ...draft, values: Object.fromEntries(figures) as Values, nodeGroups: groups };
}
