import { formatPath, safeParseManifest } from '../../lib/api';

const container = { name: 'app', image: 'registry.example.com/cart:2.7.0' };
const problemsOf = (spec: object, pod: object = {}, more: object = {}) =>
  safeParseManifest({
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestService',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: { template: { spec: { containers: [{ ...container, ...more }], ...pod } }, ...spec },
  }).problems.map(({ code, path }) => `${code} ${formatPath(path)}`);
const at = 'spec.template.spec';

test.each<[string, readonly string[], readonly string[]]>([
  [
    'a required field with a typo in its name',
    problemsOf({ loadBalancer: { ports: [{ name: 'http', prot: 80 }] } }),
    ['unknown-field spec.loadBalancer.ports[0].prot'],
  ],
  [
    'an entry that is a copy',
    problemsOf({}, {}, { ports: [0, 1].map(() => ({ name: 'http', containerPort: 80 })) }),
    [`duplicate ${at}.containers[0].ports[1].containerPort`],
  ],
  [
    'a list of copies that is too long',
    problemsOf({}, { containers: Array.from({ length: 70 }, () => container) }),
    [`out-of-range ${at}.containers`],
  ],
  [
    'a volume with an invalid name',
    problemsOf({}, { volumes: [{ name: '~', emptyDir: {} }] }, { volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] }),
    [`bad-format ${at}.volumes[0].name`],
  ],
  [
    'a volume with an invalid field',
    problemsOf(
      {},
      { volumes: [{ name: 'tmp', emptyDir: { sizeLimits: '1Gi' } }] },
      { volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] },
    ),
    [`unknown-field ${at}.volumes[0].emptyDir.sizeLimits`],
  ],
  [
    'a limit that is not a quantity',
    problemsOf({}, {}, { resources: { requests: { memory: '1Gi' }, limits: { memory: '0Gb' } } }),
    [`bad-format ${at}.containers[0].resources.limits.memory`],
  ],
  [
    'a load balancer without ports',
    problemsOf({ loadBalancer: { targetPort: 8080 } }),
    ['invalid-combination spec.loadBalancer'],
  ],
])('%s has one message', (_, found, expected) => expect(found).toEqual(expected));

test.each<[string, readonly string[], number]>([
  ['two missing fields', problemsOf({}, { containers: [{}] }), 2],
  ['a typo and another missing field', problemsOf({ loadBalancer: { ports: [{ nme: 'http' }] } }), 2],
  [
    'two ports with the same number and two with the same name',
    problemsOf(
      {},
      {},
      {
        ports: [
          { name: 'http', containerPort: 80 },
          { name: 'http', containerPort: 81 },
          { name: 'grpc', containerPort: 81 },
        ],
      },
    ),
    2,
  ],
  [
    'a request above a limit with a warning',
    problemsOf({}, {}, { resources: { requests: { memory: '64Mi' }, limits: { memory: '128m' } } }),
    2,
  ],
  [
    'a volume with a problem of another field and a mount of no volume',
    problemsOf(
      {},
      { volumes: [{ name: 'cache', emptyDir: { sizeLimits: '1Gi' } }] },
      { volumeMounts: [{ name: 'cash', mountPath: '/cache' }] },
    ),
    2,
  ],
  [
    'two volumes with the same name and a mount of no volume',
    problemsOf(
      {},
      {
        volumes: [
          { name: 'cache', emptyDir: {} },
          { name: 'cache', emptyDir: { medium: 'Memory' } },
        ],
      },
      { volumeMounts: [{ name: 'cash', mountPath: '/cache' }] },
    ),
    2,
  ],
  ['16 unknown fields', problemsOf(Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, 1]))), 16],
])('%s keep their messages', (_, found, count) => expect(found).toHaveLength(count));

test('the first of many problems of the same kind says how many there are', () => {
  const spec = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, 1]));
  const { problems } = safeParseManifest({
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestService',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: { template: { spec: { containers: [container] } }, ...spec },
  });
  expect(problems.map(({ reason }) => reason)).toEqual(['does not exist (and 39 more beside it)']);
});

test('many problems of one field of the entries of a list do not stand for those of another field', () => {
  const containers = Array.from({ length: 17 }, (_, index) => ({ ...container, name: `app-${index}`, tty: 'yes' }));
  expect(problemsOf({}, { containers: [...containers, { ...container, stdin: 'yes' }] })).toEqual([
    `wrong-type ${at}.containers[0].tty`,
    `wrong-type ${at}.containers[17].stdin`,
  ]);
});
