import { safeParseWorkflow, formatPath, parseProperty, type PropertyType } from '../../lib/api';
import { workflowOf } from '../artifact/artifact-fixture';

type Fields = Readonly<Record<string, unknown>>;
const [staging, production] = workflowOf().spec.stages as readonly Fields[];
const document = (spec: Fields, more: Fields = {}) => ({
  ...workflowOf(),
  spec: { ...workflowOf().spec, ...spec },
  ...more,
});
const problemsOf = (input: unknown) =>
  safeParseWorkflow(input).problems.map(({ code, path }) => `${code} ${formatPath(path)}`);

test('fields that a stage omits have defaults', () => {
  const { workflow, problems } = safeParseWorkflow(workflowOf());
  expect(problems).toEqual([]);
  expect(workflow?.spec.stages[0]).toEqual({
    name: 'staging',
    targets: ['staging-1'],
    promotion: { when: 'Ready', soak: '0s' },
    stop: { timeout: '15m', onFailure: 'Keep' },
  });
});

test.each<[string, unknown, string[]]>([
  ['another kind', { ...workflowOf(), kind: 'Workflows' }, ['unknown-kind kind']],
  ['no document', 'workflow', ['unknown-kind kind']],
  ['an invalid name', document({}, { metadata: { name: 'Web', namespace: 'shop' } }), ['bad-format metadata.name']],
  ['no project', document({}, { metadata: { name: 'web' } }), ['required metadata.namespace']],
  ['no stage', document({ stages: [] }), ['out-of-range spec.stages']],
  ['a duplicate stage', document({ stages: [staging, production, staging] }), ['duplicate spec.stages[2].name']],
  [
    'a stage without clusters',
    document({ stages: [{ ...staging, targets: [] }] }),
    ['out-of-range spec.stages[0].targets'],
  ],
  [
    'a duplicate cluster of a stage',
    document({ stages: [{ ...staging, targets: ['a', 'b', 'a'] }] }),
    ['duplicate spec.stages[0].targets[2]'],
  ],
  ['a duplicate file', document({ workloads: { files: ['a', 'a'] } }), ['duplicate spec.workloads.files[1]']],
  [
    'files and an app',
    document({ workloads: { files: ['a'], app: { command: ['b'] } } }),
    ['invalid-combination spec.workloads'],
  ],
  ['neither files nor an app', document({ workloads: {} }), ['invalid-combination spec.workloads']],
  ['an absolute path', document({ workloads: { files: ['/etc/passwd'] } }), ['bad-format spec.workloads.files[0]']],
  [
    'an unknown type',
    document({ properties: { a: { type: 'string' } }, stages: [staging] }),
    ['unsupported-value spec.properties.a.type'],
  ],
  [
    'a default of the wrong type',
    document({ properties: { a: { type: 'integer', default: '3' } }, stages: [staging] }),
    ['bad-format spec.properties.a.default'],
  ],
  [
    'a default that is a map',
    document({ properties: { a: { type: 'integer', default: {} } }, stages: [staging] }),
    ['wrong-type spec.properties.a.default'],
  ],
  [
    'a placeholder in the name',
    document({
      properties: { a: { type: 'text', substitutions: [{ workload: 'cart', fieldPath: 'metadata.name' }] } },
      stages: [staging],
    }),
    ['bad-format spec.properties.a.substitutions[0].fieldPath'],
  ],
  [
    'a stage value of the wrong type',
    document({ stages: [{ ...staging, properties: { replicas: 'many' } }] }),
    ['bad-format spec.stages[0].properties.replicas'],
  ],
  [
    'a stage value of an unknown parameter',
    document({ stages: [{ ...staging, properties: { replica: 3 } }] }),
    ['unknown-reference spec.stages[0].properties.replica'],
  ],
  [
    'an invalid duration',
    document({ stages: [{ ...staging, stop: { timeout: 'soon' } }] }),
    ['bad-format spec.stages[0].stop.timeout'],
  ],
])('reports %s', (_, input, problems) => {
  expect(problemsOf(input)).toEqual(problems);
});

const sha = 'a'.repeat(64);
test.each<[PropertyType, readonly string[], readonly string[]]>([
  [
    'image',
    ['cart:1', 'registry.example.com:5000/a/b_c:v1.2-rc.1', `a/b@sha256:${sha}`, `localhost/a:1@sha256:${sha}`],
    ['cart', 'cart:', 'Cart:1', 'cart:1 ', 'https://a/b:1', 'a/b@sha256:12', 'cart:-1', ''],
  ],
  ['commit', ['a'.repeat(40), sha], ['a'.repeat(41), 'A'.repeat(40), 'main', '']],
  ['version', ['1', '1.4.2-rc.1', 'a_B'], ['', '1/2', '-1', '1.', 'a'.repeat(64), '..']],
  ['text', ['', 'a b', '{{x}}'], ['a\nb', 'a\u0000', '\ud800']],
  ['integer', ['0', '-3', '12'], ['1.5', '01', '+1', '1e400', '0x10', ' 1', '', '9007199254740993']],
  ['number', ['0', '-0.5', '1e3'], ['1.', '.5', 'NaN', 'Infinity', '1e400', '']],
  ['boolean', ['true', 'false'], ['True', 'yes', '1', '']],
  ['quantity', ['100m', '1Gi', '2'], ['1 Gi', 'lots', '']],
  ['duration', ['90s', '1h30m'], ['90', '1h90m', '']],
])('values of the type %s', (type, right, wrong) => {
  expect(right.filter((text) => parseProperty(type, text) === undefined)).toEqual([]);
  expect(wrong.filter((text) => parseProperty(type, text) !== undefined)).toEqual([]);
});
