import { conditionOf } from '../../api';
import { type EventReason } from '../reasons';
import { type ConditionDraft } from '../report/conditions';
import { type EventDraft, type ReportInput } from '../report/report';

type Fields = Readonly<Record<string, unknown>>;

/** Type of the condition, and reason of the condition and the Event. */
export const expansionDiffers = 'ExpansionDiffers' satisfies EventReason;

/** Returns the condition ExpansionDiffers of a workload that is held. Its pods may be healthy: Ready ignores it. */
export function heldExpansionConditions({ heldSince }: ReportInput): readonly ConditionDraft[] {
  if (heldSince === undefined) return [];
  const message = `Its objects stay as they are since ${heldSince}, also its number of pods: this version of the controller expands other pod templates from the same spec, Platform, RuntimeProfile and Project. "pinion impact report --live" of this version shows which fields. To release it, set spec.runtime.expansionRelease.heldBefore of the Platform to this time or a later one, or raise spec.runtime.expansionEpoch if the Platform has rollouts, which then release it in waves. A controller without the change ends the hold, too, if the Platform, the RuntimeProfile, the Project and the number of replicas have not changed meanwhile. A deployment of the workload takes the change along.`;
  return [{ type: expansionDiffers, status: 'True', reason: expansionDiffers, message }];
}

/** Returns the Event of a workload that is held since the last status. */
export function eventsForHeldExpansion(previous: Fields, status: Fields): readonly EventDraft[] {
  const now = conditionOf(status, expansionDiffers);
  if (!now || conditionOf(previous, expansionDiffers)) return [];
  return [{ type: 'Warning', reason: expansionDiffers, message: now.message ?? '' }];
}
