import {
  asDefinition,
  writeAttempts,
  type CustomResourceDefinition,
  type StoredObject,
} from '../../../lib/definitions';
import { type SchemaNode } from '../../../lib/definitions/schema/schema-node';
import { expectStatus, messageOf } from '../../control-plane/api-response';
import { type Client } from '../../control-plane/client';
import { baseSpec, storedSpecs } from './base-definition';

/** What the API server and the gate each say about one write of an object. */
interface WriteOutcome {
  readonly write: string;
  /** Message of the rejection; undefined if the server accepts it. */
  readonly server: string | undefined;
  readonly gate: readonly string[];
}

/** An object before and after the change, and its writes. */
export interface ObjectOutcome {
  readonly stored: StoredObject;
  /** Undefined if it can no longer be read. */
  readonly read: StoredObject | undefined;
  readonly writes: readonly WriteOutcome[];
}

/** What the API server does with a change of a definition. */
export interface ServerTrial {
  readonly before: CustomResourceDefinition;
  readonly after: CustomResourceDefinition;
  /** Message of the rejection; undefined if it accepts the definition. */
  readonly refused: string | undefined;
  readonly objects: readonly ObjectOutcome[];
}

/** Field of the changed definition whose default shows that the server uses it. */
const marker = 'isChanged';

/** Returns a definition of its own kind. */
export function trialDefinition(number: number): CustomResourceDefinition {
  const kind = `Widget${number}`;
  const status: SchemaNode = {
    type: 'object',
    properties: { replicas: { type: 'integer' }, phase: { type: 'string' } },
  };
  const definition = asDefinition({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widget${number}s.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind, plural: `widget${number}s`, singular: `widget${number}`, listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: baseSpec(), status } } },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
        },
      ],
    },
  });
  if (!definition) throw new Error('the definition of the test is incomplete');
  return definition;
}

/** Returns a definition whose versions all have the marker. */
function withMarker(definition: CustomResourceDefinition): CustomResourceDefinition {
  const versions = definition.spec.versions.map((version) => {
    const root = version.schema?.openAPIV3Schema ?? {};
    const properties = { ...root.properties, [marker]: { type: 'boolean', default: true } };
    return { ...version, schema: { openAPIV3Schema: { ...root, properties } } };
  });
  return { ...definition, spec: { ...definition.spec, versions } };
}

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Stores objects under a definition, changes the definition, and reads and writes each object. */
export async function tryOnServer(
  client: Client,
  before: CustomResourceDefinition,
  changed: CustomResourceDefinition,
): Promise<ServerTrial> {
  const after = withMarker(changed);
  const path = `${definitionsPath}/${before.metadata.name}`;
  expectStatus(await client.request('POST', definitionsPath, before), [201]);
  try {
    const objects = await createObjects(client, before);
    const current = expectStatus(await client.request('GET', path), [200]).body as {
      metadata: { resourceVersion: string };
    };
    const { resourceVersion } = current.metadata;
    const answer = await client.request('PUT', path, { ...after, metadata: { ...after.metadata, resourceVersion } });
    if (answer.status !== 200) return { before, after, refused: messageOf(answer), objects: [] };
    const isServed = after.spec.versions.some(({ name, served }) => name === 'v1' && served);
    const outcomes = isServed
      ? await Promise.all(objects.map((stored) => writeObject(client, stored, before, after)))
      : [];
    return { before, after, refused: undefined, objects: outcomes };
  } finally {
    await client.request('DELETE', path);
  }
}

const collectionOf = ({ spec }: CustomResourceDefinition): string =>
  `/apis/${spec.group}/v1/namespaces/default/${spec.names.plural}`;

/** Creates the objects once the kind is served; returns them as they are read. */
async function createObjects(client: Client, definition: CustomResourceDefinition): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for (const [index, spec] of storedSpecs.entries()) {
    const { kind } = definition.spec.names;
    const object = { apiVersion: 'example.com/v1', kind, metadata: { name: `o${index}`, namespace: 'default' }, spec };
    const created = await client.waitFor(`${kind} to be served`, async () => {
      const answer = await client.request('POST', collectionOf(definition), object);
      return answer.status === 404 || answer.status === 429 ? undefined : expectStatus(answer, [201]);
    });
    const name = `${collectionOf(definition)}/o${index}`;
    const status = { replicas: 1, phase: 'Ready' };
    const withStatus = await client.request('PUT', `${name}/status`, { ...(created.body as object), status });
    objects.push(expectStatus(withStatus, [200]).body as StoredObject);
  }
  return objects;
}

async function writeObject(
  client: Client,
  stored: StoredObject,
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): Promise<ObjectOutcome> {
  const { name } = stored['metadata'] as { readonly name: string };
  const path = `${collectionOf(before)}/${name}`;
  const read = await client.waitFor('the changed definition to be used', async () => {
    const answer = await client.request('GET', path);
    return (answer.body as Record<string, unknown>)[marker] === true ? (answer.body as StoredObject) : undefined;
  });
  const writes: WriteOutcome[] = [];
  for (const { write, errors } of writeAttempts(stored, before, after)) {
    const { step, field } = write;
    const object = write.apply(read as Record<string, unknown>);
    const answer =
      step === 'scale'
        ? await client.request('PUT', `${path}/scale`, scaleOf(object), { dryRun: true })
        : await client.request('PUT', step === 'status' ? `${path}/status` : path, object, { dryRun: true });
    writes.push({
      write: field === undefined ? step : `${step} ${field}`,
      server: answer.status === 200 ? undefined : messageOf(answer),
      gate: errors.map((error) => `${error.isUnknown === true ? 'unknown: ' : ''}${error.path}: ${error.reason}`),
    });
  }
  return { stored, read: withoutMarker(read), writes };
}

const withoutMarker = (object: StoredObject): StoredObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== marker));

function scaleOf({ metadata, spec }: StoredObject): object {
  const { name, namespace } = metadata as { readonly name: string; readonly namespace: string };
  const { replicas } = spec as { readonly replicas: unknown };
  return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, namespace }, spec: { replicas } };
}
