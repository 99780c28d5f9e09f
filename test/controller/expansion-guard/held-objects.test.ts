import { parseManifest, type Workload } from '../../../lib/api';
import { heldObjects } from '../../../lib/controller/expansion-guard/held-objects';
import { type Child } from '../../../lib/controller/observed/child';
import { type KubernetesObject } from '../../../lib/expand';
import { makeService } from '../../../lib/testing';

const workload: Workload = parseManifest(makeService());
const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:1' }] } };
const object = (kind: string, name: string): KubernetesObject => ({
  ...{ apiVersion: 'v1', kind, metadata: { name } },
  ...(kind === 'Deployment' && { spec: { template } }),
});
const child = (kind: string, name: string) =>
  ({ kind, name, deleting: false, content: () => object(kind, name) }) as unknown as Child;
const desired = [object('ConfigMap', 'cart-2'), object('Service', 'new'), object('Deployment', 'cart')];
const recorded = { 'ConfigMap/cart-1': 'Current', 'Deployment/cart': 'Current' };
const namesWith = (...owned: readonly Child[]) =>
  heldObjects({ workload, chosen: { desired }, observed: { owned }, recorded }).desired.map(
    ({ kind, metadata }) => `${kind}/${metadata.name}`,
  );

test('a deleted Deployment is created again with the ConfigMap that its template refers to', () => {
  expect(namesWith(child('ConfigMap', 'cart-1'))).toEqual(['ConfigMap/cart-2', 'Deployment/cart', 'ConfigMap/cart-1']);
});

test('an existing Deployment needs no new ConfigMap, and keeps the former one', () => {
  expect(namesWith(child('ConfigMap', 'cart-1'), child('Deployment', 'cart'))).toEqual([
    'Deployment/cart',
    'ConfigMap/cart-1',
  ]);
});
