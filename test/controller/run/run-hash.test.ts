import { parseManifest, type ManifestInput } from '../../../lib/api';
import { runHash } from '../../../lib/controller/run/run-hash';
import { makeJobSet, makeReplicatedJobSet, makeTrainingJob } from '../../../lib/testing';
import { type RunManifest } from '../simulated-run';

const hashOf = (input: ManifestInput) => runHash(parseManifest(input) as RunManifest);

test('an omitted field and its explicit default are the same run', () => {
  expect(
    hashOf(makeJobSet({ retries: 3, successPolicy: undefined, placement: { spread: { zones: 'Preferred' } } })),
  ).toBe(hashOf(makeJobSet()));
  expect(hashOf(makeTrainingJob({ port: 23456, roles: { worker: { restartPolicy: 'OnFailure' } } }))).toBe(
    hashOf(makeTrainingJob()),
  );
});

test('a field with a default that a later version adds does not change the run', () => {
  const workload = parseManifest(makeJobSet()) as RunManifest;
  const { dnsNames: _, retries: __, ...before } = workload.spec as Readonly<Record<string, unknown>>;
  expect(runHash({ ...workload, spec: before } as unknown as RunManifest)).toBe(runHash(workload));
});

test.each([
  ['suspend', { suspend: true }],
  ['parallelism', { parallelism: 2 }],
  ['deadline', { activeDeadline: '1h' }],
  ['maxRestarts', { failurePolicy: { maxRestarts: 2 } }],
  ['allowLoss', { allowLoss: ['Progress' as const] }],
])('%s is not part of the work', (_, overrides) => expect(hashOf(makeJobSet(overrides))).toBe(hashOf(makeJobSet())));

test.each([
  ['rules of the failure policy', { failurePolicy: { rules: [{ action: 'FailJobSet' as const }] } }],
  ['the success policy', { successPolicy: { operator: 'Any' as const } }],
])('%s of a set with several jobs is not part of the work', (_, overrides) =>
  expect(hashOf(makeReplicatedJobSet(overrides))).toBe(hashOf(makeReplicatedJobSet())),
);

test('the replicas of a job are part of the work, its parallelism is not', () => {
  const { template } = makeJobSet().spec;
  if (!template) throw new Error('the builder has no template');
  const ofJob = (fields: object) =>
    hashOf(makeReplicatedJobSet({ replicatedJobs: [{ name: 'workers', shards: 2, template, ...fields }] }));
  expect(ofJob({ parallelism: 1 })).toBe(ofJob({}));
  expect(ofJob({ replicas: 2 })).not.toBe(ofJob({}));
});

test('the hash of a set with one template is that of earlier versions', () => {
  expect(hashOf(makeJobSet({ shards: 2, successPolicy: { count: 1 }, failurePolicy: { maxFailedShards: 0 } }))).toBe(
    '235e34abf4',
  );
});

test.each([
  ['shards', { shards: 4 }],
  ['retries', { retries: 1 }],
  ['image', { template: { spec: { containers: [{ name: 'app', image: 'app:2' }] } } }],
  ['maxFailedShards', { failurePolicy: { maxFailedShards: 1 } }],
])('%s is part of the work', (_, overrides) => expect(hashOf(makeJobSet(overrides))).not.toBe(hashOf(makeJobSet())));
