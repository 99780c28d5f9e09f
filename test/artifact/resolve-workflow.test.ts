import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, constantFrom, integer, property, uniqueArray } from 'fast-check';
import { safeParseWorkflow, formatPath, isError, valueAt, type FieldPath } from '../../lib/api';
import { resolveWorkflow } from '../../lib/artifact';
import { contentBytes, readContent } from '../../lib/artifact/artifact-content';
import { resolvePlatform } from '../../lib/expand';
import { commit, contentOf, image, resolved, service, workflowOf } from './artifact-fixture';

const problemCodes = ({ problems }: ReturnType<typeof resolved>) =>
  problems.filter(isError).map(({ code, path }) => `${code} ${formatPath(path)}`);

test('each stage contains the resources of the source with its values substituted', () => {
  const [staging, production] = contentOf().stages;
  expect(staging?.resources.map(({ metadata, spec }) => [metadata, spec])).toEqual([
    [
      { name: 'cart', namespace: 'shop', annotations: { 'example.com/commit': commit } },
      { replicas: 2, template: { spec: { containers: [{ name: 'app', image }] } } },
    ],
    [service('till')['metadata'], service('till')['spec']],
  ]);
  expect(production?.resources.map((resource) => valueAt(resource, ['spec', 'replicas']))).toEqual([12, 2]);
  expect(production).toMatchObject({
    targets: ['prod-1', 'prod-2'],
    promotion: { when: 'Approved', soak: '10m' },
    stop: { timeout: '20m', onFailure: 'Rollback' },
    properties: { image, replicas: 12, commit },
  });
});

test('the content matches the golden bytes, which parse to the same content', () => {
  const path = join(__dirname, 'golden/content.canonical');
  const bytes = contentBytes(contentOf());
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) {
    if (process.env['UPDATE_GOLDEN']) writeFileSync(path, bytes);
    throw new Error(`${path} differs: the same input now has a different digest`);
  }
  expect(readContent(bytes)).toEqual(contentOf());
});

test('substitutions change nothing but the declared paths', () => {
  const fields: readonly (readonly [string, FieldPath])[] = [
    ['spec.replicas', ['spec', 'replicas']],
    ['spec.rollout.maxSurge', ['spec', 'rollout', 'maxSurge']],
    ['spec.template.spec.securityContext.runAsUser', ['spec', 'template', 'spec', 'securityContext', 'runAsUser']],
    [
      'spec.template.spec.containers[app].ports[http].containerPort',
      ['spec', 'template', 'spec', 'containers', 0, 'ports', 0, 'containerPort'],
    ],
  ];
  const ports = [{ name: 'http', containerPort: 1 }];
  const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/a:1', ports }] } };
  assert(
    property(
      uniqueArray(constantFrom(...fields), { selector: ([text]) => text }),
      integer({ min: 2, max: 30 }),
      (chosen, value) => {
        const source = service('cart', { template });
        const substitutions = chosen.map(([fieldPath]) => ({ workload: 'cart', fieldPath }));
        const { content, problems } = resolved(
          { properties: { count: { type: 'integer', substitutions } } },
          { documents: [{ value: source }], given: { count: String(value) } },
        );
        expect(problems.filter(isError)).toEqual([]);
        const resource = content?.stages[0]?.resources[0];
        const copy = JSON.parse(JSON.stringify(resource)) as object;
        for (const [, path] of chosen) {
          expect(valueAt(resource, path)).toBe(value);
          setOrRemove(copy, path, valueAt(source, path));
        }
        expect(copy).toEqual(source);
      },
    ),
    { numRuns: 40 },
  );
});

/** Sets a value; if it is undefined, removes the member and the maps left empty. */
function setOrRemove(document: object, path: FieldPath, value: unknown): void {
  const parent = valueAt(document, path.slice(0, -1)) as Record<string | number, unknown>;
  const last = path.at(-1) as string;
  if (value !== undefined) parent[last] = value;
  else {
    Reflect.deleteProperty(parent, last);
    if (Object.keys(parent).length === 0 && ['maxSurge', 'runAsUser'].includes(last))
      setOrRemove(document, path.slice(0, -1), undefined);
  }
}

test('the order of the fields does not matter', () => {
  const { properties = {} } = workflowOf().spec;
  const reversedProperties = Object.fromEntries(Object.entries(properties).reverse());
  const { content } = resolved({ properties: reversedProperties, stages: workflowOf().spec.stages });
  expect(content && contentBytes(content)).toEqual(contentBytes(contentOf()));
});

test('commit and version have defaults, inputs override them, and stages override inputs', () => {
  const properties = {
    revision: { type: 'commit' },
    release: { type: 'version' },
    size: { type: 'quantity', default: '1024Mi' },
    wait: { type: 'duration', default: '60s' },
  } as const;
  const stages = [
    { name: 'a', targets: ['x'] },
    { name: 'b', targets: ['x'], properties: { wait: '90s', release: 'b' } },
  ];
  const values = (given: Record<string, string>) =>
    resolved({ properties, stages }, { given }).content?.stages.map(({ properties: own }) => own);
  const defaults = { revision: commit, release: '1.4.2', size: '1Gi', wait: '1m' };
  expect(values({})).toEqual([defaults, { ...defaults, wait: '1m30s', release: 'b' }]);
  expect(values({ release: 'r', size: '2Gi' })).toEqual([
    { ...defaults, release: 'r', size: '2Gi' },
    { ...defaults, wait: '1m30s', release: 'b', size: '2Gi' },
  ]);
});

