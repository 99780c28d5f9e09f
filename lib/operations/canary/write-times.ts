import { metadataKeys } from '../../api';
import { collectionPath, isApiError, delay, resourceOf } from '../../kube';
import { type CanaryDeps } from './canary-deps';

const configMaps = resourceOf('ConfigMap');
const patience = { timeout: 20_000, retries: 0 };
/** An etcd that is slow now and then takes some writes at once: so many are tried, so many milliseconds apart. */
const [attempts, apart] = [5, 500];
/** Milliseconds of a write after which nobody doubts. */
const slow = 3_000;

/**
 * Milliseconds of the slowest of some small writes, which etcd stores, and of a read that the API server answers from
 * memory: the difference is etcd's. A write that is not answered took as long as it was waited for.
 */
export async function writeTimes(world: CanaryDeps): Promise<{ stored: number; cached: number }> {
  const { client, clock, project, signal } = world;
  const path = collectionPath(configMaps, project);
  const begun = clock.now();
  await client.unlimited.request('GET', path, undefined, { ...patience, query: { resourceVersion: '0', limit: '1' } });
  const cached = clock.now() - begun;
  let stored = 0;
  for (let left = attempts; left > 0 && stored < slow && !signal.aborted; left--) {
    stored = Math.max(stored, await writeTime(world, path));
    if (left > 1 && stored < slow) await delay(clock, apart, signal);
  }
  return { stored, cached };
}

/** Milliseconds of one write; what is written is removed again, at the latest by the sweep of the next run. */
async function writeTime({ client, clock, project }: CanaryDeps, path: string): Promise<number> {
  const body = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { generateName: 'canary-write-', namespace: project, labels: { [metadataKeys.canary]: 'write' } },
  };
  const begun = clock.now();
  const made = await client.unlimited.request('POST', path, body, patience).catch((error: unknown) => {
    // One that was refused was not stored, and says nothing of etcd.
    if (isApiError(error) && error.status > 0 && error.status < 500) throw error;
    return undefined;
  });
  const taken = clock.now() - begun;
  const { name } = (made as { readonly metadata?: { readonly name: string } } | undefined)?.metadata ?? {};
  if (name !== undefined) await client.unlimited.remove(configMaps, { name, namespace: project });
  return taken;
}
