import { type SpecInput } from '@pinion-platform/pinion';
import {
  makeCronJob,
  makeJobSet,
  makeService,
  makeStatefulSet,
  makeTrainingJob,
  makeProjectContext,
  objectsOf,
  snapshotOf,
} from '@pinion-platform/pinion/testing';
import { defaultProfile } from '../../lib/expand';

const service = makeService({
  iamRole: 'shop/reader',
  config: { files: { '/etc/app.yaml': 'level: info\n' } },
  secrets: { env: { TOKEN: { name: 'app', key: 'token' } }, files: { '/etc/tls': { name: 'app-tls' } } },
});

test('a service with files, secrets and an IAM role', () => {
  expect(snapshotOf(objectsOf(service))).toMatchSnapshot();
});

test('equal objects have equal snapshots, regardless of the order of their keys', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, reversed(member)]),
    );
  };
  const objects = objectsOf(service);
  expect(snapshotOf(reversed(objects) as typeof objects)).toBe(snapshotOf(objects));
});

test('additions of profile parts are shown in full on request', () => {
  const objects = objectsOf(service);
  const full = snapshotOf(objects, { profile: 'whole' });
  expect(full).toContain('PINION_POD_ADDRESS');
  expect(full).toContain('name: pinion-logs');
  expect(snapshotOf(objects).length).toBeLessThan(full.length / 2);
});

test('a new profile with a newer image changes only two lines', () => {
  const parts = JSON.parse(
    JSON.stringify(defaultProfile.spec.parts).replaceAll('fluent-bit:4.2.3', 'fluent-bit:4.2.4'),
  );
  const newer = makeProjectContext({
    profile: { name: 'default-2', version: '2.0.0', parts: parts as SpecInput<'RuntimeProfile'>['parts'] },
  });
  const before = snapshotOf(objectsOf(service)).split('\n');
  const after = snapshotOf(objectsOf(service, newer)).split('\n');
  const changed = after.filter((line) => !before.includes(line)).map((line) => line.trim());
  expect(changed).toEqual([
    'pinterest.com/runtime-profile: default-2',
    '- pinion-logs: docker.io/fluent/fluent-bit:4.2.4',
  ]);
});

test.each([
  service,
  makeStatefulSet(),
  makeCronJob(),
  makeJobSet({ configTemplates: [{ name: 'input', mountPath: '/etc/input', data: { a: '1' } }] }),
  makeTrainingJob({ sharedMemory: '64Mi', checkpoint: { claim: { size: '1Gi' } } }),
])('objects that a kind generates are not folded as profile parts: $kind', (input) => {
  const objects = objectsOf(input, makeProjectContext({ profile: { name: 'bare', parts: [], env: [] } }));
  expect(snapshotOf(objects)).toBe(snapshotOf(objects, { profile: 'whole' }));
});

test('metadata that differs between objects is shown for each object', () => {
  const objects = [
    ...objectsOf(makeService({ name: 'a' })),
    ...objectsOf(makeService({ name: 'b', project: 'other' })),
  ];
  const [head = '', first = ''] = snapshotOf(objects).split('---\n');
  expect(head).toContain('managed-by');
  expect(head).not.toContain('namespace');
  expect(first).toContain('namespace: shop');
  expect(first).toContain('pinterest.com/workload: a');
});

test('the snapshot of no objects is empty', () => {
  expect(snapshotOf([])).toBe('');
});
