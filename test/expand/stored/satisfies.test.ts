import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { loadAll } from 'js-yaml';
import { firstDifference, satisfies } from '../../../lib/expand/stored/satisfies';

const deployment = (pod: object, more: object = {}) => ({
  kind: 'Deployment',
  spec: { ...more, template: { spec: pod } },
});
const container = (more: object) => deployment({ containers: [{ name: 'app', image: 'a', ...more }] });

describe('values that the API server normalizes satisfy the desired ones', () => {
  test.each([
    [
      'thousandths of a CPU',
      container({ resources: { requests: { cpu: '0.5' } } }),
      container({ resources: { requests: { cpu: '500m' } } }),
    ],
    [
      'larger units',
      container({ resources: { limits: { memory: '1024Mi' } } }),
      container({ resources: { limits: { memory: '1Gi' } } }),
    ],
    [
      'a number in place of a quantity',
      container({ resources: { limits: { cpu: 2 } } }),
      container({ resources: { limits: { cpu: '2' } } }),
    ],
    [
      'less than a thousandth',
      container({ resources: { requests: { cpu: '0.0001' } } }),
      container({ resources: { requests: { cpu: '1m' } } }),
    ],
    [
      'a default port protocol',
      container({ ports: [{ containerPort: 80 }] }),
      container({ ports: [{ containerPort: 80, protocol: 'TCP' }] }),
    ],
    ['an empty value', container({ env: [{ name: 'A', value: '' }] }), container({ env: [{ name: 'A' }] })],
    ['an empty list', container({ args: [] }), container({})],
    ['an empty map', deployment({ nodeSelector: {} }), deployment({})],
    ['null', container({ command: null }), container({})],
    ['a zero without a pointer', deployment({}, { minReadySeconds: 0 }), deployment({})],
    ['false without a pointer', deployment({ hostNetwork: false }), deployment({})],
    [
      'a percentage',
      deployment({}, { strategy: { rollingUpdate: { maxSurge: '25%' } } }),
      deployment({}, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } } }),
    ],
    [
      'a whole number as a string',
      container({ livenessProbe: { httpGet: { port: '80' } } }),
      container({ livenessProbe: { httpGet: { port: 80 } } }),
    ],
    [
      'defaults in entries of atomic lists',
      deployment({ volumes: [{ name: 'a', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] }),
      deployment({
        volumes: [
          {
            name: 'a',
            projected: { defaultMode: 420, sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }] },
          },
        ],
      }),
    ],
    [
      'texts of a Secret',
      { kind: 'Secret', stringData: { a: 'ä' } },
      { kind: 'Secret', data: { a: Buffer.from('ä').toString('base64') } },
    ],
    ['order of finalizers', { kind: 'Job', metadata: { finalizers: ['a'] } }, { metadata: { finalizers: ['b', 'a'] } }],
  ])('%s', (_, desired, live) => {
    expect(firstDifference(desired, live)).toBeUndefined();
  });
});

describe('additions by others are ignored', () => {
  test.each([
    [
      'labels and annotations',
      { kind: 'Service', metadata: { labels: { a: 'b' } } },
      { kind: 'Service', metadata: { labels: { a: 'b', c: 'd' }, annotations: { e: 'f' } } },
    ],
    ['a sidecar', container({}), deployment({ containers: [{ name: 'mesh' }, { name: 'app', image: 'a' }] })],
    [
      'a variable between desired ones',
      container({
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      }),
      container({ env: [{ name: 'A', value: '1' }, { name: 'X' }, { name: 'B', value: '2' }] }),
    ],
    ['a replica count that is not set', deployment({}), deployment({}, { replicas: 7 })],
    ['keys of a ConfigMap', { kind: 'ConfigMap', data: { a: '1' } }, { kind: 'ConfigMap', data: { a: '1', b: '2' } }],
  ])('%s', (_, desired, live) => {
    expect(firstDifference(desired, live)).toBeUndefined();
  });
});

