import { complete, type Input } from '../../../lib/api';
import { runHash } from '../../../lib/controller/conduct/run-hash';
import { makeJobSet, makeTrainingJob } from '../../../lib/testing';
import { type Conductable } from '../conducted-cluster';

const hashOf = (input: Input) => runHash(complete(input) as Conductable);

test('what is left out and what is said as its default is one run', () => {
  expect(hashOf(makeJobSet({ retries: 3, success: undefined, placement: { spread: { zones: 'preferred' } } }))).toBe(
    hashOf(makeJobSet()),
  );
  expect(hashOf(makeTrainingJob({ port: 23456, roles: { worker: { restart: 'OnFailure' } } }))).toBe(
    hashOf(makeTrainingJob()),
  );
});

test('a field that a later version adds with a default changes no run', () => {
  const workload = complete(makeJobSet()) as Conductable;
  const { dnsNames: _, retries: __, ...before } = workload.spec as Readonly<Record<string, unknown>>;
  expect(runHash({ ...workload, spec: before } as unknown as Conductable)).toBe(runHash(workload));
});

test.each([
  ['suspend', { suspend: true }],
  ['parallelism', { parallelism: 2 }],
  ['deadline', { deadline: '1h' }],
  ['maxRestarts', { failure: { maxRestarts: 2 } }],
  ['consent', { allowLoss: ['progress' as const] }],
])('%s is not work', (_, said) => expect(hashOf(makeJobSet(said))).toBe(hashOf(makeJobSet())));

test.each([
  ['shards', { shards: 4 }],
  ['retries', { retries: 1 }],
  ['image', { template: { spec: { containers: [{ name: 'app', image: 'app:2' }] } } }],
  ['maxFailedShards', { failure: { maxFailedShards: 1 } }],
])('%s is work', (_, said) => expect(hashOf(makeJobSet(said))).not.toBe(hashOf(makeJobSet())));
