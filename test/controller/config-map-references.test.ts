import { configMapReferences } from '../../lib/controller/config-map-references';

test('every kind of reference to a ConfigMap is found in every kind of pod owner', () => {
  const pod = {
    volumes: [
      { name: 'a', configMap: { name: 'mounted' } },
      { name: 'b', projected: { sources: [{ configMap: { name: 'projected' } }, { secret: { name: 'secret' } }] } },
    ],
    initContainers: [{ name: 'i', env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'keyed', key: 'x' } } }] }],
    containers: [{ name: 'c', envFrom: [{ configMapRef: { name: 'whole' } }, { secretRef: { name: 'secret' } }] }],
  };
  const revision = { kind: 'ControllerRevision', data: { spec: { template: { spec: pod } } } };
  expect([...configMapReferences(revision)].sort()).toEqual(['keyed', 'mounted', 'projected', 'whole']);
});
