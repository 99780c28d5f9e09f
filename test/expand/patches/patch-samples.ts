import fc from 'fast-check';
import { patchableFields, type Workload } from '../../../lib/api';
import { type KubernetesObject } from '../../../lib/expand';
import { leavesOf } from '../../../lib/expand/explain/differences';

type Patch = NonNullable<Workload['spec']['patches']>[number];

const escaped = (step: string | number): string => String(step).replaceAll('~', '~0').replaceAll('/', '~1');

/** Lists all paths of an object and of its patchable fields, and those above them. */
function pathsOf(object: KubernetesObject): readonly (readonly (string | number)[])[] {
  const listed = object.kind in patchableFields ? patchableFields[object.kind as keyof typeof patchableFields] : [];
  const leaves = [...leavesOf(object).map(({ path }) => path), ...listed.map((field) => field.split('.'))];
  const all = leaves.flatMap((path) => path.map((_, index) => path.slice(0, index + 1)));
  return [...new Map(all.map((path) => [JSON.stringify(path), path])).values()];
}

const annotationKeys = [
  'example.com/a',
  'plain',
  'pinterest.com/artifact',
  'x.pinterest.com/y',
  'a.kubernetes.io/b',
  'k8s.io/c',
  'app.kubernetes.io/name',
  '__proto__',
  'constructor',
];
const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, 1, '', 'deployer', [], {}, [{ operator: 'Exists' }], ['minReadySeconds']),
  fc.dictionary(
    fc.constantFrom(...annotationKeys, 'template', 'spec', 'metadata', 'hostPID'),
    fc.constantFrom<unknown>('on', null, {}),
    {
      maxKeys: 3,
    },
  ),
);

/** Generates paths of an object's fields: as they are, with an index, a key or an escape changed. */
function path(object: KubernetesObject): fc.Arbitrary<readonly (string | number)[]> {
  const known = fc.constantFrom(...pathsOf(object));
  return fc.oneof(
    known,
    fc
      .tuple(known, fc.constantFrom<string | number>('-', 0, 99, '', '00', ...annotationKeys))
      .map(([steps, step]) => [...steps, step]),
    fc.tuple(known, known).map(([first, second]) => [...first, ...second]),
  );
}

const nested = (steps: readonly (string | number)[], leaf: unknown): unknown =>
  steps.reduceRight<unknown>((inner, step) => Object.fromEntries([[String(step), inner]]), leaf);

const honestValues: Readonly<Record<string, unknown>> = {
  annotations: { 'example.com/a': 'b' },
  enableServiceLinks: true,
  hostname: 'a',
  managedBy: 'example.com/a',
  minReadySeconds: 7,
  publishNotReadyAddresses: true,
  revisionHistoryLimit: 9,
  trafficDistribution: 'PreferSameZone',
};

/** Lists merge patches of patchable fields that Kubernetes accepts. */
const patchesOfListedFields = ({ kind }: KubernetesObject): readonly object[] =>
  (kind in patchableFields ? patchableFields[kind as keyof typeof patchableFields] : []).flatMap((field) => {
    const steps = field.split('.');
    const known = honestValues[steps.at(-1) ?? ''];
    return known === undefined ? [] : [{ kind, merge: nested(steps, known) }];
  });

/** Generates patches of an object: JSON Patch operations and JSON merge patches, most of them harmful. */
export const patchSamples = (object: KubernetesObject): fc.Arbitrary<Patch> => {
  const operation = fc
    .tuple(
      fc.constantFrom('add' as const, 'remove' as const, 'replace' as const, 'test' as const),
      path(object),
      value,
      fc.boolean(),
    )
    .map(([op, steps, operand, lone]) => ({
      op,
      path: `/${steps.map(escaped).join('/')}${lone ? '~' : ''}`,
      ...(op === 'remove' ? {} : { value: operand }),
    }));
  const operations = fc
    .array(operation, { minLength: 1, maxLength: 4 })
    .map((list) => ({ kind: object.kind, operations: list }));
  const merge = fc
    .tuple(path(object), value)
    .map(([steps, operand]) => ({ kind: object.kind, merge: nested(steps, operand) as Record<string, unknown> }));
  const honest = patchesOfListedFields(object);
  return fc.oneof(
    { weight: 4, arbitrary: operations },
    { weight: 4, arbitrary: merge },
    ...(honest.length > 0 ? [{ weight: 1, arbitrary: fc.constantFrom(...honest) }] : []),
  ) as fc.Arbitrary<Patch>;
};