describe('a difference is reported by its path', () => {
  const policy = (ingress: readonly object[]) => ({ kind: 'NetworkPolicy', spec: { ingress } });
  test.each([
    ['spec.template.spec.containers[0].image', container({}), container({ image: 'b' })],
    [
      'spec.template.spec.containers[0].resources.limits.memory',
      container({ resources: { limits: { memory: '1Gi' } } }),
      container({ resources: { limits: { memory: '1G' } } }),
    ],
    [
      'spec.template.spec.containers[0].env[1]',
      container({ env: [{ name: 'A' }, { name: 'B' }] }),
      container({ env: [{ name: 'B' }, { name: 'A' }] }),
    ],
    ['spec.template.spec.containers[0].args', container({ args: ['a'] }), container({ args: ['a', 'b'] })],
    [
      'spec.template.spec.automountServiceAccountToken',
      deployment({ automountServiceAccountToken: false }),
      deployment({}),
    ],
    [
      'spec.template.spec.nodeSelector.zone',
      deployment({ nodeSelector: { pool: 'a' } }),
      deployment({ nodeSelector: { pool: 'a', zone: 'b' } }),
    ],
    [
      'spec.template.spec.volumes[0].emptyDir',
      deployment({ volumes: [{ name: 'a', emptyDir: {} }] }),
      deployment({ volumes: [{ name: 'a', hostPath: { path: '/' } }] }),
    ],
    [
      'spec.selector.app',
      { kind: 'Service', spec: { selector: { a: 'b' } } },
      { kind: 'Service', spec: { selector: { a: 'b', app: 'c' } } },
    ],
    [
      'spec.ports[0].targetPort',
      { kind: 'Service', spec: { ports: [{ port: 80, targetPort: 8080 }] } },
      { kind: 'Service', spec: { ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] } },
    ],
    [
      'spec.ingress[0].from',
      policy([{ ports: [{ port: 80 }] }]),
      policy([{ ports: [{ port: 80, protocol: 'TCP' }], from: [{ podSelector: { matchLabels: { a: 'b' } } }] }]),
    ],
    [
      'rules[0].resourceNames',
      { kind: 'Role', rules: [{ verbs: ['get'] }] },
      { kind: 'Role', rules: [{ verbs: ['get'], resourceNames: ['a'] }] },
    ],
    ['metadata.labels', { kind: 'Service', metadata: { labels: { team: 'a' } } }, { kind: 'Service', metadata: {} }],
    ['stringData.a', { kind: 'Secret', stringData: { a: 'b' } }, { kind: 'Secret', data: {} }],
  ])('%s', (path, desired, live) => {
    expect(firstDifference(desired, live)).toBe(path);
  });
});

test('any object of an unknown kind satisfies itself, even with additional fields', () => {
  const tree = fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.jsonValue(), { maxKeys: 5 });
  fc.assert(
    fc.property(tree, (spec) => {
      const object = { kind: 'Unknown', spec };
      expect(satisfies(object, structuredClone(object))).toBe(true);
      expect(satisfies(object, { ...object, spec: { ...spec, other: 1 }, status: {} })).toBe(true);
    }),
  );
});

const golden = join(__dirname, '..', '..', 'golden');

/** Returns every variant of a value with one scalar replaced, and its path. */
function* changesOf(value: unknown, path: readonly string[] = []): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null) {
    yield [
      path.join('.'),
      typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${String(value)}9`,
    ];
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    for (const [where, changed] of changesOf(member, [...path, key])) {
      yield [
        where,
        Array.isArray(value)
          ? (value as unknown[]).map((entry, index) => (String(index) === key ? changed : entry))
          : { ...value, [key]: changed },
      ];
    }
  }
}

test.each(
  readdirSync(golden, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name),
)('every change of any value of %s is detected', (name) => {
  const objects = loadAll(readFileSync(join(golden, name, 'objects.yaml'), 'utf8')) as Readonly<
    Record<string, unknown>
  >[];
  for (const { apiVersion, kind, ...body } of objects) {
    const desired = { apiVersion, kind, ...body };
    expect(firstDifference(desired, structuredClone(desired))).toBeUndefined();
    const unnoticed = [...changesOf(body)].filter(([, live]) => satisfies(desired, live as object));
    expect(unnoticed.map(([where]) => where)).toEqual([]);
  }
});
