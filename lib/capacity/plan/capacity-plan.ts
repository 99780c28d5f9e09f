import { isError, ProblemsError, type Problem } from '../../api';
import { type Figure } from './figure';
import { type LoadInput } from '../load/load';
import { safeParseLoad } from '../load/safe-parse-load';
import { draftCapacityPlan, type PlanDraft } from './draft-capacity-plan';
import { planProblems } from './plan-problems';
import { type PlannedName } from './planned-values';
import { type Values } from './plan-values';

/** What a cluster asks for, each value with its reason. */
export interface CapacityPlan extends Omit<PlanDraft, 'controlPlaneNode' | 'impossible'> {
  /** What a person should know though nothing is wrong. */
  readonly warnings: readonly Problem[];
}

/** A plan, or all that is in its way. */
export interface CapacityPlanResult {
  readonly plan?: CapacityPlan;
  readonly problems: readonly Problem[];
}

/** Plans a cluster from the description of its load. Throws a `ProblemsError` with all that is wrong. */
export function planCapacity(input: LoadInput): CapacityPlan {
  const { plan, problems } = safePlanCapacity(input);
  if (!plan) throw new ProblemsError(problems.filter(isError));
  return plan;
}

/** Plans a cluster from any value, as it was read from a file; never throws for what that is. */
export function safePlanCapacity(input: unknown): CapacityPlanResult {
  const { load, problems } = safeParseLoad(input);
  if (!load) return { problems };
  const draft = draftCapacityPlan(load);
  const all = [...problems, ...planProblems(draft)];
  if (all.some(isError)) return { problems: all };
  const { controlPlaneNode: _machine, impossible: _none, ...plan } = withPlanned(draft);
  return { plan: { ...plan, warnings: all }, problems: all };
}

/** Says of each override what the plan had said if nobody had overridden anything. */
function withPlanned(draft: PlanDraft): PlanDraft {
  const { load, values, nodeGroups } = draft;
  if (Object.keys(load.overrides).length + Object.keys(load.nodeGroupOverrides).length === 0) return draft;
  const plain = draftCapacityPlan({ ...load, overrides: {}, nodeGroupOverrides: {} });
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
