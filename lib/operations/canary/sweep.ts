import { metadataKeys } from '../../api';
import { type LiveObject, delay, resourceOf } from '../../kube';
import { type CanaryDeps } from './canary-deps';
import { canaryOwnKinds, listKinds } from './live-parts';

/** Milliseconds for which a sweep waits until what it removed is gone. */
const patience = 30_000;

/** All that runs of the canary made. */
const leftovers = ({ client, project }: CanaryDeps): Promise<LiveObject[]> =>
  listKinds(client, canaryOwnKinds, project, metadataKeys.canary);

/**
 * Removes what runs left behind that were killed, and waits a while until it is gone. Gives how many objects there were.
 *
 * Everything that a run makes has a label; whoever holds the lease of the canary is alone, so that all of it is a dead run's.
 */
export async function sweep(world: CanaryDeps): Promise<number> {
  const found = await leftovers(world);
  const end = world.clock.now() + patience;
  for (let left = found; left.length > 0 && !world.signal.aborted; left = await leftovers(world)) {
    for (const { kind, metadata } of left)
      if (metadata.deletionTimestamp === undefined)
        await world.client.remove(resourceOf(kind), metadata, { propagation: 'Background' });
    if (world.clock.now() > end) break;
    await delay(world.clock, 500, world.signal);
  }
  return found.length;
}
