import { type KubeClient } from '../../../lib/kube';
import {
  checkCanaryGate,
  type CanaryGateResult,
  type CanaryCase,
  type CanaryRun,
  emptyReport,
  type RollStep,
  withRun,
} from '../../../lib/operations';
import { UnitGate } from '../../../lib/operations/roll/unit-gate';

const markDraining = (node: string, starts = true): RollStep => ({
  do: 'mark-draining',
  group: `prod-${node}`,
  machine: `i-${node}`,
  ...(starts && { starts: node }),
});
const saveCapacity = (starts = true): RollStep => ({
  do: 'save-desired-capacity',
  group: 'prod-general',
  desiredCapacity: 3,
  ...(starts && { starts: 'general' }),
});
const clearCapacity: RollStep = { do: 'clear-desired-capacity', group: 'prod-general' };
const plan = (...steps: readonly RollStep[]) => ({ steps, waits: [] });

/** Returns a gate with these states in order, and records its checks and reports. */
function gateOf(...states: readonly CanaryGateResult['state'][]) {
  const [checks, reported]: [(number | undefined)[], string[]] = [[], []];
  const gate = new UnitGate({
    gate: (since) => {
      checks.push(since);
      const state = states[checks.length - 1] ?? 'closed';
      return Promise.resolve({ state, reasons: [`${state} now`] });
    },
    onGate: (reasons) => void reported.push(...reasons),
  });
  return { gate, checks, reported };
}

test('the gate is checked once before each unit, with the time of the last change', async () => {
  const { gate, checks } = gateOf('open', 'open', 'open');
  expect(await gate.filter(plan(markDraining('control-plane-b')), 900)).toEqual({
    steps: [markDraining('control-plane-b')],
  });
  gate.recordSteps([markDraining('control-plane-b')], 1000);
  // The cloud does not list it yet.
  expect(await gate.filter(plan(markDraining('control-plane-b')), 1001)).toMatchObject({
    steps: [markDraining('control-plane-b')],
  });
  await gate.filter(plan(markDraining('control-plane-a')), 1002);
  await gate.filter({ steps: [], waits: [{ group: 'prod-control-plane-a', for: 'its machine is starting' }] }, 2000);
  await gate.filter(plan(saveCapacity()), 2100);
  expect(checks).toEqual([undefined, 1000, 2000]);
});

test('a started unit continues without another check, even if another process started it', async () => {
  const { gate, checks } = gateOf();
  for (const step of [markDraining('control-plane-a', false), saveCapacity(false), clearCapacity])
    expect(await gate.filter(plan(step), 0)).toEqual({ steps: [step] });
  expect(checks).toEqual([]);
});

test('a pool that finished and starts again is checked again', async () => {
  const { gate, checks } = gateOf('open', 'open');
  await gate.filter(plan(saveCapacity()), 0);
  await gate.filter(plan(saveCapacity()), 0);
  gate.recordSteps([clearCapacity], 5);
  await gate.filter(plan(saveCapacity()), 6);
  expect(checks).toEqual([undefined, 5]);
});

test('a run that has not started is awaited while other steps continue, and a failed one stops the roll and names the override', async () => {
  const { gate, reported } = gateOf('pending', 'closed');
  expect(await gate.filter(plan(clearCapacity, saveCapacity()), 0)).toEqual({ steps: [clearCapacity] });
  expect(await gate.filter(plan(saveCapacity()), 0)).toMatchObject({
    steps: [],
    halt: {
      unit: 'general',
      reason: 'the canary is failing: closed now',
      remedy: expect.stringContaining('--ignore-canary') as string,
    },
  });
  expect(reported).toEqual(['pending now', 'closed now']);
});

test('without a canary a roll continues with a notice, and without steps left the gate is not checked', async () => {
  const { gate, checks, reported } = gateOf('absent');
  expect(await gate.filter(plan(saveCapacity()), 0)).toEqual({ steps: [saveCapacity()] });
  expect(await gate.filter(plan(), 0)).toEqual({ steps: [] });
  expect([checks, reported]).toEqual([[undefined], ['absent now']]);
});

describe('the canary gate is', () => {
  const now = Date.parse('2026-03-01T10:00:00Z');
  const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
  const clock = { now: () => now, after: () => () => undefined, random: () => 0 };
  const run = (
    began: number,
    ended: number,
    state: CanaryCase['state'],
    ...deploymentPaths: readonly CanaryCase['deploymentPath'][]
  ): CanaryRun => ({
    id: 'a',
    began: ago(began),
    ended: ago(ended),
    swept: 0,
    profile: 'lean-1',
    cases: deploymentPaths.map((deploymentPath) => ({ kind: 'PinterestService', deploymentPath, state, steps: [] })),
  });
  const check = (runs: readonly CanaryRun[], since?: number) => {
    const report = runs.reduce(withRun, emptyReport);
    const data = runs.length > 0 && { 'report.json': JSON.stringify(report) };
    const client = { get: () => Promise.resolve(data && { data }) } as unknown as KubeClient;
    return checkCanaryGate({ client, clock }, 'pinion-canary', since);
  };

  const since = now - 3 * 60_000;
  const first = run(6, 5, 'passed', 'synth', 'controller');

  test.each<readonly [string, readonly CanaryRun[], number | undefined, CanaryGateResult['state']]>([
    ['absent without a report', [], undefined, 'absent'],
    ['open after a passed run', [first], undefined, 'open'],
    ['closed after a failed one', [run(5, 4, 'failed', 'synth')], undefined, 'closed'],
    ['closed after a stale one', [run(50, 45, 'passed', 'synth')], undefined, 'closed'],
    ['pending if the run started before the last change', [run(5, 1, 'passed', 'synth')], since, 'pending'],
    ['open if it started after the last change', [first, run(2, 1, 'passed', 'synth', 'controller')], since, 'open'],
    [
      'pending if the run since tested one deployment path of two',
      [first, run(2, 1, 'passed', 'synth')],
      since,
      'pending',
    ],
    [
      'open if two runs since tested one each',
      [first, run(2, 2, 'passed', 'synth'), run(1, 1, 'passed', 'controller')],
      since,
      'open',
    ],
    [
      'pending if the deployment path was skipped since',
      [first, run(2, 1, 'skipped', 'synth', 'controller')],
      since,
      'pending',
    ],
    ['closed if the run since failed', [first, run(2, 1, 'failed', 'synth')], since, 'closed'],
  ])('%s', async (_, runs, after, state) => {
    expect((await check(runs, after)).state).toBe(state);
  });
});
