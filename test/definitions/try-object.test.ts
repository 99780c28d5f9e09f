import { tryObject, withTrials, compareDefinitions, type CustomResourceDefinition } from '../../lib/definitions';
import { type SchemaNode } from '../../lib/definitions/schema/schema-node';
import { definitionOf, specOf, widget } from './build-definition';

const text: SchemaNode = { type: 'string' };

/** Returns what a change of the spec does to an object. */
function trial(before: SchemaNode, after: SchemaNode, spec: object) {
  const found = tryObject(widget(spec), definitionOf(before), definitionOf(after));
  return {
    lost: found?.lost,
    changed: found?.changed,
    steps: found?.rejected.map(({ step, field }) => [step, field].filter((part) => part !== undefined).join(' ')),
  };
}
const nothing = { lost: [], changed: [], steps: [] };

test('a removed field is lost only where an object has it', () => {
  expect(trial(specOf({ f: text }), specOf({}), { f: 'a' })).toEqual({ ...nothing, lost: ['spec.f'] });
  expect(trial(specOf({ f: text }), specOf({}), { replicas: 1 })).toEqual(nothing);
});

test('a new default changes objects without a value', () => {
  const after = specOf({ f: { ...text, default: 'a' } });
  expect(trial(specOf({ f: text }), after, {})).toEqual({ ...nothing, changed: ['spec.f'] });
  expect(trial(specOf({ f: text }), after, { f: 'b' })).toEqual(nothing);
});

test('a null that is no longer allowed is removed', () => {
  expect(trial(specOf({ f: { ...text, nullable: true } }), specOf({ f: text }), { f: null })).toEqual({
    ...nothing,
    lost: ['spec.f'],
  });
});

test('an unchanged invalid value is not rejected again, a changed one is', () => {
  const steps = trial(specOf({ f: text, g: text }), specOf({ f: { ...text, maxLength: 2 }, g: text }), {
    f: 'long',
    g: 'a',
  });
  expect(steps).toEqual({ ...nothing, steps: ['edit spec.f'] });
});

test('a new required field is rejected with any change at the same level, such as scaling', () => {
  const steps = trial(specOf({ f: text, g: text }), specOf({ f: text, g: text }, { required: ['g'] }), { f: 'a' });
  expect(steps).toEqual({ ...nothing, steps: ['scale spec.replicas', 'edit spec.f'] });
});

test('a rule at the spec is evaluated again with any change of it, a rule at a field only with that field', () => {
  const rule = { 'x-kubernetes-validations': [{ rule: "self.f != 'a'" }] };
  const before = specOf({ f: text, g: text });
  expect(trial(before, specOf({ f: text, g: text }, rule), { f: 'a', g: 'b' }).steps).toEqual([
    'scale spec.replicas',
    'edit spec.g',
  ]);
  const own = specOf({ f: { ...text, 'x-kubernetes-validations': [{ rule: "self != 'a'" }] }, g: text });
  expect(trial(before, own, { f: 'a', g: 'b' }).steps).toEqual([]);
});

test('a rule that compares with the former value is evaluated with every write', () => {
  const rule = { 'x-kubernetes-validations': [{ rule: "self.f == oldSelf.f && self.f != 'a'" }] };
  const { steps } = trial(specOf({ f: text, g: text }), specOf({ f: text, g: text }, rule), { f: 'a', g: 'b' });
  expect(steps).toEqual(['update', 'scale spec.replicas', 'edit spec.f', 'edit spec.g']);
});

test('an unchanged list of type atomic with an invalid item is not rejected with a change beside it', () => {
  const list = (maxLength?: number): SchemaNode => ({
    type: 'array',
    'x-kubernetes-list-type': 'atomic',
    items: { ...text, ...(maxLength !== undefined && { maxLength }) },
  });
  const { steps } = trial(specOf({ f: list(), g: text }), specOf({ f: list(2), g: text }), {
    f: ['long', 'b'],
    g: 'a',
  });
  // A change of one item makes the whole list count as changed.
  expect(steps).toEqual(['edit spec.f[0]', 'edit spec.f[1]']);
});

test('what cannot be evaluated is unknown, and not safe', () => {
  const before = definitionOf(specOf({ f: text }));
  const after = definitionOf(specOf({ f: { ...text, pattern: '(?i)a' } }));
  const found = tryObject(widget({ f: 'b' }), before, after) ?? [];
  const findings = withTrials(compareDefinitions(before, after), 'widgets.example.com', [found].flat());
  expect(findings.map((one) => one.class)).toContain('unknown');
});

test('objects of other kinds are not tried', () => {
  const definition: CustomResourceDefinition = definitionOf(specOf({}));
  expect(tryObject({ ...widget({}), kind: 'Gadget' }, definition, definition)).toBeUndefined();
});
