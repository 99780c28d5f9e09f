import { keys } from '../../api';
import { collectionPath, resourceOf } from '../../kube';
import { type CanaryWorld } from './canary-world';

const configMaps = resourceOf('ConfigMap');
const patience = { timeout: 20_000, retries: 0 };

/** Milliseconds of a small write, which etcd stores, and of a read that the API server answers from memory: the difference is etcd's. */
export async function writeTimes({ client, clock, project }: CanaryWorld): Promise<{ stored: number; cached: number }> {
  const path = collectionPath(configMaps, project);
  const timed = async (asked: () => Promise<unknown>): Promise<readonly [number, unknown]> => {
    const begun = clock.now();
    const answer = await asked();
    return [clock.now() - begun, answer];
  };
  const query = { resourceVersion: '0', limit: '1' };
  const [cached] = await timed(() => client.unlimited.request('GET', path, undefined, { ...patience, query }));
  const body = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { generateName: 'canary-write-', namespace: project, labels: { [keys.canary]: 'write' } },
  };
  const [stored, made] = await timed(() => client.unlimited.request('POST', path, body, patience));
  const { name } = (made as { readonly metadata: { readonly name: string } }).metadata;
  await client.unlimited.remove(configMaps, { name, namespace: project });
  return { stored, cached };
}
