import { compareDefinitions, type FindingClass } from '../../lib/definitions';
import { type SchemaNode } from '../../lib/definitions/schema/schema-node';
import { definitionOf, specOf } from './build-definition';

const text: SchemaNode = { type: 'string' };
const number: SchemaNode = { type: 'integer' };
const list = (over: SchemaNode = {}): SchemaNode => ({ type: 'array', items: text, ...over });
const ports = (over: SchemaNode = {}): SchemaNode => ({
  type: 'array',
  items: { type: 'object', required: ['name'], properties: { name: text, port: number } },
  ...over,
});

type Case = readonly [
  title: string,
  before: SchemaNode | undefined,
  after: SchemaNode | undefined,
  ...found: readonly `${FindingClass} ${string}`[],
];

/** A field `f` of the spec before and after, and the findings. */
const cases: readonly Case[] = [
  ['equal', text, text],
  ['documented', text, { ...text, description: 'a text' } as SchemaNode],
  ['added', undefined, text, 'safe field-added spec.f'],
  [
    'added with a default',
    undefined,
    { ...text, default: 'a' },
    'changes-meaning default-added spec.f',
    'safe field-added spec.f',
  ],
  ['removed', text, undefined, 'breaks-objects field-removed spec.f'],
  ['string to integer', text, number, 'breaks-writes type-changed spec.f'],
  ['integer to number', number, { type: 'number' }, 'breaks-clients type-widened spec.f'],
  ['number to integer', { type: 'number' }, number, 'breaks-writes type-changed spec.f'],
  ['object to string', { type: 'object', properties: { a: text } }, text, 'breaks-objects type-changed-prunes spec.f'],
  ['integer to int or string', number, { 'x-kubernetes-int-or-string': true }, 'breaks-clients type-widened spec.f'],
  ['int or string to integer', { 'x-kubernetes-int-or-string': true }, number, 'breaks-writes type-changed spec.f'],
  ['minimum raised', { ...number, minimum: 1 }, { ...number, minimum: 2 }, 'breaks-writes minimum-tightened spec.f'],
  ['minimum lowered', { ...number, minimum: 2 }, { ...number, minimum: 1 }, 'safe minimum-loosened spec.f'],
  ['maximum added', number, { ...number, maximum: 9 }, 'breaks-writes maximum-tightened spec.f'],
  ['maximum removed', { ...number, maximum: 9 }, number, 'safe maximum-loosened spec.f'],
  [
    'exclusive',
    { ...number, maximum: 9 },
    { ...number, maximum: 9, exclusiveMaximum: true },
    'breaks-writes exclusiveMaximum-tightened spec.f',
  ],
  [
    'multiple of a divisor',
    { ...number, multipleOf: 4 },
    { ...number, multipleOf: 2 },
    'safe multipleOf-loosened spec.f',
  ],
  [
    'multiple of another',
    { ...number, multipleOf: 2 },
    { ...number, multipleOf: 4 },
    'breaks-writes multipleOf-tightened spec.f',
  ],
  ['shorter', text, { ...text, maxLength: 3 }, 'breaks-writes maxLength-tightened spec.f'],
  ['fewer items', list({ maxItems: 5 }), list({ maxItems: 4 }), 'breaks-writes maxItems-tightened spec.f'],
  ['pattern changed', { ...text, pattern: 'a' }, { ...text, pattern: 'b' }, 'breaks-writes pattern-changed spec.f'],
  ['pattern removed', { ...text, pattern: 'a' }, text, 'safe pattern-loosened spec.f'],
  ['enum smaller', { ...text, enum: ['a', 'b'] }, { ...text, enum: ['a'] }, 'breaks-writes enum-tightened spec.f'],
  ['enum larger', { ...text, enum: ['a'] }, { ...text, enum: ['a', 'b'] }, 'safe enum-loosened spec.f'],
  [
    'enum replaced',
    { ...text, enum: ['a'] },
    { ...text, enum: ['b'] },
    'breaks-writes enum-tightened spec.f',
    'safe enum-loosened spec.f',
  ],
  ['format added', text, { ...text, format: 'uuid' }, 'breaks-writes format-tightened spec.f'],
  ['not nullable', { ...text, nullable: true }, text, 'breaks-objects nullable-removed spec.f'],
  ['nullable', text, { ...text, nullable: true }, 'breaks-clients nullable-added spec.f'],
  ['default changed', { ...text, default: 'a' }, { ...text, default: 'b' }, 'changes-meaning default-changed spec.f'],
  ['default removed', { ...text, default: 'a' }, text, 'changes-meaning default-removed spec.f'],
  ['set', list(), list({ 'x-kubernetes-list-type': 'set' }), 'breaks-writes list-type-changed spec.f'],
  ['no set', list({ 'x-kubernetes-list-type': 'set' }), list(), 'changes-meaning list-type-changed spec.f'],
  [
    'map',
    ports(),
    ports({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    'breaks-writes list-type-changed spec.f',
  ],
  [
    'field of items removed',
    ports(),
    ports({ items: { type: 'object', required: ['name'], properties: { name: text } } }),
    'breaks-objects field-removed spec.f[].port',
  ],
  [
    'values of a map',
    { type: 'object', additionalProperties: text },
    { type: 'object', additionalProperties: { ...text, maxLength: 3 } },
    'breaks-writes maxLength-tightened spec.f.*',
  ],
  [
    'map to fields',
    { type: 'object', additionalProperties: text },
    { type: 'object', properties: { a: text } },
    'breaks-objects field-removed spec.f.*',
  ],
  [
    'unknown fields no longer kept',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object' },
    'breaks-objects unknown-fields-pruned spec.f',
  ],
  [
    'unknown fields kept',
    { type: 'object' },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    'changes-meaning unknown-fields-kept spec.f',
  ],
  [
    'described',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: text } },
    'breaks-writes field-described spec.f.a',
  ],
  [
    'embedded',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-embedded-resource': true },
    'breaks-writes embedded-resource-added spec.f',
  ],
  [
    'atomic map',
    { type: 'object' },
    { type: 'object', 'x-kubernetes-map-type': 'atomic' },
    'changes-meaning map-type-changed spec.f',
  ],
  [
    'rule added',
    text,
    { ...text, 'x-kubernetes-validations': [{ rule: "self != 'a'" }] },
    'breaks-writes rule-added spec.f',
  ],
  [
    'rule removed',
    { ...text, 'x-kubernetes-validations': [{ rule: "self != 'a'" }] },
    text,
    'changes-meaning rule-removed spec.f',
  ],
  [
    'rule changed',
    { ...text, 'x-kubernetes-validations': [{ rule: "self != 'a'" }] },
    { ...text, 'x-kubernetes-validations': [{ rule: "self != 'b'" }] },
    'breaks-writes rule-changed spec.f',
  ],
  [
    'message of a rule',
    { ...text, 'x-kubernetes-validations': [{ rule: "self != 'a'" }] },
    { ...text, 'x-kubernetes-validations': [{ rule: "self != 'a'", message: 'no a' }] },
  ],
  [
    'creation rule',
    text,
    { ...text, 'x-kubernetes-validations': [{ rule: "oldSelf.hasValue() || self != 'a'", optionalOldSelf: true }] },
    'breaks-clients rule-added spec.f',
  ],
  [
    'alternatives changed',
    { ...text, anyOf: [{ maxLength: 3 }] },
    { ...text, anyOf: [{ maxLength: 4 }] },
    'unknown anyOf-changed spec.f',
  ],
  ['alternatives added', text, { ...text, not: { enum: ['a'] } }, 'breaks-writes not-added spec.f'],
  ['unknown keyword', text, { ...text, 'x-kubernetes-future': true } as SchemaNode, 'unknown keyword-changed spec.f'],
  [
    'invalid CEL',
    text,
    { ...text, 'x-kubernetes-validations': [{ rule: 'self ==' }] },
    'refused invalid-rule spec.f',
    'breaks-writes rule-added spec.f',
  ],
  [
    'invalid default',
    number,
    { ...number, default: 'a' },
    'refused invalid-default spec.f',
    'changes-meaning default-added spec.f',
  ],
  [
    'not structural',
    { type: 'object' },
    {},
    'refused schema-not-structural spec.f',
    'breaks-clients type-widened spec.f',
  ],
];

