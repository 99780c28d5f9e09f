import { metadataKeys } from '../../api';
import { type LiveObject, delay, resourceOf } from '../../kube';
import { type CanaryDeps } from './canary-deps';
import { canaryOwnKinds, listKinds } from './workload-objects';

/** Milliseconds to wait for deletion. */
const deletionTimeout = 30_000;

/** Lists the objects of all canary runs. */
const leftovers = ({ client, project }: CanaryDeps): Promise<LiveObject[]> =>
  listKinds(client, canaryOwnKinds, project, metadataKeys.canary);

/**
 * Deletes leftovers of killed runs and waits for their deletion. Returns the number of objects.
 *
 * Every object of a run has a label, and the caller holds the canary's lease, so no labeled object belongs to a live run.
 */
export async function sweep(deps: CanaryDeps): Promise<number> {
  const found = await leftovers(deps);
  const deadline = deps.clock.now() + deletionTimeout;
  for (let remaining = found; remaining.length > 0 && !deps.signal.aborted; remaining = await leftovers(deps)) {
    for (const { kind, metadata } of remaining)
      if (metadata.deletionTimestamp === undefined)
        await deps.client.delete(resourceOf(kind), metadata, { propagation: 'Background' });
    if (deps.clock.now() > deadline) break;
    await delay(deps.clock, 500, deps.signal);
  }
  return found.length;
}
