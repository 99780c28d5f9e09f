import { planRoll, type RollPlan, type RollPolicy, defaultRollPolicy } from '../../lib/operations';
import { seededRandom } from '../kube/manual-clock';
import { SimulatedCluster, type SimulationShape } from './simulated-cluster';

const pool = { size: 3, max: 5, services: 0, jobs: 0 };
const startRoll = (shape: Partial<SimulationShape> = {}): SimulatedCluster => {
  const cluster = new SimulatedCluster({ controlPlaneNodes: 3, pools: [pool], ...shape }, seededRandom(1));
  cluster.change('2');
  return cluster;
};
const plan = (cluster: SimulatedCluster, policy: Partial<RollPolicy> = {}): RollPlan =>
  planRoll(cluster.observe(), { ...defaultRollPolicy, ...policy });

/** Drives a roll without crashes until a plan matches. */
async function until(
  cluster: SimulatedCluster,
  matches: (plan: RollPlan) => boolean,
  policy: Partial<RollPolicy> = {},
): Promise<RollPlan> {
  for (let round = 0; round < 500; round++) {
    const next = plan(cluster, policy);
    if (matches(next)) return next;
    for (const step of next.steps) await cluster.execute(step);
    cluster.evolve();
  }
  throw new Error('no plan matched');
}

const terminates = ({ steps }: RollPlan): boolean => steps.some((step) => step.do === 'terminate');

test('lists the replacements with reasons, control plane nodes before pools', () => {
  const cluster = startRoll();
  const { replacements } = plan(cluster);
  expect(replacements.map(({ unit, reasons }) => `${unit}: ${reasons.join()}`)).toEqual([
    'control-plane-a: image',
    'control-plane-b: image',
    'control-plane-c: image',
    'pool-0: image',
    'pool-0: image',
    'pool-0: image',
  ]);
});

test('replaces the etcd leader last', async () => {
  const cluster = startRoll();
  const order: string[] = [];
  await until(cluster, (next) => {
    for (const step of next.steps)
      if (step.do === 'mark-draining' && step.group.includes('control-plane')) order.push(step.group);
    return next.replacements.every(({ unit }) => !unit.startsWith('control-plane'));
  });
  expect(order).toEqual(['prod-control-plane-b', 'prod-control-plane-c', 'prod-control-plane-a']);
});

test('halts immediately on an etcd alarm', () => {
  const cluster = startRoll();
  cluster.alarms.push('NOSPACE');
  const { halt, steps } = plan(cluster);
  expect(steps).toEqual([]);
  expect(halt).toMatchObject({ unit: 'control-plane-a', reason: 'etcd main has the alarm NOSPACE' });
  expect(halt?.remedy).toContain('defragment');
});

test('waits for a new control plane node to become healthy, then halts', async () => {
  const cluster = startRoll();
  await until(cluster, terminates);
  const step = plan(cluster).steps[0];
  if (step) await cluster.execute(step);
  cluster.evolve();
  // The machine starts, but its API server never responds.
  for (const machine of cluster.machines.values()) if (machine.version === '2') machine.healthy = false;
  expect(plan(cluster)).toMatchObject({ steps: [], waits: [{ group: 'prod-control-plane-b' }] });
  cluster.wait(25);
  const { halt, steps } = plan(cluster);
  expect(steps).toEqual([]);
  expect(halt?.unit).toBe('control-plane-b');
});

test('replaces an unhealthy outdated node first', () => {
  const cluster = startRoll();
  cluster.makeUnhealthy('prod-control-plane-c');
  expect(plan(cluster).steps).toMatchObject([{ do: 'mark-draining', group: 'prod-control-plane-c' }]);
});

test('does not touch nodes with unknown etcd databases', () => {
  const observed = startRoll().observe();
  const controlPlane = observed.controlPlane.map((node) => ({ ...node, databases: [] }));
  expect(planRoll({ ...observed, controlPlane }, defaultRollPolicy)).toMatchObject({
    steps: [],
    waits: [{ for: expect.stringContaining('its etcd databases are unknown') as unknown }],
  });
});

test('touches no node while two are unhealthy, then halts', () => {
  const cluster = startRoll();
  cluster.makeUnhealthy('prod-control-plane-b');
  cluster.makeUnhealthy('prod-control-plane-c');
  for (const member of ['b', 'c']) cluster.unhealthySince.set(member, cluster.now);
  expect(plan(cluster).steps).toEqual([]);
  cluster.wait(6);
  expect(plan(cluster)).toMatchObject({ steps: [], halt: { unit: 'control-plane-b and control-plane-c' } });
});

test.each([1, 2])('replaces none of %i control plane nodes unless an outage is accepted', (controlPlaneNodes) => {
  const cluster = startRoll({ controlPlaneNodes });
  expect(plan(cluster).halt?.remedy).toContain('--accept-outage');
  expect(plan(cluster, { acceptOutage: true }).steps).toMatchObject([{ do: 'mark-draining' }]);
});

test('halts for a pool at its maximum, unless rolled in place', () => {
  const cluster = startRoll({ controlPlaneNodes: 0, pools: [{ ...pool, max: 3 }] });
  expect(plan(cluster).halt?.remedy).toContain('--in-place');
  expect(plan(cluster, { inPlace: true }).steps).toMatchObject([{ do: 'save-desired-capacity', desiredCapacity: 3 }]);
});

test('does not roll pools while a control plane node is unhealthy', () => {
  const cluster = startRoll();
  cluster.groupList.filter(({ part }) => part === 'control-plane').forEach((group) => (group.version = '1'));
  cluster.makeUnhealthy('prod-control-plane-b');
  expect(plan(cluster)).toMatchObject({ steps: [], waits: [{ for: expect.stringContaining('not ready') as unknown }] });
});

test('waits for pods with a do-not-evict annotation, then halts; evicts them only on request', async () => {
  const cluster = startRoll({ controlPlaneNodes: 0, pools: [{ ...pool, size: 1 }] });
  const machine = [...cluster.machines.keys()][0] ?? '';
  cluster.addPod({ kind: 'protected', machine });
  const isDraining = ({ waits }: RollPlan): boolean => waits.some(({ pods = [] }) => pods.length > 0);
  await until(cluster, isDraining);
  expect(plan(cluster).steps).toEqual([]);
  cluster.wait(61);
  const { halt } = plan(cluster);
  expect(halt?.reason).toMatch(/still has shop\/protected-\d+ \(annotated\) after 6\d minutes/);
  const drain = { ...defaultRollPolicy.drain, evict: ['annotated'] as const };
  expect(plan(cluster, { drain: { ...drain, podTimeout: 999 * 60_000 } }).steps).toMatchObject([{ do: 'evict' }]);
});

test('touches only the selected units', () => {
  const cluster = startRoll();
  const { replacements, steps } = plan(cluster, { only: ['pool-0'] });
  expect(new Set(replacements.map(({ unit }) => unit))).toEqual(new Set(['pool-0']));
  expect(steps).toMatchObject([{ do: 'save-desired-capacity', group: 'prod-nodes-pool-0' }]);
});

test('keeps machines that another client adds during the roll', async () => {
  const cluster = startRoll({ controlPlaneNodes: 0 });
  await until(cluster, ({ steps }) => steps.some((step) => step.do === 'cordon'));
  const group = cluster.groupList[0];
  if (group) group.size += 1;
  await until(cluster, ({ replacements, steps, waits }) => replacements.length + steps.length + waits.length === 0);
  expect(cluster.listGroups()[0]).toMatchObject({ size: 4 });
});
