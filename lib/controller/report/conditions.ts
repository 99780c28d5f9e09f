import { type Status, type WorkloadKind } from '../../api';
import { type ConditionReason } from '../reasons';
import { cut } from './cause';

/** A condition as our kinds have it. */
export type StatusCondition = NonNullable<Status<WorkloadKind>['conditions']>[number];

/** What a condition says, without since when. */
export type ConditionDraft = Pick<StatusCondition, 'type' | 'status' | 'reason' | 'message'>;

/** Readiness of a resource: as desired, progressing, or stalled until a user acts. */
export interface Readiness<R extends string = ConditionReason> {
  readonly state: 'ready' | 'reconciling' | 'stalled';
  /** One word for programs. */
  readonly reason: R;
  readonly message: string;
}

const word = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
/** Maximum length of the message of a condition, in characters. */
const longestMessage = 32768;

/**
 * Conditions in the conventions of kstatus: Ready always; Reconciling and Stalled are there only while they are true.
 *
 * The time of a condition stays while its status does.
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

/** A moment as Kubernetes writes it, to the second. */
export const timeOf = (now: number): string => new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
