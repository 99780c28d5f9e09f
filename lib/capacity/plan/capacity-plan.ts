import { isError, ProblemsError, type Problem } from '../../api';
import { type Figure } from './figure';
import { type LoadInput } from '../load/load';
import { safeParseLoad } from '../load/safe-parse-load';
import { draftCapacityPlan, type PlanDraft } from './draft-capacity-plan';
import { planProblems } from './plan-problems';
import { type PlannedName } from './planned-values';
import { type Values } from './plan-values';

/** Planned values of a cluster, each with its derivation. */
export interface CapacityPlan extends Omit<PlanDraft, 'controlPlaneNode' | 'impossible'> {
  /** Warnings. */
  readonly warnings: readonly Problem[];
}

/** A plan, or the problems that prevent one. */
export interface CapacityPlanResult {
  readonly plan?: CapacityPlan;
  readonly problems: readonly Problem[];
}

/** Plans a cluster from a load description. Throws a `ProblemsError` with all problems. */
export function planCapacity(input: LoadInput): CapacityPlan {
  const { plan, problems } = safePlanCapacity(input);
  if (!plan) throw new ProblemsError(problems.filter(isError));
  return plan;
}

/** Plans a cluster from any value; never throws. */
export function safePlanCapacity(input: unknown): CapacityPlanResult {
  const { load, problems } = safeParseLoad(input);
  if (!load) return { problems };
  const draft = draftCapacityPlan(load);
  const all = [...problems, ...planProblems(draft)];
  if (all.some(isError)) return { problems: all };
  const { controlPlaneNode: _controlPlaneNode, impossible: _impossible, ...plan } = withPlanned(draft);
  return { plan: { ...plan, warnings: all }, problems: all };
}

/** Adds the value planned without overrides to each overridden value. */
function withPlanned(draft: PlanDraft): PlanDraft {
  const { load, values, nodeGroups } = draft;
  if (Object.keys(load.overrides).length + Object.keys(load.nodeGroupOverrides).length === 0) return draft;
  const withoutOverrides = draftCapacityPlan({ ...load, overrides: {}, nodeGroupOverrides: {} });
  const figure = (effective: Figure, original: Figure | undefined): Figure =>
    effective.planned === undefined || original === undefined ? effective : { ...effective, planned: original.value };
  const figures = Object.entries(values).map(([name, effective]) => [
    name,
    figure(effective, withoutOverrides.values[name as PlannedName]),
  ]);
  const groups = nodeGroups.map((group, index) => {
    const original = withoutOverrides.nodeGroups[index];
    const parts = ['instanceTypes', 'min', 'desired', 'max', 'maxPods', 'rootGib'] as const;
    return { ...group, ...Object.fromEntries(parts.map((part) => [part, figure(group[part], original?.[part])])) };
  });
  return { ...draft, values: Object.fromEntries(figures) as Values, nodeGroups: groups };
}
