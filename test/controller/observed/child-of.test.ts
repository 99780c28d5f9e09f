import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { metadataKeys } from '../../../lib/api';
import { childOf } from '../../../lib/controller/observed/child-of';
import { podTemplateSpecOf } from '../../../lib/expand';
import { type LiveObject } from '../../../lib/kube';

const golden = join(__dirname, '..', '..', 'golden');
const objects = readdirSync(golden, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => loadAll(readFileSync(join(golden, name, 'objects.yaml'), 'utf8')) as LiveObject[]);

const live = (object: LiveObject, more: object = {}, rest: object = {}): LiveObject => ({
  ...object,
  metadata: { ...object.metadata, uid: 'u1', resourceVersion: '7', generation: 3, ...more },
  ...rest,
});

const foreignService = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'foreign', namespace: 'n' },
  spec: { a: 1 },
} as unknown as LiveObject;
const [deployment] = objects.filter(({ kind }) => kind === 'Deployment') as [LiveObject];

test('the content of every golden object is restored unchanged', () => {
  for (const object of objects) {
    const complete = live(object, {
      annotations: { ...object.metadata.annotations, [metadataKeys.lastAppliedHash]: 'hash' },
    });
    const unrelated = { managedFields: [{ manager: 'pinion', operation: 'Apply' as const }] };
    const child = childOf({ ...complete, metadata: { ...complete.metadata, ...unrelated }, status: { replicas: 1 } });
    expect(child.content()).toEqual(complete);
    expect(child.applied).toBe('hash');
  }
});

test('fields outside the desired state do not change the digest', () => {
  const before = childOf(live(deployment)).digest;
  const unrelated = { resourceVersion: '9', generation: 4, uid: 'u2', creationTimestamp: '2026-01-01T00:00:00Z' };
  const annotations = { ...deployment.metadata.annotations, [metadataKeys.lastAppliedHash]: 'x' };
  expect(
    childOf(live(deployment, { ...unrelated, annotations, managedFields: [] }, { status: { replicas: 2 } })).digest,
  ).toBe(before);
  expect(childOf(live(deployment, { labels: { a: 'b' } })).digest).not.toBe(before);
  expect(childOf(live(deployment, {}, { spec: {} })).digest).not.toBe(before);
});

test('only location, owner and field managers are kept of an unowned object', () => {
  const managedFields = [
    { manager: 'helm', operation: 'Update' as const },
    { manager: 'kube-controller-manager', operation: 'Update' as const, subresource: 'status' },
  ];
  const child = childOf(live(foreignService, { managedFields }, { status: { loadBalancer: {} } }));
  expect(child).toMatchObject({ kind: 'Service', name: 'foreign', namespace: 'n', managers: ['helm'], status: {} });
  expect(child.content()).not.toHaveProperty('spec');
});

test('a large ConfigMap is cached without its content, whatever its labels', () => {
  const configMap = (bytes: number): LiveObject =>
    live({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', namespace: 'n', labels: { 'app.kubernetes.io/managed-by': 'pinion' } },
      data: { blob: randomBytes(bytes).toString('base64') },
    } as unknown as LiveObject);
  const large = childOf(configMap(700_000));
  expect(large).toMatchObject({ kind: 'ConfigMap', name: 'c', namespace: 'n', isPartial: true });
  expect(large.content()).not.toHaveProperty('data');
  expect(large.digest).not.toBe(childOf(configMap(700_000)).digest);
  expect(childOf(configMap(1000))).not.toHaveProperty('isPartial');
});

test('the manager of the replica count is read from the managed fields', () => {
  const fieldsV1 = { 'f:spec': { 'f:replicas': {} } };
  const byPinion = { manager: 'pinion', operation: 'Apply' as const, fieldsV1 };
  const byAutoscaler = {
    manager: 'kube-controller-manager',
    operation: 'Update' as const,
    subresource: 'scale',
    fieldsV1,
  };
  const scale = (managedFields: readonly object[]) =>
    childOf(live(deployment, { managedFields }, { spec: { replicas: 4 } })).scale;
  expect(scale([byPinion])).toEqual({ replicas: 4, ownedByPinion: true, ownedByOthers: false });
  expect(scale([byAutoscaler])).toEqual({ replicas: 4, ownedByPinion: false, ownedByOthers: true });
  expect(scale([])).toEqual({ replicas: 4, ownedByPinion: false, ownedByOthers: false });
});

test('a claim of a set keeps its content, because it may have to grow', () => {
  const labels = { [metadataKeys.workload]: 'db', [metadataKeys.kind]: 'PinterestStatefulSet' };
  const claim = live(
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data-db-0' } } as LiveObject,
    { labels },
    { spec: { a: 1 } },
  );
  expect(childOf(claim).content()).toEqual(claim);
  expect(childOf(claim).workload).toEqual({ kind: 'PinterestStatefulSet', label: 'db' });
});

test('only an object with pods and the label of the controller has a record of its expansion', () => {
  const annotations = { [metadataKeys.expansion]: 'a/b/rev-old' };
  expect(childOf(live(deployment, { annotations })).expansion).toBe('a/b/rev-old');
  expect(childOf(live(deployment, { annotations, labels: {} })).expansion).toBeUndefined();
  const owner = { apiVersion: 'pinterest.com/v1', kind: 'PinterestService', name: 'cart', uid: 'u9', controller: true };
  const { labels } = deployment.metadata;
  const forged = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'forged', namespace: 'shop' } };
  for (const more of [{}, { labels }])
    expect(
      childOf(live(forged as LiveObject, { annotations, ownerReferences: [owner], ...more })).expansion,
    ).toBeUndefined();
});

test('every object with pods of a workload has the label of the controller', () => {
  const withPods = objects.filter((object) => podTemplateSpecOf(object));
  expect(withPods.length).toBeGreaterThan(10);
  for (const { metadata } of withPods)
    expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'pinion' });
});