test('a string is a value and never a template', () => {
  const text = '${image} {{ .Values.x }} $(commit) %s';
  const substitutions = [{ workload: 'cart', fieldPath: 'metadata.annotations.note' }];
  const { content } = resolved({ properties: { note: { type: 'text', substitutions } } }, { given: { note: text } });
  expect(content?.stages[0]?.resources[0]?.metadata['annotations']).toEqual({ note: text });
});

const substitute = (fieldPath: string, workload = 'cart') => [{ workload, fieldPath }];
const withImageProperty = (type: string, path: string, more: object = {}) => ({
  properties: { image: { type, substitutions: substitute(path), ...more } } as never,
});

test.each<[string, Parameters<typeof resolved>[0], Parameters<typeof resolved>[1], string[]]>([
  ['a malformed image', {}, { given: { image: 'cart' } }, ['bad-format spec.properties.image']],
  ['a missing value', {}, { given: {} }, ['required spec.properties.image']],
  ['an unknown property', {}, { given: { image, imgae: image } }, ['unknown-reference spec.properties.imgae']],
  ['a number as a string', {}, { given: { image, replicas: 'two' } }, ['bad-format spec.properties.replicas']],
  ['an invalid version', {}, { version: '1.0/../x' }, ['bad-format version']],
  ['a shortened commit', {}, { commit: '3f78685' }, ['bad-format commit']],
  ['no workload at all', { properties: {} }, { documents: [], given: {} }, ['required spec.workloads']],
  [
    'an unknown workload',
    { properties: { image: { type: 'image', substitutions: substitute('spec.replicas', 'crat') } } },
    {},
    ['unknown-reference spec.properties.image.substitutions[0].workload'],
  ],
  [
    'a path that does not exist',
    withImageProperty('image', 'spec.template.spec.containers[web].image'),
    {},
    ['unknown-reference spec.properties.image.substitutions[0].fieldPath'],
  ],
  [
    'a path of a map',
    withImageProperty('image', 'spec.template'),
    {},
    ['unknown-reference spec.properties.image.substitutions[0].fieldPath'],
  ],
  [
    'an invalid path',
    withImageProperty('image', 'spec.template..x'),
    {},
    ['unknown-reference spec.properties.image.substitutions[0].fieldPath'],
  ],
  ['an unknown field', withImageProperty('image', 'spec.replicsa'), {}, ['unknown-field spec.replicsa']],
  [
    'a value of the wrong type for its path',
    withImageProperty('image', 'spec.replicas'),
    {},
    ['wrong-type spec.replicas'],
  ],
  [
    'two properties for one path',
    {
      properties: {
        a: { type: 'integer', default: 1, substitutions: substitute('spec.replicas') },
        b: { type: 'integer', default: 1, substitutions: substitute('spec.replicas', 'PinterestService/cart') },
      },
    },
    { given: {} },
    ['duplicate spec.properties.b.substitutions[0].fieldPath'],
  ],
  [
    'a duplicate workload',
    {},
    { documents: [{ value: service('cart') }, { value: service('cart') }] },
    [
      'unknown-reference spec.properties.image.substitutions[0].workload',
      'unknown-reference spec.properties.replicas.substitutions[0].workload',
      'unknown-reference spec.properties.commit.substitutions[0].workload',
      'duplicate metadata.name',
    ],
  ],
  [
    'a workload of another project',
    { properties: {} },
    { given: {}, documents: [{ value: { ...service('cart'), metadata: { name: 'cart', namespace: 'bank' } } }] },
    ['invalid-combination metadata.namespace'],
  ],
  [
    'a native object',
    { properties: {} },
    { given: {}, documents: [{ value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } } }] },
    ['unknown-kind kind'],
  ],
  [
    'a feature that the cluster does not offer',
    { properties: {} },
    {
      given: {},
      cluster: resolvePlatform([]),
      documents: [{ value: service('cart', { placement: { pool: 'none' } }) }],
    },
    ['not-available spec.placement.pool'],
  ],
])('%s is reported', (_, spec, inputs, problems) => {
  expect(problemCodes(resolved(spec, inputs))).toEqual(problems);
});

test('a problem of a substituted value names its property, once for all stages, and its source location', () => {
  const locate = (path: FieldPath) => ({ file: formatPath(path), line: 1, column: 1 });
  const { problems } = resolved(withImageProperty('image', 'spec.replicas'), {
    documents: [{ value: service('cart'), locate }],
  });
  expect(problems).toMatchObject([
    {
      reason: 'is a string (set by property image)',
      object: 'PinterestService shop/cart',
      source: { file: 'spec.replicas' },
    },
  ]);
});

test('an image without a digest is published with a warning', () => {
  const { content, problems } = resolved({}, { given: { image: 'registry.example.com/shop/cart:1.4.2' } });
  expect(content).toBeDefined();
  expect(problems).toMatchObject([
    { severity: 'warning', path: ['spec', 'properties', 'image'], object: 'Workflow shop/web' },
  ]);
});

test('a status in the source is not published', () => {
  const { workflow } = safeParseWorkflow(workflowOf({ properties: {} }));
  if (!workflow) throw new Error('the workflow has problems');
  const documents = [{ value: { ...service('cart'), status: { ready: 3 } } }];
  const { content } = resolveWorkflow({ workflow, documents, version: '1', given: {} });
  expect(content?.stages[0]?.resources).toEqual([service('cart')]);
});
