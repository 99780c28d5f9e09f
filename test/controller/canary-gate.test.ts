import { canaryHold } from '../../lib/controller/canary-gate';
import { childOf } from '../../lib/controller/observed/child-of';
import { type KubeClient, type LiveObject } from '../../lib/kube';
import { type CanaryRun, recordRun } from '../../lib/operations';

const ended = Date.parse('2026-03-01T10:00:00Z');
const minute = 60_000;
const canary = { project: 'pinion-canary', freshness: '30m' };

/** The report in the controller's cache, as the canary writes it. */
async function reportOf(run: Partial<CanaryRun> = {}) {
  let created: LiveObject | undefined;
  const client = {
    get: () => Promise.resolve(undefined),
    create: (object: object) => Promise.resolve((created = object as LiveObject)),
  };
  const complete: CanaryRun = {
    ...{ id: 'a', began: new Date(ended - minute).toISOString(), ended: new Date(ended).toISOString() },
    ...{ profile: 'lean-2', swept: 0 },
    cases: [{ kind: 'PinterestService', deploymentPath: 'controller', state: 'passed', steps: [] }],
    ...run,
  };
  await recordRun(client as unknown as KubeClient, canary.project, complete);
  const { metadata, ...rest } = created as LiveObject;
  return childOf({ ...rest, metadata: { ...metadata, uid: 'u', resourceVersion: '1' } });
}
const holdReason = async (run?: Partial<CanaryRun>, now = ended + minute) =>
  canaryHold({ canary, profile: 'lean-2' }, await reportOf(run), now);

test('nothing is blocked if the Platform requires no canary', () => {
  expect(canaryHold({ canary: undefined, profile: 'lean-2' }, undefined, ended)).toBeUndefined();
});

test('a recent successful run with the profile in force allows rollouts', async () => {
  expect(await holdReason()).toBeUndefined();
  expect(await holdReason({}, ended + 30 * minute)).toBeUndefined();
});

test('rollouts are blocked until a recent canary run with the profile in force', async () => {
  expect(canaryHold({ canary, profile: 'lean-2' }, undefined, ended)).toMatch(/no canary run/);
  expect(await holdReason({ profile: 'lean-1' })).toMatch(/used the runtime profile lean-1/);
  expect(await holdReason({}, ended + 31 * minute)).toMatch(/more than 30m ago/);
});

test('failures found by the canary are reported, and block rollouts', async () => {
  const failed = {
    step: 'ready',
    state: 'failed',
    seconds: 3,
    cause: { part: 'runtime-profile', owner: 'platform', message: 'a part of the profile fails', next: 'see its log' },
  } as const;
  const cases: CanaryRun['cases'] = [
    { kind: 'PinterestService', deploymentPath: 'controller', state: 'failed', steps: [failed] },
  ];
  expect(await holdReason({ cases })).toBe(
    'the canary is failing: PinterestService through controller: ready failed: a part of the profile fails',
  );
});

test('a corrupt report allows no rollouts', async () => {
  const report = await reportOf();
  const damaged = { ...report, content: () => ({ ...report.content(), data: { 'verdict.json': '{"isOpen":true}' } }) };
  expect(canaryHold({ canary, profile: 'lean-2' }, damaged, ended)).toMatch(/no canary run/);
});
