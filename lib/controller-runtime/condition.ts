/** Condition of a status, as in the Kubernetes API conventions. */
export interface ObjectCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** UpperCamelCase reason. */
  readonly reason: string;
  readonly message: string;
  /** RFC 3339. */
  readonly lastTransitionTime: string;
  /** Generation of the object that the condition is about. */
  readonly observedGeneration?: number;
}

/**
 * Returns conditions with one set, at a time in milliseconds since 1970. Its transition time changes only with its status, so
 * that an equal status is not written again.
 */
export function setStatusCondition(
  conditions: readonly ObjectCondition[] | undefined,
  condition: Omit<ObjectCondition, 'lastTransitionTime'>,
  now: number,
): readonly ObjectCondition[] {
  const present = conditions ?? [];
  const previous = present.find(({ type }) => type === condition.type);
  const isSame = previous?.status === condition.status;
  const lastTransitionTime = isSame ? previous.lastTransitionTime : new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  const next = { ...condition, lastTransitionTime };
  return previous ? present.map((each) => (each === previous ? next : each)) : [...present, next];
}

/** Returns whether a condition is true. */
export const isStatusConditionTrue = (conditions: readonly ObjectCondition[] | undefined, type: string): boolean =>
  (conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
