import { type FieldNode, type Shape, shapeOf } from '../../lib/api/schema/field-tree';
import { crdOf } from '../../lib/api/crd/crd';
import { type PinionKind, pinionKinds } from '../../lib/api/kinds/kinds';
import { type ValidationRule } from '../../lib/api/rules/validation-rule';
import { schemaOf } from '../../lib/api/schemas';
import { statusSchemaOf } from '../../lib/api/schemas';

type Schema = Readonly<Record<string, unknown>>;
const kinds = Object.keys(pinionKinds) as PinionKind[];

/** etcd accepts objects of 1.5 MB, but `kubectl apply` keeps a copy in an annotation of at most 256 KB. */
const largest = 256 * 1024;

const rootOf = (kind: PinionKind): Schema => crdOf(kind).spec.versions[0]?.schema?.openAPIV3Schema as Schema;

/** Every nested schema with its path. */
function* nodesOf(schema: Schema, path: string): Generator<readonly [string, Schema]> {
  yield [path, schema];
  for (const [name, member] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>))
    yield* nodesOf(member, `${path}.${name}`);
  for (const below of ['items', 'additionalProperties'] as const)
    if (schema[below] !== undefined) yield* nodesOf(schema[below] as Schema, `${path}[]`);
}

/** Every object schema of a kind with its path. */
function* objectsOf(
  shape: Shape,
  path: string,
): Generator<readonly [string, { readonly fields: readonly FieldNode[]; readonly rules: readonly ValidationRule[] }]> {
  if (shape.kind === 'list') yield* objectsOf(shape.items, `${path}[]`);
  else if (shape.kind === 'map') yield* objectsOf(shape.values, `${path}[]`);
  else if (shape.kind === 'object') {
    yield [path, shape];
    for (const field of shape.fields) yield* objectsOf(field.shape, `${path}.${field.name}`);
  }
}

/** Paths of the nodes for which a condition does not hold. */
const pathsWithout = (kind: PinionKind, holds: (node: Schema) => boolean): string[] =>
  [...nodesOf(rootOf(kind), '')].filter(([, node]) => !holds(node)).map(([path]) => path);

describe.each(kinds)('the CustomResourceDefinition of %s', (kind) => {
  test('has a type at every node, or a documented reason for none', () => {
    const typed = (node: Schema): boolean =>
      (node['x-kubernetes-int-or-string'] === true || node['x-kubernetes-preserve-unknown-fields'] === true) !==
        (typeof node['type'] === 'string') || node['type'] === 'object';
    expect(pathsWithout(kind, typed)).toEqual([]);
  });

  test('has no references and no alternatives', () => {
    const forbidden = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'definitions', 'patternProperties'];
    expect(pathsWithout(kind, (node) => forbidden.every((word) => !(word in node)))).toEqual([]);
    expect(pathsWithout(kind, (node) => !('properties' in node && 'additionalProperties' in node))).toEqual([]);
  });

  test('accepts null only where kubectl writes it', () => {
    const nullable = pathsWithout(kind, (node) => !('nullable' in node));
    expect(nullable.filter((path) => !path.endsWith('.metadata.creationTimestamp'))).toEqual([]);
  });

  test('has keyed lists only where each key is required or has a default', () => {
    const keyed = (node: Schema): boolean => {
      const item = (node['items'] ?? {}) as { properties?: Record<string, Schema>; required?: string[] };
      const keys = (node['x-kubernetes-list-map-keys'] ?? []) as string[];
      return keys.every((key) => item.required?.includes(key) || item.properties?.[key]?.['default'] !== undefined);
    };
    expect(pathsWithout(kind, keyed)).toEqual([]);
  });

  test('has no field that is both required and defaulted', () => {
    const fits = (node: Schema): boolean =>
      ((node['required'] ?? []) as string[]).every(
        (name) => (node['properties'] as Record<string, Schema>)[name]?.['default'] === undefined,
      );
    expect(pathsWithout(kind, fits)).toEqual([]);
  });

  test('has patterns with the same meaning in JavaScript and RE2', () => {
    const plain = (pattern: unknown): boolean =>
      pattern === undefined || (typeof pattern === 'string' && new RegExp(pattern, 'u').unicode && readsAlike(pattern));
    expect(pathsWithout(kind, (node) => plain(node['pattern']))).toEqual([]);
  });

  test('has rules with one-line messages', () => {
    const isSingleLine = (node: Schema): boolean =>
      ((node['x-kubernetes-validations'] ?? []) as { message: string }[]).every(
        ({ message }) => message.length > 0 && message.length <= 2048 && !message.includes('\n'),
      );
    expect(pathsWithout(kind, isSingleLine)).toEqual([]);
  });

  test('is smaller than 256 KB', () => {
    expect(JSON.stringify(crdOf(kind)).length).toBeLessThan(largest);
  });

  test('describes every field in one sentence, followed by its default', () => {
    const unsaid = [schemaOf(kind), statusSchemaOf(kind)].flatMap((schema) =>
      [...objectsOf(shapeOf(schema), '')].flatMap(([path, { fields }]) =>
        fields
          .filter(
            ({ description }) => !/^[A-Z$`][^\n]*\.$/.test(description) || /\. (?!Defaults to )[A-Z]/.test(description),
          )
          .map(({ name, description }) => `${path}.${name}: ${description}`),
      ),
    );
    expect(unsaid).toEqual([]);
  });

  test('has unique rule names', () => {
    const rules = new Map<string, string>();
    for (const [, object] of objectsOf(shapeOf(schemaOf(kind)), '')) {
      const names = object.rules.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
      for (const { name, cel } of object.rules) {
        expect({ name, cel: rules.get(name) ?? cel }).toEqual({ name, cel });
        rules.set(name, cel);
      }
    }
  });

  test('has columns that refer to existing fields', () => {
    const root = new Set([...nodesOf(rootOf(kind), '')].map(([path]) => path));
    const paths = (crdOf(kind).spec.versions[0]?.additionalPrinterColumns ?? []).map(({ jsonPath }) => jsonPath);
    const unknown = paths.filter(
      (path) => path !== '.metadata.creationTimestamp' && !root.has(path.replace(/\[\?.*\]/, '[]')),
    );
    expect(unknown).toEqual([]);
  });

  // Values that a workload inherits from its Project or the Platform are not in its own spec.
  test.each(['tier', 'team'])('has no column that is empty for workloads without %s', (field) => {
    const paths = (crdOf(kind).spec.versions[0]?.additionalPrinterColumns ?? []).map(({ jsonPath }) => jsonPath);
    expect(paths.includes(`.spec.${field}`)).toBe(kind === 'Project' && field === 'team');
  });
});

test('services and stateful sets have a scale subresource', () => {
  const scaled = kinds.filter((kind) => crdOf(kind).spec.versions[0]?.subresources?.scale);
  expect(scaled).toEqual(['PinterestService', 'PinterestStatefulSet']);
});

/** Rejects lookaround, named groups, back-references, JavaScript-only escapes, and repetitions above 1000. */
function readsAlike(pattern: string): boolean {
  const repetitions = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, least, most]) => [least, most]);
  return (
    !/\(\?(?!:)/.test(pattern) &&
    !/\\[1-9ckpuP]/.test(pattern) &&
    repetitions.every((count) => Number(count ?? 0) <= 1000)
  );
}
