import { resolvePlatform } from '../../../lib/expand';
import { patchExceptions } from '../../../lib/expand/patches/patch-exceptions';
import { makeProjectContext, type ProjectContextOverrides } from '../../../lib/testing';

test('node-level parts may patch what their profile patches', () => {
  expect(patchExceptions(resolvePlatform([]))).toEqual([
    {
      project: 'pinion-system',
      workload: 'identity-socket',
      kind: 'DaemonSet',
      fields: [['spec', 'template', 'spec', 'containers', '0', 'volumeMounts']],
    },
  ]);
});

test('JSON Pointers are parsed', () => {
  const exception = { project: 'shop', kind: 'Ingress', fields: ['/metadata/annotations/example.com~1a~0b'] };
  const context = makeProjectContext({ platform: { patchExceptions: [exception] } } as ProjectContextOverrides);
  expect(patchExceptions(context)[0]).toMatchObject({ fields: [['metadata', 'annotations', 'example.com/a~b']] });
});

test.each(['/metadata/labels', '/metadata/name', '/metadata/ownerReferences', '/spec', '/data', 'spec.type', '/'])(
  'the Platform cannot allow %s',
  (field) => {
    const patchException = { project: 'shop', kind: 'Service', fields: [field] };
    const context = () =>
      makeProjectContext({ platform: { patchExceptions: [patchException] } } as ProjectContextOverrides);
    expect(context).toThrow('spec.patchExceptions[0].fields[0]');
  },
);
