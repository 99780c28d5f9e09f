import { manager, recommended } from '../../lib/api';
import { childOf } from '../../lib/controller/observed/child-of';
import { versionHistory } from '../../lib/controller/version-history';
import { type LiveObject } from '../../lib/kube';

const deployment = (status: object, revisionHistoryLimit?: number) =>
  childOf({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'cart',
      namespace: 'shop',
      uid: 'd',
      resourceVersion: '1',
      generation: 2,
      labels: { [recommended.managedBy]: manager },
    },
    spec: { ...(revisionHistoryLimit !== undefined && { revisionHistoryLimit }) },
    status,
  } as LiveObject);

const replicaSet = (name: string, configMap: string, owner = 'd'): LiveObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, namespace: 'shop', uid: name, resourceVersion: '1', ownerReferences: [{ uid: owner }] },
    spec: { template: { spec: { volumes: [{ name: 'config', configMap: { name: configMap } }] } } },
  }) as unknown as LiveObject;

const complete = { observedGeneration: 2, replicas: 2, updatedReplicas: 2 };
const versions = [replicaSet('cart-1', 'old'), replicaSet('cart-2', 'new')];

test('a history lists the ConfigMaps of every retained version', () => {
  expect([...versionHistory(versions, [deployment(complete)]).configMaps]).toEqual(['old', 'new']);
});

test('a history beyond its limit is about to shrink once the rollout is complete', () => {
  expect(versionHistory(versions, [deployment(complete, 0)]).shrinking).toBe(true);
  expect(versionHistory(versions, [deployment({ ...complete, updatedReplicas: 1 }, 0)]).shrinking).toBe(false);
});

test('a history within its limit does not shrink, regardless of other workloads', () => {
  expect(versionHistory(versions, [deployment(complete, 1)]).shrinking).toBe(false);
  expect(versionHistory(versions, [deployment(complete)]).shrinking).toBe(false);
  const others = [...versions, replicaSet('other', 'x', 'e')];
  expect(versionHistory(others, [deployment(complete, 1)]).shrinking).toBe(false);
});
