import { isDeepStrictEqual } from 'node:util';
import { type EventDraft } from '../report/report';
import { type RolloutSpec } from './rollout-workload';

/** What an operator decides about a rollout; an emergency counts only while it is in force. */
export type OperatorDecision = Pick<RolloutSpec, 'paused' | 'aborted' | 'rollback' | 'approvedImpact' | 'emergency'>;

/** Maximum number of rollouts that are remembered; the controller keeps fewer. */
const maxKnown = 64;
/** Maximum length of a reason in an event, in characters. */
const maxReason = 800;

/** Decisions about rollouts as this process last saw them, of which it records events. */
export class RolloutDecisions {
  readonly #known = new Map<string, OperatorDecision>();

  /**
   * Returns events for what has changed since the last call. A process that sees a rollout for the first time reports its emergency,
   * which another one may have reported; the phase shows the rest.
   */
  eventsFor(
    uid: string,
    { paused, aborted, rollback, approvedImpact, emergency }: OperatorDecision,
    { isNew, isEnded }: { readonly isNew: boolean; readonly isEnded: boolean },
  ): readonly EventDraft[] {
    const decision = { paused, aborted, rollback, approvedImpact, emergency: isEnded ? undefined : emergency };
    const none = { paused: false, aborted: false, rollback: false };
    const before = this.#known.get(uid) ?? (isNew ? none : { ...decision, emergency: undefined });
    this.#known.delete(uid);
    this.#known.set(uid, decision);
    const [oldest] = this.#known.keys(); // The last entry of a map is the most recent one.
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    return decisionEvents(before, decision);
  }
}

/** Returns the events for a change of decisions. Pure. */
export function decisionEvents(before: OperatorDecision, after: OperatorDecision): readonly EventDraft[] {
  const requested = (['paused', 'aborted', 'rollback'] as const).filter((one) => after[one] && !before[one]);
  return [
    ...emergencyEvents(before.emergency, after.emergency),
    ...approvalEvents(before.approvedImpact, after.approvedImpact),
    ...requested.map((one) => requests[one]),
  ];
}

const requests = {
  paused: { type: 'Normal', reason: 'PauseRequested', message: 'spec.paused: no more workloads are released' },
  aborted: {
    type: 'Warning',
    reason: 'AbortRequested',
    message: 'spec.aborted: no more workloads are released for good',
  },
  rollback: {
    type: 'Warning',
    reason: 'RollbackRequested',
    message: 'spec.rollback: workloads return to their former revisions',
  },
} as const satisfies Readonly<Record<string, EventDraft>>;

function approvalEvents(before: string | undefined, after: string | undefined): readonly EventDraft[] {
  if (before === after) return [];
  return after === undefined
    ? [{ type: 'Normal', reason: 'ApprovalRemoved', message: `it was: ${before ?? ''}` }]
    : [{ type: 'Normal', reason: 'ImpactApproved', message: `spec.approvedImpact: ${after}` }];
}

function emergencyEvents(before: RolloutSpec['emergency'], after: RolloutSpec['emergency']): readonly EventDraft[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!after) return [{ type: 'Normal', reason: 'EmergencyEnded', message: `it was: ${reasonOf(before)}` }];
  const message = `soak times, freezes, the canary and a missing approval do not count until ${after.until}: ${reasonOf(after)}`;
  return [{ type: 'Warning', reason: before ? 'EmergencyChanged' : 'EmergencyStarted', message }];
}

const reasonOf = (emergency: RolloutSpec['emergency']): string => (emergency?.reason ?? '').slice(0, maxReason);
