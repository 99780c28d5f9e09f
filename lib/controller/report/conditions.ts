import { type Status, type WorkloadKind } from '../../api';
import { type ConditionReason } from '../reasons';
import { cut } from './cause';

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

const word = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
/** Maximum length of the message of a condition, in characters. */
const longestMessage = 32768;

/**
 * Returns the conditions by the conventions of kstatus: always Ready; Reconciling and Stalled only while true.
 *
 * The transition time is kept while the status does not change.
 */
export function conditionsOf(
  { state, reason, message }: Readiness<string>,
  more: readonly ConditionDraft[],
  previous: readonly StatusCondition[] | undefined,
  generation: number,
  now: number,
): StatusCondition[] {
  const said: ConditionDraft[] = [
    { type: 'Ready', status: state === 'ready' ? 'True' : 'False', reason, message },
    ...(state === 'reconciling' ? [{ type: 'Reconciling', status: 'True' as const, reason, message }] : []),
    ...(state === 'stalled' ? [{ type: 'Stalled', status: 'True' as const, reason, message }] : []),
    ...more,
  ];
  return said.map((one) => {
    const before = previous?.find(({ type }) => type === one.type);
    return {
      type: one.type,
      status: one.status,
      observedGeneration: generation,
      lastTransitionTime: before?.status === one.status ? before.lastTransitionTime : timeOf(now),
      reason: word.test(one.reason) ? one.reason : ('Unknown' satisfies ConditionReason),
      message: cut(one.message, longestMessage),
    };
  });
}

/** Formats a time like Kubernetes, in seconds. */
export const timeOf = (now: number): string => new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
