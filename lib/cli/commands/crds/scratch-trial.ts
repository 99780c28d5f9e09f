import { isPlainObject, valueAt } from '../../../api';
import {
  isObjectOf,
  objectText,
  trialOnServer,
  writeAttempts,
  type CustomResourceDefinition,
  type ObjectTrial,
  type ServerRejection,
  type StoredObject,
} from '../../../definitions';
import { type LiveObject } from '../../../kube';
import { type ClusterConnection } from '../../cluster/cluster-connection';
import { UsageError } from '../../command/usage-error';
import { clusterDefinitions, definitionsPath } from './cluster-definitions';

/** What a scratch API server says about a definition and its objects. */
export interface ScratchResult {
  readonly definition: string;
  /** Message of the rejection; undefined if it accepts the definition. */
  readonly refused: string | undefined;
  readonly trials: readonly ObjectTrial[];
}

/** Field of the changed definition whose default shows that the server uses it. */
const marker = 'pinionTrial';

/** Milliseconds between two attempts, and until a trial gives up. */
const interval = 100;
const limit = 60_000;

type Connection = Pick<ClusterConnection, 'client' | 'kube' | 'clock'>;

/**
 * Installs the former definition and its objects on a scratch API server, changes the definition, and reads and writes each object.
 *
 * Throws a `UsageError` if the server has the definition: its objects would be changed. What it creates is deleted again, except for namespaces.
 */
export async function tryOnScratch(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
  objects: readonly StoredObject[],
  connection: Connection,
): Promise<ScratchResult> {
  const { name } = before.metadata;
  const existing = await clusterDefinitions([name], connection as ClusterConnection);
  if (existing.length > 0)
    throw new UsageError(existsText(name));
  await createNamespaces(objects, before, connection);
  const created = await createDefinition(before, connection);
  try {
    const { stored, rejected } = await createObjects(objects, before, connection);
    const refused = await change(withMarker(after), connection);
    if (refused !== undefined) return { definition: name, refused, trials: [] };
    const trials: ObjectTrial[] = rejected.map(notTried);
    for (const object of stored) trials.push(await tryStored(object, before, after, connection));
    return { definition: name, refused: undefined, trials };
  } finally {
    await deleteDefinition(created, connection);
  }
}

/** Creates a definition. Throws a `UsageError` if another client has created it meanwhile: it is not of this trial. */
async function createDefinition(definition: CustomResourceDefinition, { client, kube }: Connection): Promise<CreatedDefinition> {
  const { name } = definition.metadata;
  try {
    const created = await client.request('POST', definitionsPath, sendable(definition));
    return { name, uid: (created as LiveObject).metadata.uid ?? '' };
  } catch (error) {
    if (!kube.isApiError(error, 409)) throw error;
    throw new UsageError(existsText(name));
  }
}

/** A definition that this trial has created. */
interface CreatedDefinition {
  readonly name: string;
  readonly uid: string;
}

const existsText = (name: string): string =>
  `the scratch API server already has ${name}; use one without it, because its objects would be changed`;

/** Status and conversion belong to the cluster of the definition: its webhook cannot be reached from here. */
function sendable({ apiVersion, kind, metadata, spec: { conversion: _, ...spec } }: CustomResourceDefinition): object {
  const { name, annotations } = metadata as { readonly name: string; readonly annotations?: object };
  return { apiVersion, kind, metadata: { name, annotations }, spec };
}

function withMarker(definition: CustomResourceDefinition): CustomResourceDefinition {
  const versions = definition.spec.versions.map((version) => {
    const root = version.schema?.openAPIV3Schema ?? {};
    const properties = { ...root.properties, [marker]: { type: 'boolean', default: true } };
    return { ...version, schema: { openAPIV3Schema: { ...root, properties } } };
  });
  return { ...definition, spec: { ...definition.spec, versions } };
}

/** Creates the namespaces of the objects. They stay: a server without kube-controller-manager never finishes their deletion. */
async function createNamespaces(
  objects: readonly StoredObject[],
  definition: CustomResourceDefinition,
  connection: Connection,
): Promise<void> {
  const own = objects.filter((object) => isObjectOf(object, definition));
  for (const name of new Set(own.flatMap((object) => namespaceOf(object) ?? []))) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    try {
      await connection.client.request('POST', '/api/v1/namespaces', namespace);
    } catch (error) {
      if (!connection.kube.isApiError(error, 409)) throw error;
    }
  }
}

const metadataOf = (object: StoredObject): Readonly<Record<string, unknown>> => (isPlainObject(object['metadata']) ? object['metadata'] : {});

function namespaceOf(object: StoredObject): string | undefined {
  const { namespace } = metadataOf(object);
  return typeof namespace === 'string' ? namespace : undefined;
}

function objectPathOf(object: StoredObject, { spec }: CustomResourceDefinition, withName = true): string {
  const namespace = namespaceOf(object);
  const scope = spec.scope === 'Namespaced' ? `/namespaces/${encodeURIComponent(namespace ?? 'default')}` : '';
  const name = withName ? `/${encodeURIComponent(String(metadataOf(object)['name']))}` : '';
  return `/apis/${String(object['apiVersion'])}${scope}/${spec.names.plural}${name}`;
}

const notTried = (object: StoredObject): ObjectTrial => ({
  object: objectText(object),
  version: String(object['apiVersion']).split('/')[1] ?? '',
  ...{ lost: [], changed: [], rejected: [] },
  unknown: ['spec: the former definition rejects the object, so that it was not tried'],
});

