import fc from 'fast-check';
import { cachedObject } from '../../../lib/gateway/cache/cached-object';
import { listItem, withVersion } from '../../../lib/gateway/cache/object-json';
import { pods } from '../pods';

const objectOf = (object: object): ReturnType<typeof cachedObject> =>
  cachedObject(Buffer.from(JSON.stringify(object)), pods);
const metadata = { name: 'p', namespace: 'a', resourceVersion: '41' };

test('an item of a built-in resource has neither kind nor apiVersion, one of a custom resource has both', () => {
  const builtIn = objectOf({ kind: 'Pod', apiVersion: 'v1', metadata });
  expect(Buffer.concat(listItem(builtIn, pods)).toString()).toBe(JSON.stringify({ metadata }));
  const custom = objectOf({ apiVersion: 'v1', kind: 'Pod', metadata });
  expect(Buffer.concat(listItem(custom, pods)).toString()).toBe(
    JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata }),
  );
});

const text = fc.constantFrom('a', '"resourceVersion":"41"', '\\', '"', 'é', '\u2028', '41');
test('another version changes nothing else, whatever text the object contains', () => {
  fc.assert(
    fc.property(fc.dictionary(text, text), text, (annotations, value) => {
      const object = { kind: 'Pod', apiVersion: 'v1', metadata: { ...metadata, annotations }, value };
      expect(JSON.parse(withVersion(objectOf(object), 1_234).toString())).toEqual({
        ...object,
        metadata: { ...object.metadata, resourceVersion: '1234' },
      });
    }),
  );
});

test('another version is that of the metadata, though a field before it has the same name', () => {
  const object = { apiVersion: 'v1', involved: { resourceVersion: '7' }, kind: 'Pod', metadata };
  expect(JSON.parse(withVersion(objectOf(object), 42).toString())).toEqual({
    ...object,
    metadata: { ...metadata, resourceVersion: '42' },
  });
});

test('another version is that of the metadata, though an annotation before it has its name and value', () => {
  const annotations = { resourceVersion: '41', nested: '{"metadata":{"resourceVersion":"41"}}' };
  const object = {
    apiVersion: 'v1',
    data: { metadata: { resourceVersion: '41' } },
    kind: 'metadata',
    metadata: { annotations, name: 'p', ownerReferences: [{ resourceVersion: '41' }], resourceVersion: '41' },
  };
  expect(JSON.parse(withVersion(objectOf(object), 42).toString())).toEqual({
    ...object,
    metadata: { ...object.metadata, resourceVersion: '42' },
  });
});

test('another version leaves numbers as they are', () => {
  const json =
    '{"metadata":{"annotations":{"resourceVersion":"41"},"name":"p","resourceVersion":"41"},"n":12345678901234567890}';
  expect(withVersion(cachedObject(Buffer.from(json), pods), 7).toString()).toBe(
    json.replace('"p","resourceVersion":"41"', '"p","resourceVersion":"7"'),
  );
});
