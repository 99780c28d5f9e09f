import { type ConfigMapState } from '../state/config-map-state';
import { isFinal } from '../state/deployment-record';
import { stageHistoryKey, stageHistoryOf } from '../state/project-ledger';

/** Maximum number of retained deployments per workflow and stage. */
const maxPerHistory = 50;

/**
 * Deletes the oldest deployments of each workflow and stage, except those in progress and rollback candidates. Returns
 * their number.
 */
export async function deleteOldDeployments(state: ConfigMapState, project: string): Promise<number> {
  const ledger = state.ledger(project);
  const histories = new Map<string, string[]>();
  const newestFirst = state
    .records(project)
    .map(({ deployment }) => deployment)
    .sort((a, b) => b.sequence - a.sequence);
  for (const one of newestFirst) {
    if (!isFinal(one.phase) || ledger.open.some(({ id }) => id === one.id)) continue;
    if (stageHistoryOf(ledger, one).ready.some(({ id }) => id === one.id)) continue;
    histories.set(stageHistoryKey(one), [...(histories.get(stageHistoryKey(one)) ?? []), one.id]);
  }
  const old = [...histories.values()].flatMap((ids) => ids.slice(maxPerHistory));
  for (const id of old) await state.deleteRecord(id);
  return old.length;
}
