import { type KubeClient } from '../../lib/kube';
import { type CanaryGateResult, type RollStep, type RollDeps, runRoll, defaultRollPolicy } from '../../lib/operations';
import { seededRandom } from '../kube/manual-clock';
import { SimulatedCluster } from './simulated-cluster';

/** Returns the dependencies of a roll on simulated machines; waiting advances the clock. */
function rollDepsOf(cluster: SimulatedCluster): RollDeps {
  const client = {
    list: ({ kind }: { readonly kind: string }) => {
      const nodes = [...cluster.observe().nodes].map(([id, node]) => ({
        ...node,
        spec: { ...specOf(node), providerID: `aws:///a/${id}` },
      }));
      return Promise.resolve({ items: kind === 'Node' ? nodes : [] });
    },
    patch: (_: unknown, { name }: { readonly name: string }) =>
      cluster.execute({ do: 'cordon', machine: name.slice('node-'.length), node: name }),
  };
  return {
    client: client as unknown as KubeClient,
    machines: cluster,
    probe: ({ member }) => Promise.resolve(cluster.health().find((one) => one.member === member) as never),
    clock: {
      now: () => cluster.now,
      after: (_, callback) => {
        const timer = setImmediate(() => {
          cluster.evolve();
          callback();
        });
        return () => clearImmediate(timer);
      },
      random: () => 0,
    },
  };
}
const specOf = (node: object): object => (node as { readonly spec: object }).spec;

/** Rolls three control plane nodes, with the leader first, and a pool; records gate checks and steps with their times, in order. */
async function roll(stateOf: (count: number) => CanaryGateResult['state'] = () => 'open') {
  const cluster = new SimulatedCluster(
    { controlPlaneNodes: 3, pools: [{ size: 2, max: 4, services: 0, jobs: 0 }] },
    seededRandom(7),
  );
  cluster.change('2');
  const events: string[] = [];
  const checks: { readonly since: number | undefined; readonly changed: number | undefined }[] = [];
  let changed: number | undefined;
  const result = await runRoll(rollDepsOf(cluster), {
    policy: defaultRollPolicy,
    signal: new AbortController().signal,
    gate: (since) => {
      checks.push({ since, changed });
      events.push('check');
      return Promise.resolve({ state: stateOf(checks.length), reasons: [] });
    },
    onPlan: ({ waits }) => {
      if (waits.length > 0) changed = cluster.now;
    },
    onStep: (step: RollStep) => {
      changed = cluster.now;
      if (step.do === 'terminate' || step.do === 'clear-desired-capacity') events.push(`${step.do} ${step.group}`);
    },
  });
  return { result, events, checks };
}

const controlPlaneEvents = ['prod-control-plane-b', 'prod-control-plane-c', 'prod-control-plane-a'].flatMap((name) => [
  'check',
  `terminate ${name}`,
]);
const pool = ['prod-nodes-pool-0', 'prod-nodes-pool-0'].map((name) => `terminate ${name}`);

test('checks the gate before each control plane node and before a pool, in order', async () => {
  const { result, events } = await roll();
  expect(result).toEqual({ end: 'done', replaced: 5 });
  expect(events).toEqual([...controlPlaneEvents, 'check', ...pool, 'clear-desired-capacity prod-nodes-pool-0']);
});

test('checks the gate after the previous machine has joined, with the end of that wait', async () => {
  const { checks } = await roll();
  expect(checks.map(({ since }) => since)).toEqual(checks.map(({ changed }) => changed));
  expect(checks.map(({ since }) => since !== undefined)).toEqual([false, true, true, true]);
});

test('starts nothing while the gate waits, and continues when it opens', async () => {
  const { result, events } = await roll((count) => (count > 1 && count < 4 ? 'pending' : 'open'));
  expect(result).toEqual({ end: 'done', replaced: 5 });
  expect(events.slice(0, 6)).toEqual([
    'check',
    'terminate prod-control-plane-b',
    'check',
    'check',
    'check',
    'terminate prod-control-plane-c',
  ]);
});

test('leaves the previous node complete and the next untouched when the gate closes between them', async () => {
  const { result, events } = await roll((count) => (count === 2 ? 'closed' : 'open'));
  expect(result).toMatchObject({ end: 'halted', replaced: 1, halt: { unit: 'control-plane-c' } });
  expect(events).toEqual(['check', 'terminate prod-control-plane-b', 'check']);
});