test.each(cases.map((one) => [one[0], one] as const))('field %s', (_, [, before, after, ...expected]) => {
  const definition = (schema: SchemaNode | undefined) =>
    definitionOf(specOf(schema === undefined ? {} : { f: schema }));
  const found = compareDefinitions(definition(before), definition(after));
  expect(found.map((one) => `${one.class} ${one.change} ${one.path}`)).toEqual(expected);
  for (const { definition: name, reason, remedy } of found)
    expect([name, reason.length > 0, remedy.length > 0]).toEqual(['widgets.example.com', true, true]);
});

test('a new required field breaks writes, unless it has a default', () => {
  const before = definitionOf(specOf({ f: text }));
  const classes = (schema: SchemaNode) =>
    compareDefinitions(before, definitionOf(specOf({ f: schema }, { required: ['f'] })))
      .filter(({ change }) => change === 'required-added')
      .map((finding) => finding.class);
  expect(classes(text)).toEqual(['breaks-writes']);
  expect(classes({ ...text, default: 'a' })).toEqual(['safe']);
});

test('a rule of a field that is new limits no stored object', () => {
  const after = specOf({ f: text }, { 'x-kubernetes-validations': [{ rule: '!has(self.f) || !has(self.replicas)' }] });
  const found = compareDefinitions(definitionOf(specOf({})), definitionOf(after));
  expect(found.map((one) => `${one.class} ${one.change}`)).toEqual(['safe rule-added', 'safe field-added']);
});

