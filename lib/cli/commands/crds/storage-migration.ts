import { asDefinition, storageVersion, storedVersionsOf, type CustomResourceDefinition } from '../../../definitions';
import { type LiveObject } from '../../../kube';
import { mapConcurrently } from '../../../artifact';
import { maxRequests, type ClusterConnection } from '../../cluster/cluster-connection';
import { definitionsPath, listPath, objectsPath } from './cluster-definitions';

/** A definition whose objects may be stored in a former version. */
export interface PlannedMigration {
  readonly definition: string;
  /** Version in which objects are stored from now on. */
  readonly storage: string;
  /** Versions in which objects may be stored. */
  readonly stored: readonly string[];
}

/** Result of a migration. */
export interface StorageMigration extends PlannedMigration {
  /** Objects that were read. */
  readonly objects: number;
  /** Objects that were stored in a former version, and were written. */
  readonly rewritten: number;
  /** Objects that could not be written: `namespace/name: reason`. */
  readonly failed: readonly string[];
  /** Whether `status.storedVersions` lists only the storage version now. */
  readonly isTrimmed: boolean;
  /** Reason why it was not trimmed. */
  readonly reason?: string;
}

/** Returns the plan for a definition; undefined if all of its objects are stored in the storage version. */
export function plannedMigration(definition: CustomResourceDefinition): PlannedMigration | undefined {
  const storage = storageVersion(definition)?.name;
  const stored = storedVersionsOf(definition);
  if (storage === undefined || stored.every((version) => version === storage)) return undefined;
  return { definition: definition.metadata.name, storage, stored };
}

/** Attempts to write an object that others write at the same time. */
const maxAttempts = 5;

/** Names of failed objects that a result keeps. */
const maxFailed = 100;

type LiveDefinition = CustomResourceDefinition & LiveObject;

/**
 * Writes every object of a definition without a change, so that the API server stores it in the storage version; verifies it;
 * and removes the former versions from `status.storedVersions`.
 *
 * A write has the version of the object that was read as its precondition. Nothing is trimmed if an object could not be written,
 * or the definition has changed meanwhile.
 */
export async function migrateStorage(plan: PlannedMigration, connection: ClusterConnection): Promise<StorageMigration> {
  const { client } = connection;
  const path = `${definitionsPath}/${encodeURIComponent(plan.definition)}`;
  const before = (await client.request('GET', path)) as LiveDefinition;
  const collection = collectionOf(before);
  const first = await rewriteAll(collection, connection);
  // A second write of an object that is stored in the storage version leaves its version as it is.
  const second = first.failed.length === 0 ? await rewriteAll(collection, connection) : undefined;
  const result = { ...plan, ...first, objects: first.objects };
  if (!second) return { ...result, isTrimmed: false, reason: `${first.failed.length} objects were not written` };
  if (second.failed.length > 0) return { ...result, failed: second.failed, isTrimmed: false, reason: 'objects could not be verified' };
  if (second.rewritten > 0)
    return { ...result, isTrimmed: false, reason: `${second.rewritten} objects still changed when they were written again; run it again` };
  const reason = await trim(path, before, plan.storage, connection);
  return { ...result, isTrimmed: reason === undefined, ...(reason !== undefined && { reason }) };
}

function collectionOf(definition: CustomResourceDefinition): string {
  const storage = storageVersion(definition);
  const version = storage?.served === true ? storage : definition.spec.versions.find(({ served }) => served);
  return objectsPath(definition, version?.name ?? '');
}

interface Rewrites {
  readonly objects: number;
  readonly rewritten: number;
  readonly failed: readonly string[];
}

async function rewriteAll(collection: string, connection: ClusterConnection): Promise<Rewrites> {
  let [objects, rewritten] = [0, 0];
  const failed: string[] = [];
  let batch: LiveObject[] = [];
  const flush = async (): Promise<void> => {
    const results = await mapConcurrently(batch, (object) => rewrite(object, collection, connection), maxRequests);
    objects += batch.length;
    rewritten += results.filter((result) => result === 'written').length;
    failed.push(...results.filter((result) => result !== 'written' && result !== 'unchanged').slice(0, maxFailed - failed.length));
    batch = [];
  };
  for await (const object of listPath(collection, connection)) {
    batch.push(object);
    if (batch.length >= maxRequests * 4) await flush();
  }
  await flush();
  return { objects, rewritten, failed };
}

/** Writes an object as it is. Returns whether its stored form changed, or the reason why it was not written. */
async function rewrite(listed: LiveObject, collection: string, { client, kube }: ClusterConnection): Promise<string> {
  const { name, namespace } = listed.metadata;
  const path = pathOf(collection, name, namespace);
  const label = `${namespace === undefined ? '' : `${namespace}/`}${name}`;
  let object = listed;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    try {
      const written = (await client.request('PUT', path, object)) as LiveObject;
      return written.metadata.resourceVersion === object.metadata.resourceVersion ? 'unchanged' : 'written';
    } catch (error) {
      if (kube.isApiError(error, 404)) return 'unchanged';
      if (kube.isApiError(error, 400, 403, 422)) return `${label}: the API server rejects it (${error.reason || error.status})`;
      if (!kube.isApiError(error, 409)) throw error;
    }
    const current = await readIfPresent(path, { client, kube });
    if (!current) return 'unchanged';
    object = current;
  }
  return `${label}: changed by others at each attempt; run it again`;
}

async function readIfPresent(path: string, { client, kube }: Pick<ClusterConnection, 'client' | 'kube'>): Promise<LiveObject | undefined> {
  try {
    return (await client.request('GET', path)) as LiveObject;
  } catch (error) {
    if (kube.isApiError(error, 404)) return undefined;
    throw error;
  }
}

function pathOf(collection: string, name: string, namespace: string | undefined): string {
  const end = collection.lastIndexOf('/');
  const [root, plural] = [collection.slice(0, end), collection.slice(end + 1)];
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${plural}/${encodeURIComponent(name)}`;
}

/** Lists only the storage version in the status. Returns the reason if the definition has changed since the objects were written. */
async function trim(path: string, before: LiveDefinition, storage: string, { client, kube }: ClusterConnection): Promise<string | undefined> {
  const current = (await client.request('GET', path)) as LiveDefinition;
  const isSame = current.metadata.generation === before.metadata.generation && current.metadata.uid === before.metadata.uid;
  if (!isSame || storageVersion(asDefinition(current) ?? before)?.name !== storage)
    return 'the definition has changed meanwhile; run it again';
  try {
    await client.request('PUT', `${path}/status`, { ...current, status: { ...current.status, storedVersions: [storage] } });
    return undefined;
  } catch (error) {
    if (kube.isApiError(error, 409)) return 'the definition has changed meanwhile; run it again';
    throw error;
  }
}
