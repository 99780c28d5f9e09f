import fc from 'fast-check';
import { formatQuantity, type Container, type PodSpec } from '../../../lib/api';
import { podFootprint } from '../../../lib/expand/footprint/pod-footprint';

const container = (cpu: string, memory: string, more: Partial<Container> = {}): Container => ({
  name: 'app',
  image: 'registry.example.com/app:1.0.0',
  resources: { requests: { cpu, memory }, limits: { memory } },
  ...more,
});
const sidecar = (cpu: string, memory: string) => container(cpu, memory, { restartPolicy: 'Always' });
const read = (pod: PodSpec) => {
  const { requests, limits } = podFootprint(pod);
  const texts = (amounts: typeof requests) =>
    Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, formatQuantity(amount)]));
  return { requests: texts(requests), limits: texts(limits) };
};

test('app containers run concurrently, so their requests add up', () =>
  expect(read({ containers: [container('100m', '64Mi'), container('0.5', '1Gi')] })).toEqual({
    requests: { cpu: '600m', memory: '1088Mi' },
    limits: { memory: '1088Mi' },
  }));

test('an init container counts if it requests more than all later containers', () =>
  expect(read({ initContainers: [container('2', '32Mi')], containers: [container('100m', '64Mi')] }).requests).toEqual({
    cpu: '2',
    memory: '64Mi',
  }));

test('a sidecar runs with the app and with later init containers, not with earlier ones', () => {
  const before = container('250m', '300Mi');
  const after = container('250m', '150Mi');
  const pod = (initContainers: readonly Container[]) =>
    read({ initContainers, containers: [container('100m', '100Mi')] }).requests;
  expect(pod([before, sidecar('50m', '100Mi')])).toEqual({ cpu: '250m', memory: '300Mi' });
  expect(pod([sidecar('50m', '100Mi'), after])).toEqual({ cpu: '300m', memory: '250Mi' });
  expect(pod([sidecar('50m', '100Mi'), sidecar('100m', '10Mi')])).toEqual({ cpu: '250m', memory: '210Mi' });
});

test('a limit is the default of a missing request', () =>
  expect(read({ containers: [{ ...container('1', '1Gi'), resources: { limits: { 'nvidia.com/gpu': 2 } } }] })).toEqual({
    requests: { 'nvidia.com/gpu': '2' },
    limits: { 'nvidia.com/gpu': '2' },
  }));

test('pod-level requests replace the sums, and the overhead of the runtime class is added', () =>
  expect(
    read({
      containers: [container('100m', '64Mi')],
      resources: { requests: { memory: '1Gi' } },
      overhead: { cpu: '250m', memory: '120Mi' },
    }),
  ).toEqual({ requests: { cpu: '350m', memory: '1144Mi' }, limits: { memory: '184Mi' } }));

test('quantities stay exact beyond the precision of numbers', () =>
  expect(read({ containers: [container('100m', '9007199254740993'), container('0.3', '1')] }).requests).toEqual({
    cpu: '400m',
    memory: '9007199254740994',
  }));

test('the order of app containers does not change the requests of a pod, and one more never reduces them', () => {
  const milli = fc.integer({ min: 0, max: 4000 }).map((value) => container(`${value}m`, `${value}Ki`));
  fc.assert(
    fc.property(fc.array(milli, { minLength: 1, maxLength: 5 }), milli, (containers, more) => {
      const cpu = (pod: PodSpec) => podFootprint(pod).requests['cpu']?.nanos ?? 0n;
      expect(cpu({ containers: [...containers].reverse() })).toBe(cpu({ containers }));
      expect(cpu({ containers: [...containers, more] })).toBeGreaterThanOrEqual(cpu({ containers }));
      expect(cpu({ containers, initContainers: [more] })).toBeGreaterThanOrEqual(cpu({ containers }));
    }),
  );
});
