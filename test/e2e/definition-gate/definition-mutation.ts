import { type CustomResourceDefinition, type DefinitionVersion } from '../../../lib/definitions/definition';
import { type CelRule, type SchemaNode } from '../../../lib/definitions/schema/schema-node';
import { type SeededRandom } from '../chaos/seeded-random';

/** A schema or a definition that a change may write to. */
type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Fields = Record<string, Writable<SchemaNode>>;

/** A change of the fields of the spec, of the spec itself, or of the version or definition around it. */
interface Change {
  readonly title: string;
  apply(
    fields: Fields,
    spec: Writable<SchemaNode>,
    version: Writable<DefinitionVersion>,
    definition: Writable<CustomResourceDefinition>,
  ): void;
}

const set = (field: string, over: Record<string, unknown>): Change => ({
  title: `${field} ${JSON.stringify(over)}`,
  apply: (fields) => void Object.assign(fields[field] ?? (fields[field] = {}), over),
});

const replace = (field: string, schema: SchemaNode): Change => ({
  title: `${field} becomes ${JSON.stringify(schema)}`,
  apply: (fields) => void (fields[field] = schema),
});

const remove = (field: string, ...keywords: readonly string[]): Change => ({
  title: keywords.length === 0 ? `${field} removed` : `${field} without ${keywords.join(', ')}`,
  apply: (fields) => {
    if (keywords.length === 0) Reflect.deleteProperty(fields, field);
    for (const keyword of keywords) Reflect.deleteProperty(fields[field] ?? {}, keyword);
  },
});

const rule = (field: string, cel: string): Change => ({
  title: `rule of ${field}: ${cel}`,
  apply: (fields, spec) => {
    const node = field === 'spec' ? spec : fields[field];
    const rules: readonly CelRule[] = [...(node?.['x-kubernetes-validations'] ?? []), { rule: cel }];
    if (node) node['x-kubernetes-validations'] = rules;
  },
});

const required = (...names: readonly string[]): Change => ({
  title: `required ${names.join(', ')}`,
  apply: (_, spec) => void (spec.required = names),
});

const below = (field: string, over: Fields): Change => ({
  title: `${field}.${Object.keys(over).join()} ${JSON.stringify(over)}`,
  apply: (fields) => {
    const node = fields[field];
    if (node?.items) node.items = { ...node.items, properties: { ...node.items.properties, ...over } };
    else if (node) node.properties = { ...node.properties, ...over };
  },
});

const version = (
  title: string,
  apply: (one: Writable<DefinitionVersion>, all: Writable<CustomResourceDefinition>) => void,
): Change => ({
  title,
  apply: (_fields, _spec, one, all) => apply(one, all),
});

const text: SchemaNode = { type: 'string' };
const number: SchemaNode = { type: 'integer' };

/** Changes of single fields: removed, added, other types, tighter and looser limits, defaults. */
const fieldChanges: readonly Change[] = [
  ...['title', 'mode', 'labels', 'ports', 'hosts', 'limits', 'raw', 'object', 'note'].map((field) => remove(field)),
  ...[
    replace('added', text),
    replace('added', { ...text, default: 'new' }),
    replace('added', { ...number, minimum: 3 }),
  ],
  ...[
    replace('title', number),
    replace('replicas', text),
    replace('share', number),
    replace('replicas', { type: 'number' }),
  ],
  ...[
    replace('limits', text),
    replace('args', text),
    replace('labels', { type: 'array', items: text }),
    replace('size', number),
  ],
  ...[
    replace('replicas', { 'x-kubernetes-int-or-string': true }),
    replace('labels', { type: 'object', properties: { app: text } }),
  ],
  ...[
    set('replicas', { minimum: 1 }),
    set('replicas', { maximum: 2 }),
    set('replicas', { multipleOf: 2 }),
    remove('replicas', 'minimum'),
  ],
  ...[
    set('replicas', { minimum: 1, exclusiveMinimum: true }),
    set('title', { maxLength: 5 }),
    set('title', { minLength: 1 }),
    set('title', { maxLength: 40 }),
  ],
  ...[
    set('title', { pattern: '^[a-z ]+$' }),
    set('title', { format: 'uuid' }),
    remove('since', 'format'),
    set('mode', { enum: ['a', 'b'] }),
  ],
  ...[
    set('mode', { enum: ['a', 'b', 'c', 'd'] }),
    remove('mode', 'enum'),
    set('color', { default: 'green' }),
    remove('color', 'default'),
  ],
  ...[
    set('mode', { default: 'b' }),
    set('title', { default: 'none' }),
    remove('note', 'nullable'),
    set('title', { nullable: true }),
  ],
  ...[
    set('labels', { maxProperties: 1 }),
    set('labels', { minProperties: 1 }),
    set('labels', { additionalProperties: { ...text, maxLength: 3 } }),
  ],
  ...[
    set('hosts', { maxItems: 1 }),
    set('args', { minItems: 2 }),
    set('args', { items: { ...text, maxLength: 3 } }),
    set('hosts', { items: { ...text, pattern: '^b' } }),
  ],
  ...[
    set('args', { 'x-kubernetes-list-type': 'set' }),
    set('hosts', { 'x-kubernetes-list-type': 'atomic' }),
    set('args', { 'x-kubernetes-list-type': 'atomic' }),
  ],
  ...[
    remove('raw', 'x-kubernetes-preserve-unknown-fields'),
    set('limits', { 'x-kubernetes-preserve-unknown-fields': true }),
  ],
  ...[
    set('raw', { properties: { app: { ...text, maxLength: 2 } } }),
    set('raw', { properties: { any: { type: 'object' } } }),
  ],
  ...[remove('object', 'x-kubernetes-embedded-resource'), set('raw', { 'x-kubernetes-embedded-resource': true })],
  ...[
    set('title', { not: { enum: ['Z'] } }),
    set('title', { anyOf: [{ minLength: 3 }, { maxLength: 0 }] }),
    set('title', { allOf: [{ maxLength: 8 }] }),
  ],
  ...[set('labels', { 'x-kubernetes-map-type': 'atomic' }), set('title', { description: 'a title' })],
];

