import { Registry } from 'prom-client';
import { apiVersion, safeParseManifest } from '../../lib/api';
import { type LiveObject } from '../../lib/kube';
import { ReconcileMetrics } from '../../lib/controller/reconcile-metrics';

type Fields = Readonly<Record<string, unknown>>;

const stored = (
  kind: string,
  name: string,
  spec: unknown,
  status: Fields,
  created = '2026-11-21T12:00:00Z',
): LiveObject => ({
  ...{ apiVersion, kind, spec, status },
  metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: created },
});

function rollout(name: string, spec: Fields, status: Fields, created?: string): LiveObject {
  const input = {
    apiVersion,
    kind: 'PlatformRollout' as const,
    metadata: { name },
    spec: { revision: 'rev-b', ...spec },
  };
  const { manifest, problems } = safeParseManifest(input);
  if (!manifest) throw new Error(JSON.stringify(problems));
  return stored('PlatformRollout', name, manifest.spec, status, created);
}

const platform = (current: string) => stored('Platform', 'cluster', {}, { revisions: { current, completed: 'rev-a' } });

/** Returns the samples of rollouts, as Prometheus scrapes them. */
async function samples(objects: readonly LiveObject[]): Promise<readonly string[]> {
  const registry = new Registry();
  const stores = {
    resources: (kind: string) => objects.filter((object) => object.kind === kind),
    resource: () => undefined,
    children: () => [],
    ownedBy: () => [],
    sizes: () => new Map<string, number>(),
  };
  new ReconcileMetrics(registry, stores, { changes: [] }, () => 0);
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('pinion_rollout_'));
}

const phaseLine = (phase: string, reason: string, rollback = false): string =>
  `pinion_rollout_phase{phase="${phase}",reason="${reason}",rollback="${rollback}"} 1`;

const soaking = {
  ...{ phase: 'Progressing', reason: 'Soaking', started: '2026-11-21T12:01:00Z', wave: 'first' },
  ...{ workloads: 40, completed: 1, blocked: [{ workload: 'PinterestService/shop/cart', message: 'spec' }] },
  waves: [
    {
      ...{ name: 'first', phase: 'Soaking', workloads: 1, completed: 1 },
      ...{ started: '2026-11-21T12:01:00Z', changed: '2026-11-21T12:05:00Z' },
    },
  ],
};
const policy = { waves: [{ name: 'first', soak: '10m' }], soak: '1m' };
const seconds = (time: string): number => Date.parse(time) / 1000;

test('the open rollout has each phase, counts, the end of the soak time as progress, and the end of its emergency', async () => {
  const emergency = { reason: 'CVE-2026-1', until: '2026-11-21T15:00:00Z' };
  const found = await samples([rollout('rollout-b', { policy, emergency }, soaking), platform('rev-b')]);
  expect(found).toHaveLength(14);
  expect(found.filter((line) => line.startsWith('pinion_rollout_phase') && line.endsWith(' 1'))).toEqual([
    phaseLine('Progressing', 'Soaking'),
  ]);
  expect(found.filter((line) => !line.startsWith('pinion_rollout_phase'))).toEqual([
    'pinion_rollout_workloads 40',
    'pinion_rollout_state_workloads{state="completed"} 1',
    'pinion_rollout_state_workloads{state="transit"} 0',
    'pinion_rollout_state_workloads{state="failed"} 0',
    'pinion_rollout_state_workloads{state="blocked"} 1',
    `pinion_rollout_progress_timestamp_seconds ${seconds('2026-11-21T12:15:00Z')}`,
    `pinion_rollout_emergency_expiry_timestamp_seconds ${seconds('2026-11-21T15:00:00Z')}`,
  ]);
});

test('the last release counts as progress, and a rollout without a status from its creation', async () => {
  const transit = [
    {
      workload: 'PinterestService/shop/cart',
      uid: 'u',
      revision: 'rev-b',
      wave: 'rest',
      since: '2026-11-21T13:30:00Z',
    },
  ];
  const progress = async (status: Fields) =>
    (await samples([rollout('rollout-b', {}, status)])).find((line) => line.includes('progress'));
  expect(await progress({ phase: 'Progressing', started: '2026-11-21T12:01:00Z', transit })).toBe(
    `pinion_rollout_progress_timestamp_seconds ${seconds('2026-11-21T13:30:00Z')}`,
  );
  expect(await progress({})).toBe(`pinion_rollout_progress_timestamp_seconds ${seconds('2026-11-21T12:00:00Z')}`);
});

test.each([
  ['no rollout', [], []],
  ['a completed rollout', [rollout('rollout-b', {}, { phase: 'Completed' })], []],
  [
    'a failed rollout whose revision the Platform states',
    [rollout('rollout-b', {}, { phase: 'Failed', reason: 'WorkloadsFail' })],
    [phaseLine('Failed', 'WorkloadsFail')],
  ],
  ['a failed rollout of another revision', [rollout('rollout-b', { revision: 'rev-x' }, { phase: 'Failed' })], []],
  [
    'a rollback in progress, instead of the rollout that failed',
    [
      rollout('rollout-b', {}, { phase: 'Failed' }),
      rollout('rollback-b', { rollbackOf: 'rollout-b' }, { phase: 'Progressing' }, '2026-11-21T13:00:00Z'),
    ],
    [phaseLine('Progressing', '', true)],
  ],
  [
    'a rollout that was rolled back, instead of its completed rollback',
    [
      rollout('rollout-b', {}, { phase: 'RolledBack', reason: 'WorkloadsFail' }),
      rollout('rollback-b', { rollbackOf: 'rollout-b' }, { phase: 'Completed' }, '2026-11-21T13:00:00Z'),
    ],
    [phaseLine('RolledBack', 'WorkloadsFail')],
  ],
])('exports %s', async (_, rollouts, expected) => {
  const found = await samples([...rollouts, platform('rev-b')]);
  expect(found.filter((line) => line.endsWith(' 1'))).toEqual(expected);
  if (expected.length === 0) expect(found).toEqual([]);
});