interface CreatedObjects {
  readonly stored: readonly StoredObject[];
  /** Objects that the former definition rejects. */
  readonly rejected: readonly StoredObject[];
}

/** Creates the objects without owners and finalizers, which would delay or cause deletions. */
async function createObjects(
  objects: readonly StoredObject[],
  definition: CustomResourceDefinition,
  connection: Connection,
): Promise<CreatedObjects> {
  const stored: StoredObject[] = [];
  const rejected: StoredObject[] = [];
  for (const object of objects.filter((one) => isObjectOf(one, definition))) {
    const { name, namespace, labels, annotations } = metadataOf(object);
    const sent = { ...object, metadata: { name, namespace, labels, annotations } };
    try {
      const path = objectPathOf(object, definition, false);
      const created = await untilServed(() => connection.client.request('POST', path, sent), connection);
      stored.push(await withStatus(object, created as StoredObject, definition, connection));
    } catch (error) {
      if (!connection.kube.isApiError(error, 400, 422)) throw error;
      rejected.push(object);
    }
  }
  return { stored, rejected };
}

/** Stores the status of an object, which a create drops if the definition has the subresource. */
async function withStatus(
  { status }: StoredObject,
  created: StoredObject,
  definition: CustomResourceDefinition,
  connection: Connection,
): Promise<StoredObject> {
  if (status === undefined) return created;
  const path = `${objectPathOf(created, definition)}/status`;
  const written = await ignoringMissing(() => connection.client.request('PUT', path, { ...created, status }), connection);
  return (written as StoredObject | undefined) ?? created;
}

async function untilServed<T>(action: () => Promise<T>, { kube, clock }: Connection): Promise<T> {
  const start = clock.now();
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!kube.isApiError(error, 404, 429) || clock.now() - start > limit) throw error;
    }
    await kube.delay(clock, interval);
  }
}

/** Deletes the created definition, and waits until its objects are gone, so that the next trial can create it again. */
async function deleteDefinition({ name, uid }: CreatedDefinition, connection: Connection): Promise<void> {
  const { client, clock, kube } = connection;
  const path = `${definitionsPath}/${name}`;
  const start = clock.now();
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
  const isOwn = (definition: unknown): boolean => (definition as LiveObject | undefined)?.metadata.uid === uid;
  try {
    await ignoringMissing(() => client.request('DELETE', path, body), connection);
  } catch (error) {
    // Another client has replaced it.
    if (!kube.isApiError(error, 409)) throw error;
  }
  while (isOwn(await ignoringMissing(() => client.request('GET', path), connection)) && clock.now() - start < limit)
    await kube.delay(clock, interval);
}

async function ignoringMissing<T>(action: () => Promise<T>, { kube }: Connection): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (!kube.isApiError(error, 404)) throw error;
    return undefined;
  }
}

/** Changes the definition. Returns the message if the server rejects it. */
async function change(after: CustomResourceDefinition, { client, kube }: Connection): Promise<string | undefined> {
  const path = `${definitionsPath}/${after.metadata.name}`;
  const current = (await client.request('GET', path)) as { readonly metadata: { readonly resourceVersion: string } };
  const { resourceVersion } = current.metadata;
  try {
    await client.request('PUT', path, { ...sendable(after), metadata: { name: after.metadata.name, resourceVersion } });
    return undefined;
  } catch (error) {
    if (!kube.isApiError(error, 400, 409, 422)) throw error;
    return error.message;
  }
}

/** Reads and writes one stored object by the changed definition; nothing of the writes is stored. */
async function tryStored(stored: StoredObject, before: CustomResourceDefinition, after: CustomResourceDefinition, connection: Connection): Promise<ObjectTrial> {
  const { client, kube, clock } = connection;
  const path = objectPathOf(stored, before);
  const start = clock.now();
  let read = (await client.request('GET', path)) as StoredObject;
  while (read[marker] !== true) {
    if (clock.now() - start > limit) throw new UsageError(`the scratch API server does not use the new definition after ${limit / 1000} s`);
    await kube.delay(clock, interval);
    read = (await client.request('GET', path)) as StoredObject;
  }
  const rejections: ServerRejection[] = [];
  for (const { write } of writeAttempts(stored, before, after)) {
    const { step, field } = write;
    const body = write.apply(read);
    const target = step === 'scale' || step === 'status' ? `${path}/${step}` : path;
    try {
      await client.request('PUT', target, step === 'scale' ? scaleOf(body, field) : body, { query: { dryRun: 'All' } });
    } catch (error) {
      if (!kube.isApiError(error, 400, 422)) throw error;
      // The message repeats values, which may be secrets.
      const causes = error.details.causes ?? [{}];
      for (const cause of causes) {
        const reason = `the API server rejects it (${cause.reason ?? error.reason})`;
        rejections.push({ step, field, path: cause.field ?? field ?? '', reason });
      }
    }
  }
  const { [marker]: _, ...rest } = read;
  return trialOnServer(stored, rest, rejections, before, after);
}

/** Returns the Scale of an object, by the path of its number of replicas. */
function scaleOf(object: Readonly<Record<string, unknown>>, field = 'spec.replicas'): object {
  const { name, namespace } = metadataOf(object);
  const replicas = valueAt(object, field.split('.'));
  return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, namespace }, spec: { replicas } };
}
