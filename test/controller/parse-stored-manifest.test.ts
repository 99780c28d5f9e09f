import { type LiveObject } from '../../lib/kube';
import { parseStoredManifest } from '../../lib/controller/parse-stored-manifest';

const stored = (kind: string, spec: object): LiveObject => ({
  apiVersion: 'pinterest.com/v1',
  kind,
  metadata: { name: 'cart', namespace: 'shop', uid: 'u', resourceVersion: '1', generation: 1 },
  spec,
});
const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1', fresh: [1] }] } };

test('fields of newer definitions are ignored at every depth', () => {
  const { manifest, problems } = parseStoredManifest(
    stored('PinterestService', { replicas: 2, newField: 'soft', placement: { newNestedField: 'far' }, template }),
  );
  expect(problems).toEqual([]);
  expect(manifest?.spec).toMatchObject({ replicas: 2 });
  expect(JSON.stringify(manifest?.spec)).not.toMatch(/newField|newNestedField|fresh/);
});

test('problems of known fields are reported', () => {
  const { manifest, problems } = parseStoredManifest(
    stored('PinterestService', { replicas: 'two', newField: 'soft', template }),
  );
  expect(manifest).toBeUndefined();
  expect(problems.map(({ path }) => path.join('.'))).toEqual(['spec.replicas']);
});
