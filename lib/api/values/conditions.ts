import { valueAt } from './value-at';

/** A condition of an object, in the conventions of Kubernetes. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

/** All conditions of a status; none if it says none. */
export function conditionsIn(status: unknown): readonly Condition[] {
  const conditions = valueAt(status, ['conditions']);
  return Array.isArray(conditions) ? (conditions as readonly Condition[]) : [];
}

/** A condition of a status, whatever it says. */
export const conditionOf = (status: unknown, type: string): Condition | undefined =>
  conditionsIn(status).find((condition) => condition.type === type);

/** A condition of a status, if it is so. */
export function trueCondition(status: unknown, type: string): Condition | undefined {
  const condition = conditionOf(status, type);
  return condition?.status === 'True' ? condition : undefined;
}

/** A live object, as far as its standing is read. */
interface ObservedObject {
  readonly metadata: { readonly generation?: number };
  readonly status?: unknown;
}

/** Whether the status of an object speaks of its present spec. */
export const isObserved = ({ metadata, status }: ObservedObject): boolean =>
  valueAt(status, ['observedGeneration']) === metadata.generation;

/** Whether a workload is Ready, or did all of its work, as its present spec has it. */
export const isWorkloadReady = (live: ObservedObject): boolean =>
  isObserved(live) && ['Ready', 'Complete'].some((type) => trueCondition(live.status, type) !== undefined);
