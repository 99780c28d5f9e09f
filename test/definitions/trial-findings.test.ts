import { compareDefinitions, tryObject, withTrials, type ObjectTrial } from '../../lib/definitions';
import { type SchemaNode } from '../../lib/definitions/schema/schema-node';
import { definitionOf, specOf, widget } from './build-definition';

const text: SchemaNode = { type: 'string' };

/** Returns the findings of a change with objects, as `class change path objects`. */
function found(before: SchemaNode, after: SchemaNode, ...specs: readonly object[]): string[] {
  const [former, next] = [definitionOf(before), definitionOf(after)];
  const trials = specs.flatMap(
    (spec, index): ObjectTrial | [] => tryObject(widget(spec, `o${index}`), former, next) ?? [],
  );
  return withTrials(compareDefinitions(former, next), 'widgets.example.com', trials).map(
    ({ class: one, change, path, objects }) =>
      `${one} ${change} ${path}${objects === undefined ? '' : ` [${objects.map((name) => name.split('/')[1]).join()}]`}`,
  );
}

test('each effect belongs to the change that causes it, also if another one is above it', () => {
  const before = specOf({
    f: text,
    g: text,
    list: { type: 'array', items: { type: 'object', properties: { a: text } } },
  });
  const after = specOf(
    { f: { ...text, maxLength: 2 }, list: { type: 'array', items: { type: 'object', properties: {} } } },
    { 'x-kubernetes-validations': [{ rule: '!has(self.replicas) || self.replicas < 5' }] },
  );
  expect(found(before, after, { f: 'long' }, { g: 'b', list: [{}, { a: 'x' }] }, { replicas: 7, f: 'a' }, {})).toEqual([
    'breaks-writes rule-added spec [o2]',
    'breaks-writes maxLength-tightened spec.f [o0]',
    'breaks-objects field-removed spec.g [o1]',
    'breaks-objects field-removed spec.list[].a [o1]',
  ]);
});

test('values of maps, required fields and defaults', () => {
  const before = specOf({ labels: { type: 'object', additionalProperties: text }, f: text, g: text });
  const labels: SchemaNode = { type: 'object', additionalProperties: { ...text, maxLength: 2 } };
  const after = specOf({ labels, f: text, g: { ...text, default: 'x' } }, { required: ['f'] });
  expect(found(before, after, { labels: { app: 'long' }, f: 'a', g: 'b' }, { g: 'b' }, { f: 'a' })).toEqual([
    'breaks-writes required-added spec.f [o1]',
    'breaks-writes maxLength-tightened spec.labels.* [o0]',
    'changes-meaning default-added spec.g [o2]',
  ]);
});

test('a break of no object is a change of the meaning', () => {
  expect(found(specOf({ f: text }), specOf({ f: { ...text, maxLength: 2 } }), { f: 'a' })).toEqual([
    'changes-meaning maxLength-tightened spec.f []',
  ]);
  expect(found(specOf({ f: text }), specOf({ f: { ...text, maxLength: 2 } }))).toEqual([
    'breaks-writes maxLength-tightened spec.f',
  ]);
});