const spec = specOf({});
const v2 = { ...definitionOf(spec).spec.versions[0], name: 'v2' };
const v1 = definitionOf(spec).spec.versions[0];

/** Parts of the definition before and after, and the findings. */
const parts: readonly (readonly [string, object, object, ...string[]])[] = [
  ['scope', {}, { spec: { scope: 'Cluster' } }, 'refused immutable-field-changed spec.scope'],
  [
    'kind',
    {},
    { spec: { names: { kind: 'Gadget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' } } },
    'refused immutable-field-changed spec.names.kind',
  ],
  [
    'short name',
    { spec: { names: { kind: 'Widget', plural: 'widgets', shortNames: ['w'] } } },
    { spec: { names: { kind: 'Widget', plural: 'widgets' } } },
    'breaks-clients name-removed spec.names.shortNames',
  ],
  ['webhook', {}, { spec: { conversion: { strategy: 'Webhook' } } }, 'unknown conversion-changed spec.conversion'],
  [
    'no webhook',
    { spec: { conversion: { strategy: 'Webhook' } } },
    {},
    'breaks-objects conversion-removed spec.conversion',
  ],
  [
    'status',
    {},
    { version: { subresources: { scale: v1?.subresources?.scale } } },
    'breaks-clients status-removed subresources.status',
  ],
  ['scale', {}, { version: { subresources: { status: {} } } }, 'breaks-clients scale-removed subresources.scale'],
  [
    'scale path',
    {},
    {
      version: {
        subresources: { status: {}, scale: { specReplicasPath: '.replicas', statusReplicasPath: '.status.replicas' } },
      },
    },
    'refused invalid-scale-path subresources.scale.specReplicasPath',
    'breaks-clients scale-changed subresources.scale',
  ],
  [
    'columns',
    {},
    { version: { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }] } },
    'safe columns-changed additionalPrinterColumns',
  ],
  [
    'selectable field',
    { version: { selectableFields: [{ jsonPath: '.spec.replicas' }] } },
    {},
    'breaks-clients selectable-field-removed .spec.replicas',
  ],
  ['not served', {}, { version: { served: false } }, 'breaks-clients version-unserved served'],
  ['no storage', {}, { version: { storage: false } }, 'refused storage-version-count spec.versions'],
  ['version added', {}, { spec: { versions: [v1, { ...v2, storage: false }] } }, 'safe version-added spec.versions[1]'],
  [
    'storage flipped',
    { spec: { versions: [v1, { ...v2, storage: false }] } },
    { spec: { versions: [{ ...v1, storage: false }, v2] } },
    'changes-meaning storage-version-changed storage',
  ],
  [
    'stored version removed',
    { spec: { versions: [{ ...v1, storage: false }, v2] }, status: { storedVersions: ['v1', 'v2'] } },
    { spec: { versions: [v2] } },
    'refused stored-version-removed spec.versions[0]',
  ],
  [
    'served version removed',
    { spec: { versions: [{ ...v1, storage: false }, v2] }, status: { storedVersions: ['v2'] } },
    { spec: { versions: [v2] } },
    'breaks-clients version-removed spec.versions[0]',
  ],
];

test.each(parts.map((one) => [one[0], one] as const))(
  'definition with another %s',
  (_, [, before, after, ...expected]) => {
    const found = compareDefinitions(definitionOf(spec, before), definitionOf(spec, after));
    expect(found.map((one) => `${one.class} ${one.change} ${one.path}`)).toEqual(expected);
  },
);
