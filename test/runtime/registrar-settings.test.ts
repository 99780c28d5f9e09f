import fc from 'fast-check';
import { readSettings, type RegistrarSettings } from '../../lib/runtime/registrar-settings';

const given = {
  ZOOKEEPER: 'zk1.example.com:2181,zk2.example.com',
  SERVICE_PORT: '8080',
  STATUS_PORT: '19106',
  PINION_PROJECT: 'shop',
  PINION_WORKLOAD: 'ads',
  PINION_POD: 'ads-7d9c',
  PINION_POD_ADDRESS: '10.2.3.4',
  PINION_POD_UID: '0b9e8a0c-6d0f-4c5e-9f65-2b1a3c4d5e6f',
};

function settings(more: Readonly<Record<string, string>> = {}): RegistrarSettings {
  const read = readSettings({ ...given, ...more });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.settings;
}
const wrong = (more: Readonly<Record<string, string>>): readonly unknown[] => {
  const read = readSettings({ ...given, ...more });
  return 'problems' in read ? read.problems.map(({ path }) => path[0]) : [];
};

test('settings of the traffic part are sufficient, and the others have defaults', () => {
  expect(settings()).toMatchObject({
    servers: [
      { host: 'zk1.example.com', port: 2181 },
      { host: 'zk2.example.com', port: 2181 },
    ],
    root: '',
    service: 'shop/ads',
    readinessPath: '/healthz',
    readinessPeriod: 1000,
    sessionTimeout: 10_000,
    unreadyAfter: 3,
    level: 'info',
    identity: undefined,
  });
});

test('an ensemble may have IPv6 addresses and a root path', () => {
  const { servers, root } = settings({ ZOOKEEPER: '[fd00::1]:2182, 10.0.0.1/discovery/prod/' });
  expect(servers).toEqual([
    { host: 'fd00::1', port: 2182 },
    { host: '10.0.0.1', port: 2181 },
  ]);
  expect(root).toBe('/discovery/prod');
});

test('an auth scheme reads its secret from the given file, or else from the token of the pod', () => {
  const token = { ZOOKEEPER_AUTH_SCHEME: 'spiffe', IDENTITY_TOKEN: '/var/run/token' };
  expect(settings(token).identity).toEqual({ scheme: 'spiffe', file: '/var/run/token' });
  const file = { ...token, ZOOKEEPER_AUTH_SCHEME: 'digest', ZOOKEEPER_AUTH_FILE: '/etc/secret' };
  expect(settings(file).identity).toEqual({ scheme: 'digest', file: '/etc/secret' });
  expect(wrong({ ZOOKEEPER_AUTH_SCHEME: 'digest' })).toEqual(['ZOOKEEPER_AUTH_FILE']);
});

test('reports all missing settings at once', () => {
  const read = readSettings({});
  expect('problems' in read && read.problems.map(({ path }) => path[0])).toEqual([
    'PINION_PROJECT',
    'PINION_WORKLOAD',
    'ZOOKEEPER',
    'PINION_POD_ADDRESS',
    'SERVICE_PORT',
    'STATUS_PORT',
    'PINION_POD_UID',
    'PINION_POD',
  ]);
});

test.each([
  ['ZOOKEEPER', 'zk1:70000'],
  ['ZOOKEEPER', 'zk1,,zk2'],
  ['ZOOKEEPER', 'zk1/a/../b'],
  ['ZOOKEEPER', 'http://zk1:2181'],
  ['SERVICE_PORT', '8080.5'],
  ['SERVICE_PORT', '0'],
  ['STATUS_PORT', 'http'],
  ['SERVICE_NAME', '/ads'],
  ['SERVICE_NAME', 'shop/../other'],
  ['READINESS_PATH', 'healthz'],
  ['READINESS_PATH', '/a b'],
  ['LOG_LEVEL', 'verbose'],
  ['SESSION_TIMEOUT_SECONDS', '0.5'],
  ['UNREADY_AFTER', '0'],
  ['PINION_POD_ADDRESS', 'ads.example.com'],
  ['PINION_POD_UID', 'a/b'],
])('%s = %s is rejected', (name, value) => {
  expect(wrong({ [name]: value })).toEqual([name]);
});

test('no service name leads outside of its own folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '.', '/', '-', '_', '\u0000', ' ', 'é') }), (name) => {
      const read = readSettings({ ...given, SERVICE_NAME: name });
      if ('problems' in read) return;
      for (const step of read.settings.service.split('/')) expect(['', '.', '..']).not.toContain(step);
    }),
  );
});
