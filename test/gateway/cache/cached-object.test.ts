import { cachedObject, revisionOf } from '../../../lib/gateway/cache/cached-object';
import { namespaces, pods } from '../pods';

const read = (object: object, resource = pods): ReturnType<typeof cachedObject> =>
  cachedObject(Buffer.from(JSON.stringify(object)), resource);

test('an object is known by namespace and name, and by the fields that selectors may name', () => {
  const metadata = { name: 'p', namespace: 'a', uid: 'u', resourceVersion: '7', labels: { app: 'web' } };
  const object = read({
    metadata,
    spec: { nodeName: 'n', hostNetwork: true },
    status: { phase: 'Running', podIP: null },
  });
  expect(object).toMatchObject({ key: 'a/p', namespace: 'a', name: 'p', uid: 'u', version: 7, labels: { app: 'web' } });
  expect(object.fields).toEqual({
    'metadata.name': 'p',
    'metadata.namespace': 'a',
    'spec.nodeName': 'n',
    'status.phase': 'Running',
  });
});

test('an object without namespace, labels or status is read, too', () => {
  const object = read({ metadata: { name: 'n', resourceVersion: '7', labels: null }, status: null }, namespaces);
  expect(object).toMatchObject({ key: 'n', namespace: '', uid: '', labels: {}, fields: { 'metadata.name': 'n' } });
});

test.each(['', '-1', '1.5', '1e3', '0x1', ' 1', '9007199254740993', 'abc', '12345678901234567'])(
  'the version %j is refused, because it has no order',
  (text) => {
    expect(() => revisionOf(text)).toThrow(`"${text}" is not a revision`);
  },
);

test('a version is a revision', () => {
  expect([revisionOf('0'), revisionOf('123456789012345')]).toEqual([0, 123_456_789_012_345]);
});
