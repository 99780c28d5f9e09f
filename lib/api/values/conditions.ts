import { valueAt } from './value-at';

/** Condition of an object, by Kubernetes conventions. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

/** Returns the conditions of a status; empty if there are none. */
export function conditionsIn(status: unknown): readonly Condition[] {
  const conditions = valueAt(status, ['conditions']);
  return Array.isArray(conditions) ? (conditions as readonly Condition[]) : [];
}

/** Returns a condition of a status, whatever its value. */
export const conditionOf = (status: unknown, type: string): Condition | undefined =>
  conditionsIn(status).find((condition) => condition.type === type);

/** Returns a condition of a status if it is true. */
export function trueCondition(status: unknown, type: string): Condition | undefined {
  const condition = conditionOf(status, type);
  return condition?.status === 'True' ? condition : undefined;
}

/** Fields of a live object that its readiness depends on. */
interface ObservedObject {
  readonly metadata: { readonly generation?: number };
  readonly status?: unknown;
}

/** Returns whether the status of an object is about its current spec. */
export const isObserved = ({ metadata, status }: ObservedObject): boolean =>
  valueAt(status, ['observedGeneration']) === metadata.generation;

/** Returns whether a workload is Ready, or has finished all of its work, for its current spec. */
export const isWorkloadReady = (live: ObservedObject): boolean =>
  isObserved(live) && ['Ready', 'Complete'].some((type) => trueCondition(live.status, type) !== undefined);