/** Changes below a field, of what is required, and of rules. */
const nodeChanges: readonly Change[] = [
  ...[
    below('ports', { port: { ...number, minimum: 100 } }),
    below('ports', { protocol: { ...text, default: 'SCTP' } }),
  ],
  ...[
    below('ports', { added: { ...number, default: 1 } }),
    below('limits', { cpu: { ...number, minimum: 1 } }),
    below('limits', { strict: text }),
  ],
  ...[
    below('ports', { port: text }),
    set('ports', { maxItems: 1 }),
    remove('ports', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys'),
  ],
  ...[required('title'), required('color'), required('replicas', 'mode'), set('limits', { required: ['memory'] })],
  ...[rule('spec', '!has(self.replicas) || self.replicas > 0'), rule('spec', "!has(self.mode) || self.mode != 'c'")],
  ...[rule('title', 'size(self) < 5'), rule('labels', 'size(self) > 0'), rule('ports', 'self.all(p, has(p.port))')],
  ...[
    rule('title', 'self == oldSelf'),
    rule('spec', '!has(self.replicas) || (has(oldSelf.replicas) && self.replicas <= 3)'),
  ],
  ...[
    rule('limits', '!has(self.cpu) || self.cpu > 0'),
    rule('hosts', 'size(self) < 2'),
    rule('replicas', 'self >= oldSelf'),
  ],
];

/** Changes of the version and of the definition, and invalid ones. */
const definitionChanges: readonly Change[] = [
  version(
    'no status subresource',
    (one) => void (one.subresources = { ...(one.subresources?.scale && { scale: one.subresources.scale }) }),
  ),
  version('no scale subresource', (one) => void (one.subresources = { status: {} })),
  version('cluster scope', (_, all) => void (all.spec = { ...all.spec, scope: 'Cluster' })),
  version(
    'other kind',
    (_, all) => void (all.spec = { ...all.spec, names: { ...all.spec.names, kind: 'Other', listKind: 'OtherList' } }),
  ),
  version('not stored', (one) => void (one.storage = false)),
  version(
    'a short name',
    (_, all) => void (all.spec = { ...all.spec, names: { ...all.spec.names, shortNames: ['x'] } }),
  ),
  version(
    'scale without spec',
    (one) =>
      void (one.subresources = { scale: { specReplicasPath: '.replicas', statusReplicasPath: '.status.replicas' } }),
  ),
  version('stored as another version', (one, all) => {
    all.spec = {
      ...all.spec,
      versions: [
        { ...one, storage: false },
        { ...one, name: 'v2' },
      ],
    };
  }),
  version('renamed version', (one) => void (one.name = 'v3')),
  ...[
    set('title', { pattern: '(' }),
    set('replicas', { default: 'text' }),
    rule('title', 'self =='),
    set('title', { type: 'text' }),
  ],
  ...[
    remove('args', 'items'),
    set('labels', { properties: { a: text } }),
    set('title', { 'x-kubernetes-list-type': 'set' }),
  ],
  ...[
    rule('spec', "self.args.all(a, a == 'x')"),
    set('ports', { 'x-kubernetes-list-map-keys': ['port'] }),
    set('title', { $ref: '#/a' }),
  ],
  ...[
    remove('title', 'type'),
    set('size', { type: 'string' }),
    set('hosts', { uniqueItems: true }),
    set('color', { default: 4 }),
  ],
];

/** A drawn change of a definition. */
export interface DefinitionMutation {
  readonly title: string;
  readonly after: CustomResourceDefinition;
}

/** Draws one or two changes of a definition, by the seed of the random numbers. */
export function drawDefinition(before: CustomResourceDefinition, random: SeededRandom): DefinitionMutation {
  const after = JSON.parse(JSON.stringify(before)) as Writable<CustomResourceDefinition>;
  const changes = Array.from({ length: random.is(0.25) ? 2 : 1 }, () => {
    const all = [fieldChanges, fieldChanges, nodeChanges, definitionChanges][random.integer(0, 3)] ?? fieldChanges;
    return random.of(all);
  });
  for (const change of changes) {
    const [one] = after.spec.versions as unknown as readonly Writable<DefinitionVersion>[];
    const spec = one?.schema?.openAPIV3Schema?.properties?.['spec'] as Writable<SchemaNode> | undefined;
    if (one && spec) change.apply(spec.properties as Fields, spec, one, after);
  }
  return { title: changes.map(({ title }) => title).join('; '), after };
}
