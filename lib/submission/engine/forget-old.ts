import { type ConfigMapState } from '../state/config-map-state';
import { isFinal } from '../state/deployment-record';
import { laneKey, laneOf } from '../state/project-ledger';

/** Maximum number of retained deployments per workflow and stage. */
const maxPerLane = 50;

/**
 * Deletes the oldest deployments of each workflow and stage, except those in progress and rollback candidates. Returns
 * their number.
 */
export async function forgetOld(state: ConfigMapState, project: string): Promise<number> {
  const ledger = state.ledger(project);
  const lanes = new Map<string, string[]>();
  const newestFirst = state
    .records(project)
    .map(({ deployment }) => deployment)
    .sort((a, b) => b.sequence - a.sequence);
  for (const one of newestFirst) {
    if (!isFinal(one.phase) || ledger.open.some(({ id }) => id === one.id)) continue;
    if (laneOf(ledger, one).ready.some(({ id }) => id === one.id)) continue;
    lanes.set(laneKey(one), [...(lanes.get(laneKey(one)) ?? []), one.id]);
  }
  const old = [...lanes.values()].flatMap((ids) => ids.slice(maxPerLane));
  for (const id of old) await state.forget(id);
  return old.length;
}
