import { type Status, type WorkloadKind } from '../../api';
import { timeOf } from '../../expand';
import { type ConditionReason } from '../reasons';
import { truncate } from './cause';

/** Condition of pinion's kinds. */
export type StatusCondition = NonNullable<Status<WorkloadKind>['conditions']>[number];

/** Condition without its transition time. */
export type ConditionDraft = Pick<StatusCondition, 'type' | 'status' | 'reason' | 'message'>;

/** Readiness of a resource: as desired, progressing, or stalled until a user acts. */
export interface Readiness<R extends string = ConditionReason> {
  readonly state: 'ready' | 'reconciling' | 'stalled';
  /** Machine-readable reason. */
  readonly reason: R;
  readonly message: string;
}

const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
/** Maximum length of the message of a condition, in characters. */
const maxMessageLength = 32768;

/**
 * Returns the conditions by the conventions of kstatus: always Ready; Reconciling and Stalled only while true.
 *
 * The transition time is kept while the status does not change.
 */
export function conditionsOf(
  { state, reason, message }: Readiness<string>,
  additional: readonly ConditionDraft[],
  previous: readonly StatusCondition[] | undefined,
  generation: number,
  now: number,
): StatusCondition[] {
  const drafts: ConditionDraft[] = [
    { type: 'Ready', status: state === 'ready' ? 'True' : 'False', reason, message },
    ...(state === 'reconciling' ? [{ type: 'Reconciling', status: 'True' as const, reason, message }] : []),
    ...(state === 'stalled' ? [{ type: 'Stalled', status: 'True' as const, reason, message }] : []),
    ...additional,
  ];
  return drafts.map((draft) => {
    const previousCondition = previous?.find(({ type }) => type === draft.type);
    return {
      type: draft.type,
      status: draft.status,
      observedGeneration: generation,
      lastTransitionTime:
        previousCondition?.status === draft.status ? previousCondition.lastTransitionTime : timeOf(now),
      reason: reasonPattern.test(draft.reason) ? draft.reason : ('Unknown' satisfies ConditionReason),
      message: truncate(draft.message, maxMessageLength),
    };
  });
}
