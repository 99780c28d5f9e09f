import { type ControlPlane } from '../control-plane/control-plane';
import { type SendableObject } from '../control-plane/client';

/** Objects that were stored. */
export interface StoredObjects {
  /** Objects that exist at the end, by resource. */
  readonly objects: Readonly<
    Record<'configmaps' | 'secrets' | 'events' | 'deployments' | 'gadgets.example.com', number>
  >;
  /** ConfigMaps that were deleted after the compaction. */
  readonly deleted: number;
  readonly compacted: number;
}

/** Size of the stored data. */
export interface StoredSize {
  /** Number of objects of all kinds, without those in the namespace hog. */
  readonly objects: number;
  /** Bytes of each of the forty ConfigMaps of the namespace hog, and of the status that is rewritten sixty times. */
  readonly hogBytes: number;
  readonly statusBytes: number;
}

const kinds = ['ConfigMap', 'ConfigMap', 'ConfigMap', 'Secret', 'Event', 'Gadget', 'Deployment', 'ConfigMap'] as const;
const gadgetPath = '/apis/example.com/v1/namespaces/shop/gadgets/rewritten';
const hogs = 40;
const rewrites = 60;

/**
 * Stores objects of built-in and of custom kinds through the API server, changes and deletes some, has etcd compact, changes
 * and deletes others, and rewrites the status of one object repeatedly.
 */
export async function fillEtcd(
  { client }: ControlPlane,
  { objects, hogBytes, statusBytes }: StoredSize,
  compact: (revision: number) => Promise<void>,
): Promise<StoredObjects> {
  const create = async (object: object): Promise<number> => {
    const { status, body } = await client.create(object as SendableObject);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return Number((body as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
  };
  const configMap = (index: number) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `one-${index}`, namespace: namespaceOf(index) },
  });
  await client.createCrd(definition('example.com', 'Gadget', 'gadgets', 'Namespaced'));
  await client.createCrd(definition('pinterest.com', 'Project', 'projects', 'Cluster'));
  await create({ apiVersion: 'pinterest.com/v1', kind: 'Project', metadata: { name: 'hog' } });
  for (const name of ['hog', 'shop', ...Array.from({ length: namespaceCount }, (_, index) => namespaceOf(index))])
    await client.ensureNamespace(name);
  await each(hogs, async (index) =>
    create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `big-${index}`, namespace: 'hog' },
      data: { text: 'x'.repeat(hogBytes) },
    }),
  );
  await each(objects, (index) => create(objectOf(index)));

  const maps = Array.from({ length: objects }, (_, index) => index).filter((index) => kindOf(index) === 'ConfigMap');
  const change = async (index: number): Promise<void> => {
    const { status } = await client.request(
      'PATCH',
      `/api/v1/namespaces/${namespaceOf(index)}/configmaps/one-${index}`,
      { data: { changed: `at ${index}` } },
      { contentType: 'application/merge-patch+json' },
    );
    if (status !== 200) throw new Error(`the update failed: ${status}`);
  };
  const remove = async (index: number): Promise<void> => {
    const { status } = await client.delete(configMap(index));
    if (status !== 200) throw new Error(`the deletion failed: ${status}`);
  };
  const indexesWith = (remainder: number): number[] => maps.filter((_, position) => position % 20 === remainder);
  const changeAndRemove = async (remainder: number): Promise<number> => {
    const [changed, removed] = [indexesWith(remainder), indexesWith(remainder + 1)];
    await each(changed.length, (position) => change(changed[position] as number));
    await each(removed.length, (position) => remove(removed[position] as number));
    return removed.length;
  };
  const before = await changeAndRemove(0);
  const compacted = await create({
    apiVersion: 'example.com/v1',
    kind: 'Gadget',
    metadata: { name: 'rewritten', namespace: 'shop' },
    spec: { size: 1 },
  });
  await compact(compacted);
  const deleted = await changeAndRemove(2);
  for (let index = 0; index < rewrites; index++) {
    const { status } = await client.request(
      'PATCH',
      `${gadgetPath}/status`,
      { status: { count: index, text: 'z'.repeat(statusBytes) } },
      {
        contentType: 'application/merge-patch+json',
        query: { fieldManager: 'rewriter' },
      },
    );
    if (status !== 200) throw new Error(`the status update failed: ${status}`);
  }
  const count = (kind: (typeof kinds)[number]): number =>
    Array.from({ length: objects }, (_, index) => kindOf(index)).filter((one) => one === kind).length;
  return {
    objects: {
      // Namespaces have no kube-root-ca.crt because the controller that creates it does not run.
      configmaps: count('ConfigMap') + hogs - before - deleted,
      secrets: count('Secret'),
      events: count('Event'),
      deployments: count('Deployment'),
      'gadgets.example.com': count('Gadget') + 1,
    },
    deleted,
    compacted,
  };
}

const namespaceCount = 20;
const namespaceOf = (index: number): string => `team-${index % namespaceCount}`;
const kindOf = (index: number): (typeof kinds)[number] => kinds[index % kinds.length] as (typeof kinds)[number];

/** Runs an action for each index, sixteen concurrently. */
async function each(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

function objectOf(index: number): object {
  const metadata = { name: `one-${index}`, namespace: namespaceOf(index) };
  switch (kindOf(index)) {
    case 'ConfigMap': {
      const controller = {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: `set-${index % 50}`,
        uid: `uid-${index % 50}`,
        controller: true,
      };
      const node = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'uid-n' };
      return {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { ...metadata, ownerReferences: index % 2 === 0 ? [node, controller] : [node] },
        data: { text: 'y'.repeat(index % 400) },
      };
    }
    case 'Secret':
      return { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { word: 'hidden' } };
    case 'Event':
      return {
        apiVersion: 'v1',
        kind: 'Event',
        metadata,
        involvedObject: { kind: 'Pod', namespace: metadata.namespace, name: 'p' },
        reason: 'Seen',
        message: 'again',
        type: 'Normal',
      };
    case 'Gadget':
      return {
        apiVersion: 'example.com/v1',
        kind: 'Gadget',
        metadata,
        spec: { size: index },
        status: { text: 'dropped' },
      };
    case 'Deployment':
      return deployment(metadata);
  }
}

/** A Deployment with the annotation of `kubectl apply`. */
function deployment(metadata: object): object {
  const labels = { app: 'one' };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example.com/one' }] } },
    },
  };
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ ...deployment, metadata }),
  };
  return { ...deployment, metadata: { ...metadata, annotations } };
}

/** Returns the CRD of a kind without a schema. */
const definition = (
  group: string,
  kind: string,
  plural: string,
  scope: 'Namespaced' | 'Cluster',
): SendableObject & object =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase() },
      scope,
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }) as SendableObject & object;
