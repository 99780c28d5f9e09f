import { crdOf, type PinionKind, pinionKinds, workloadKinds, type WorkloadKind } from '../../lib/api';
import { schemaOf } from '../../lib/api/schemas';
import { celError, evaluateCel } from '../../lib/api/rules/cel';
import { type Shape, shapeOf } from '../../lib/api/schema/field-tree';
import { type JsonSchema, nativeRules, nativeSchema, type TypeName } from '../../lib/api/native';
import { resolvePlatform } from '../../lib/expand';
import { listVariableValues, namespaceFacts, ruleVariables } from '../../lib/expand/policies/rule-facts';
import { rulesOf } from '../../lib/expand/policies/platform-rules';
import { sampleOf } from './schema-sample';

const kinds = Object.keys(pinionKinds) as PinionKind[];
const samplesOf = (schema: JsonSchema): readonly unknown[] =>
  Array.from({ length: 24 }, (_, seed) => sampleOf(schema, { seed, whole: seed % 2 === 0 }));

const specs = new Map<PinionKind, readonly unknown[]>();
function specsOf(kind: PinionKind): readonly unknown[] {
  let samples = specs.get(kind);
  if (!samples) specs.set(kind, (samples = samplesOf(specSchema(kind))));
  return samples;
}
const specSchema = (kind: PinionKind): JsonSchema =>
  (crdOf(kind).spec.versions[0]?.schema?.openAPIV3Schema as { properties: { spec: JsonSchema } }).properties.spec;

/** The fault of an expression: invalid CEL, a failed evaluation, or a result that is not a boolean. */
function faultOf(cel: string, variables: Readonly<Record<string, unknown>>): string | undefined {
  const error = celError(cel);
  if (error !== undefined) return error;
  try {
    const verdict = evaluateCel(cel, variables);
    return typeof verdict === 'boolean' ? undefined : `gives ${String(verdict)}`;
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure);
  }
}

test('finds an expression that the interpreter rejects and one without a guard', () => {
  expect(faultOf('self.m.all(k, has(self.m[k].a))', { self: { m: { first: { a: 1 } } } })).toMatch(/./);
  expect(faultOf('self.a == 1', { self: {} })).toMatch(/./);
  expect(faultOf('!has(self.a) || self.a == 1', { self: {} })).toBeUndefined();
});

/** Faults by expression; one sample of each is enough. */
class Faults {
  readonly found = new Map<string, string>();
  readonly evaluated = new Set<string>();

  try(cel: string, variables: Readonly<Record<string, unknown>>): void {
    this.evaluated.add(cel);
    const fault = faultOf(cel, variables);
    if (fault !== undefined && !this.found.has(cel)) this.found.set(cel, fault);
  }
}

interface Validated {
  readonly properties?: Readonly<Record<string, Validated>>;
  readonly items?: Validated;
  readonly additionalProperties?: Validated;
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string }[];
}

/** Evaluates the rules of a CustomResourceDefinition as the API server finds them. */
function tryDefinition(schema: Validated, value: unknown, faults: Faults): void {
  for (const { rule } of schema['x-kubernetes-validations'] ?? []) faults.try(rule, { self: value, oldSelf: value });
  if (Array.isArray(value)) {
    if (schema.items) for (const entry of value) tryDefinition(schema.items, entry, faults);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, entry] of Object.entries(value)) {
      const inner = schema.properties?.[name] ?? schema.additionalProperties;
      if (inner) tryDefinition(inner, entry, faults);
    }
  }
}

/** Evaluates the rules of a pinion schema, including those that are not in the CRD. */
function tryShape(shape: Shape, value: unknown, faults: Faults): void {
  if (shape.kind === 'list') for (const entry of value as readonly unknown[]) tryShape(shape.items, entry, faults);
  else if (shape.kind === 'map')
    for (const entry of Object.values(value as object)) tryShape(shape.values, entry, faults);
  else if (shape.kind === 'object') {
    for (const { cel, holds } of shape.rules) {
      faults.try(cel, { self: value, oldSelf: value });
      const result = holds?.(value as Readonly<Record<string, unknown>>);
      if (result !== undefined && cel !== 'true' && result !== evaluateCel(cel, { self: value }))
        faults.found.set(cel, `its function says ${result}`);
    }
    for (const { name, shape: inner } of shape.fields) {
      const entry = (value as Readonly<Record<string, unknown>>)[name];
      if (entry !== undefined) tryShape(inner, entry, faults);
    }
  }
}

const allIn = (shape: Shape): readonly string[] =>
  shape.kind === 'list'
    ? allIn(shape.items)
    : shape.kind === 'map'
      ? allIn(shape.values)
      : shape.kind === 'object'
        ? [...shape.rules.map(({ cel }) => cel), ...shape.fields.flatMap((field) => allIn(field.shape))]
        : [];

test.each(kinds)('every rule of the schema of %s parses and evaluates to a boolean', (kind) => {
  const shape = shapeOf(schemaOf(kind));
  const faults = new Faults();
  for (const spec of specsOf(kind)) tryShape(shape, spec, faults);
  expect(Object.fromEntries(faults.found)).toEqual({});
  expect(allIn(shape).filter((cel) => !faults.evaluated.has(cel))).toEqual([]);
});

test.each(kinds)('every rule of the CRD of %s parses and evaluates to a boolean', (kind) => {
  const faults = new Faults();
  for (const spec of specsOf(kind)) tryDefinition(specSchema(kind), spec, faults);
  expect(Object.fromEntries(faults.found)).toEqual({});
});

test('every rule of a native type parses and evaluates to a boolean', () => {
  const faults = new Faults();
  for (const [type, { rules = [] }] of Object.entries(nativeRules)) {
    const samples = rules.length > 0 ? samplesOf(nativeSchema(type as TypeName)) : [];
    for (const self of samples) for (const { cel } of rules) faults.try(cel, { self, oldSelf: self });
  }
  expect(Object.fromEntries(faults.found)).toEqual({});
});

test.each(Object.keys(workloadKinds) as WorkloadKind[])(
  'every rule of the Platform about a %s parses and evaluates to a boolean',
  (kind) => {
    const context = resolvePlatform([]).project('shop');
    const variables = {
      ...ruleVariables(context),
      ...listVariableValues(context),
      parts: ['first'],
      tier: 'standard',
      strictTiers: ['standard'],
    };
    const platforms = specsOf('Platform');
    const namespaces = [
      { metadata: { name: 'shop' } },
      namespaceFacts(context),
      { metadata: { name: 'shop', labels: {}, annotations: {} } },
    ];
    const faults = new Faults();
    specsOf(kind).forEach((spec, index) => {
      const params = { spec: platforms[index % platforms.length] };
      const namespaceObject = namespaces[index % namespaces.length];
      for (const { cel, field } of rulesOf(kind)) {
        if (reaches(spec, field)) faults.try(cel, { object: { spec }, params, namespaceObject, variables });
      }
    });
    expect(Object.fromEntries(faults.found)).toEqual({});
    expect(rulesOf(kind).filter(({ cel }) => !faults.evaluated.has(cel))).toEqual([]);
  },
);

/** A rule is skipped if its field is absent. */
function reaches(spec: unknown, field: readonly string[]): boolean {
  let value = spec;
  for (const step of field) value = (value as Readonly<Record<string, unknown>> | undefined)?.[step];
  return value !== undefined;
}
