import { metadataKeys } from '../../api';
import { collectionPath, isApiError, delay, resourceOf } from '../../kube';
import { type CanaryDeps } from './canary-deps';

const configMaps = resourceOf('ConfigMap');
const requestOptions = { timeout: 20_000, retries: 0 };
/** An intermittently slow etcd may complete single writes quickly, so several are tried. */
const attempts = 5;
/** Milliseconds between two writes. */
const interval = 500;
/** Milliseconds from which a write is certainly slow. */
const certainlySlow = 3_000;

/**
 * Measures in milliseconds the slowest of several small writes to etcd, and a read from the API server's watch cache:
 * the difference is etcd's latency. A write without a response counts as the time waited.
 */
export async function writeTimes(deps: CanaryDeps): Promise<{ stored: number; cached: number }> {
  const { client, clock, project, signal } = deps;
  const path = collectionPath(configMaps, project);
  const startedAt = clock.now();
  await client.unlimited.request('GET', path, undefined, {
    ...requestOptions,
    query: { resourceVersion: '0', limit: '1' },
  });
  const cached = clock.now() - startedAt;
  let stored = 0;
  for (let remaining = attempts; remaining > 0 && stored < certainlySlow && !signal.aborted; remaining--) {
    stored = Math.max(stored, await writeTime(deps, path));
    if (remaining > 1 && stored < certainlySlow) await delay(clock, interval, signal);
  }
  return { stored, cached };
}

/** Measures one write in milliseconds and deletes its object; if that fails, the next run's sweep deletes it. */
async function writeTime({ client, clock, project }: CanaryDeps, path: string): Promise<number> {
  const body = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { generateName: 'canary-write-', namespace: project, labels: { [metadataKeys.canary]: 'write' } },
  };
  const startedAt = clock.now();
  const created = await client.unlimited.request('POST', path, body, requestOptions).catch((error: unknown) => {
    // A rejected write was not stored and says nothing about etcd.
    if (isApiError(error) && error.status > 0 && error.status < 500) throw error;
    return undefined;
  });
  const elapsed = clock.now() - startedAt;
  const { name } = (created as { readonly metadata?: { readonly name: string } } | undefined)?.metadata ?? {};
  if (name !== undefined) await client.unlimited.delete(configMaps, { name, namespace: project });
  return elapsed;
}
