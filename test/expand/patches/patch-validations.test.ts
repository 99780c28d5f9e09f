import fc from 'fast-check';
import { evaluateCel, patchableFields, type FieldPath, type Workload } from '../../../lib/api';
import { type ProjectContext } from '../../../lib/expand';
import { applyPatches } from '../../../lib/expand/patches/apply-patches';
import { namedFields } from '../../../lib/expand/patches/named-fields';
import { permissionsOf, refusalOf } from '../../../lib/expand/patches/patch-permissions';
import { patchValidations } from '../../../lib/expand/patches/patch-validations';
import { makeProjectContext, type ProjectContextOverrides } from '../../../lib/testing';
import { goldenObjects } from './golden-objects';
import { patchSamples } from './patch-samples';

const contextWith = (patchExceptions: readonly object[]): ProjectContext =>
  makeProjectContext({ platform: { patchExceptions } } as ProjectContextOverrides);
const workload = (name: string, patches: unknown): Workload =>
  ({ kind: 'PinterestService', metadata: { name, namespace: 'shop' }, spec: { patches } }) as unknown as Workload;

/** Evaluates the validations like the API server, where an error rejects. */
const isAdmitted = ({ metadata, spec }: Workload, context: ProjectContext): boolean =>
  patchValidations(context).every(({ expression }) => {
    try {
      return evaluateCel(expression, { object: { metadata, spec } }) === true;
    } catch {
      return false;
    }
  });

const exceptions = [
  {
    project: 'shop',
    kind: 'Deployment',
    fields: ['/spec/template/spec/containers/*/volumeMounts', '/spec/template/spec/priorityClassName'],
  },
  {
    project: 'shop',
    workload: 'edge',
    kind: 'Ingress',
    fields: ['/metadata/annotations/a.kubernetes.io~1b', '/spec/rules'],
  },
  { project: 'shop', workload: 'edge', kind: 'Deployment', fields: ['/metadata/annotations'] },
  { project: 'search', kind: 'Service', fields: ['/spec/type'] },
];
const contexts: readonly (readonly [string, ProjectContext])[] = [
  ['without exceptions', contextWith([])],
  ['with exceptions', contextWith(exceptions)],
];
const objects = [...new Map(goldenObjects.map((object) => [object.kind, object])).values()];

describe.each(contexts)('the admission policy of a Platform %s', (_, context) => {
  const samples = fc.tuple(
    fc.constantFrom('edge', 'cart'),
    fc.constantFrom(...objects).chain((object) => fc.tuple(fc.constant(object), patchSamples(object))),
  );

  test('admits only patches whose fields are patchable, and all that the expansion applies', () => {
    let [admitted, applied] = [0, 0];
    fc.assert(
      fc.property(samples, ([name, [object, patch]]) => {
        // The interpreter cannot represent a key with this name.
        fc.pre(!JSON.stringify(patch).includes('__proto__'));
        const patched = workload(name, [patch]);
        const isAccepted = isAdmitted(patched, context);
        if (!(patch.kind in patchableFields)) return expect(isAccepted).toBe(false);
        const permissions = permissionsOf(patch.kind, patched, context);
        const refusals = namedFields(patch).flatMap(({ field }) => refusalOf(field, permissions) ?? []);
        // A key of annotations is one only in metadata.
        fc.pre(namedFields(patch).every(({ field }) => hasMetadataInPlace(field)));
        if (isAccepted) expect(refusals).toEqual([]);
        const problems: unknown[] = [];
        applyPatches([object], patched, context, (problem) => problems.push(problem));
        if (problems.length === 0) expect(isAccepted).toBe(true);
        admitted += isAccepted ? 1 : 0;
        applied += problems.length === 0 ? 1 : 0;
      }),
      { numRuns: 1000 },
    );
    expect([admitted > 20, applied > 10]).toEqual([true, true]);
  });
});

const metadataParents = ['', 'spec.template', 'spec.jobTemplate', 'spec.jobTemplate.spec.template'];
const hasMetadataInPlace = (field: FieldPath): boolean =>
  field.every((step, index) => step !== 'metadata' || metadataParents.includes(field.slice(0, index).join('.')));

test.each<[expected: boolean, name: string, patch: object]>([
  [true, 'edge', { kind: 'Ingress', merge: { metadata: { annotations: { 'a.kubernetes.io/b': 'on' } } } }],
  [false, 'edge', { kind: 'Ingress', merge: { metadata: { annotations: { 'a.kubernetes.io/c': 'on' } } } }],
  [false, 'cart', { kind: 'Ingress', merge: { metadata: { annotations: { 'a.kubernetes.io/b': 'on' } } } }],
  [
    true,
    'edge',
    { kind: 'Ingress', operations: [{ op: 'add', path: '/metadata/annotations/a.kubernetes.io~1b', value: 'on' }] },
  ],
  [true, 'edge', { kind: 'Deployment', merge: { metadata: { annotations: { 'a.kubernetes.io/b': 'on' } } } }],
  [false, 'cart', { kind: 'Deployment', merge: { metadata: { annotations: { 'a.kubernetes.io/b': 'on' } } } }],
  [false, 'edge', { kind: 'Deployment', merge: { metadata: { annotations: { 'pinterest.com/artifact': 'on' } } } }],
  [
    false,
    'edge',
    {
      kind: 'Deployment',
      operations: [{ op: 'add', path: '/metadata/annotations/pinterest.com~1artifact', value: 'on' }],
    },
  ],
  [
    false,
    'edge',
    {
      kind: 'Deployment',
      operations: [{ op: 'add', path: '/metadata/annotations/app.kubernetes.io~1name', value: 'on' }],
    },
  ],
  [
    true,
    'edge',
    {
      kind: 'Deployment',
      operations: [{ op: 'add', path: '/spec/template/spec/containers/0/volumeMounts/-', value: {} }],
    },
  ],
  [true, 'cart', { kind: 'Deployment', merge: { spec: { template: { spec: { priorityClassName: 'high' } } } } }],
  [
    false,
    'cart',
    { kind: 'Deployment', operations: [{ op: 'add', path: '/spec/template/spec/containers/0', value: {} }] },
  ],
  [false, 'cart', { kind: 'Service', merge: { spec: { type: 'LoadBalancer' } } }],
  [false, 'cart', { kind: 'Deployment', merge: { spec: ['minReadySeconds'] } }],
  [false, 'cart', { kind: 'Deployment', merge: { spec: null } }],
  [false, 'cart', { kind: 'Role', merge: { metadata: { annotations: { a: 'b' } } } }],
])('admits: %s (workload %s, %j)', (expected, name, patch) => {
  expect(isAdmitted(workload(name, [patch]), contextWith(exceptions))).toBe(expected);
});

test('every expression is small enough for the API server to compile', () => {
  const fields = Array.from(
    { length: 16 },
    (_, index) => `/spec/template/spec/containers/*/${'long'.repeat(40)}${index}`,
  );
  const many = Array.from({ length: 32 }, (_, index) => ({
    project: 'shop',
    workload: `w${index}`,
    kind: 'Deployment',
    fields,
  }));
  const sizes = patchValidations(contextWith(many)).map(({ expression }) => expression.length);
  expect(Math.max(...sizes)).toBeLessThan(50_000);
});
