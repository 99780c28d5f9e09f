import { crdOf, type PinionKind, pinionKinds, type PlatformManifest } from '../../lib/api';
import { expandProject, type PlatformContext, type KubernetesObject } from '../../lib/expand';
import { expectStatus } from '../control-plane/api-response';
import { type Client, type SendableObject } from '../control-plane/client';

/** Number of concurrent requests; more would only queue on two CPUs. */
const concurrency = 16;

/** Installs the CRDs of all pinion kinds. */
export async function installCrds(client: Client): Promise<void> {
  const kinds = Object.keys(pinionKinds) as PinionKind[];
  await Promise.all(kinds.map((kind) => client.createCrd(crdOf(kind) as SendableObject)));
}

/** Stores objects one after another, in order. Throws if one is rejected. */
export async function applyAll(client: Client, objects: readonly (KubernetesObject | SendableObject)[]): Promise<void> {
  for (const object of objects) expectStatus(await client.apply(object as SendableObject), [200, 201]);
}

/** Creates a project's Namespace with its quota and policies; sets the quota status that the controller manager would set. */
export async function createProject(
  client: Client,
  project: PlatformManifest<'Project'>,
  cluster: Pick<PlatformContext, 'platform'>,
): Promise<void> {
  const objects = expandProject(project, cluster);
  await applyAll(client, objects);
  for (const object of objects.filter(({ kind }) => kind === 'ResourceQuota')) await setQuotaStatus(client, object);
}

/** Sets the status of a quota, which without a status rejects everything that it counts. */
async function setQuotaStatus(client: Client, quota: KubernetesObject): Promise<void> {
  const { namespace, name } = quota.metadata;
  const { hard } = (quota as unknown as { spec: { hard: Readonly<Record<string, string>> } }).spec;
  const used = Object.fromEntries(Object.keys(hard).map((what) => [what, '0']));
  const path = `/api/v1/namespaces/${namespace}/resourcequotas/${name}/status`;
  const contentType = 'application/merge-patch+json';
  expectStatus(await client.request('PATCH', path, { status: { hard, used } }, { contentType }), [200]);
}

/** Processes entries concurrently and keeps the order of the results. */
export async function inParallel<T, R>(entries: readonly T[], work: (entry: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array<R>(entries.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < entries.length; index = next++) results[index] = await work(entries[index] as T);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
