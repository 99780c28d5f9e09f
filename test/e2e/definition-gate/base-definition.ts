import { type SchemaNode } from '../../../lib/definitions/schema/schema-node';

const text: SchemaNode = { type: 'string' };
const number: SchemaNode = { type: 'integer' };

/** Returns the schema of the spec that is changed: one field of each sort that the gate judges. */
export const baseSpec = (): SchemaNode => ({
  type: 'object',
  properties: {
    replicas: { ...number, minimum: 0 },
    title: { ...text, maxLength: 20 },
    mode: { ...text, enum: ['a', 'b', 'c'] },
    color: { ...text, default: 'red' },
    size: { 'x-kubernetes-int-or-string': true },
    note: { ...text, nullable: true },
    share: { type: 'number' },
    labels: { type: 'object', additionalProperties: text },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, port: number, protocol: { ...text, default: 'TCP' } },
      },
    },
    hosts: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    args: { type: 'array', items: text },
    limits: { type: 'object', properties: { cpu: number, memory: text, strict: { type: 'boolean', default: false } } },
    raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    object: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-embedded-resource': true },
    since: { ...text, format: 'date-time' },
  },
});

/** Specs of the stored objects: full, with values that limits often exclude, and almost empty. */
export const storedSpecs: readonly Readonly<Record<string, unknown>>[] = [
  {
    ...{ replicas: 3, title: 'an example', mode: 'a', color: 'blue', size: '10%', note: null, share: 0.5 },
    labels: { app: 'web', tier: 'front' },
    ports: [
      { name: 'http', port: 80 },
      { name: 'admin', port: 8080, protocol: 'UDP' },
    ],
    ...{ hosts: ['a.example.com', 'b.example.com'], args: ['run', 'run', '--fast'] },
    limits: { cpu: 2, memory: '1Gi', strict: true },
    raw: { any: { thing: [1, 'two'] }, app: 'web' },
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { key: 'value' } },
    since: '2026-11-27T00:00:00Z',
  },
  {
    replicas: 0,
    title: '',
    mode: 'c',
    size: 4,
    note: 'text',
    labels: {},
    ports: [],
    hosts: [],
    args: ['same'],
    limits: {},
    raw: {},
  },
  { title: 'Z', mode: 'b', ports: [{ name: 'x' }], args: ['b', 'a'], limits: { cpu: 0 }, raw: { app: 'z' } },
  { replicas: 1 },
];
