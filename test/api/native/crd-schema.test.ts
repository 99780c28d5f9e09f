import { nativeSchema, type TypeName } from '../../../lib/api/native';

type Schema = Readonly<Record<string, unknown>>;

/** Every node of a schema with its path. */
function* nodes(schema: Schema, path = ''): Generator<readonly [string, Schema]> {
  yield [path, schema];
  for (const [key, child] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>))
    yield* nodes(child, `${path}.${key}`);
  if (schema['items']) yield* nodes(schema['items'] as Schema, `${path}[]`);
  if (schema['additionalProperties']) yield* nodes(schema['additionalProperties'] as Schema, `${path}{}`);
}

const types: readonly TypeName[] = [
  'PodSpec',
  'Container',
  'Volume',
  'PersistentVolumeClaimSpec',
  'NetworkPolicyPeer',
  'ServicePort',
  'ObjectMeta',
];

describe.each(types)('the schema of %s', (type) => {
  const all = [...nodes(nativeSchema(type))];

  test('is structural: a type on every node, no reference and no alternatives', () => {
    const open = all.filter(([, node]) => node['x-kubernetes-int-or-string'] !== true);
    expect(open.filter(([, node]) => typeof node['type'] !== 'string')).toEqual([]);
    const words = ['$ref', 'oneOf', 'anyOf', 'allOf', 'not', 'default', 'description'];
    expect(all.filter(([, node]) => words.some((word) => word in node)).map(([path]) => path)).toEqual([]);
  });

  test('has keyed lists only where the keys are required', () => {
    for (const [path, node] of all.filter(([, entry]) => entry['x-kubernetes-list-type'] === 'map')) {
      const keys = node['x-kubernetes-list-map-keys'] as readonly string[];
      const required = (node['items'] as Schema)['required'];
      expect([path, required]).toEqual([path, expect.arrayContaining([...keys])]);
    }
  });

  test('has patterns that JavaScript supports, without features that RE2 lacks', () => {
    for (const [, { pattern }] of all) {
      if (typeof pattern !== 'string') continue;
      expect(() => new RegExp(pattern)).not.toThrow();
      expect(pattern).not.toMatch(/\(\?[=!<]|\\[1-9]/);
    }
  });

  test('has no empty enum values', () => {
    expect(all.filter(([, node]) => (node['enum'] as readonly unknown[] | undefined)?.includes(''))).toEqual([]);
  });
});

test('omits rules of omitted fields', () => {
  const schema = nativeSchema('PodSpec', { omit: { PodSpec: ['dnsPolicy', 'ephemeralContainers'] } });
  expect(schema['properties']).not.toHaveProperty('dnsPolicy');
  expect(JSON.stringify(schema['x-kubernetes-validations'])).not.toContain('dnsPolicy');
});

test('three pod schemas fit into a CustomResourceDefinition of 256 KB', () => {
  const size = JSON.stringify(nativeSchema('PodSpec', { omit: { PodSpec: ['ephemeralContainers'] } })).length;
  expect(size * 3).toBeLessThan(256 * 1024);
});
