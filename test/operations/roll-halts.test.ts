import { planRoll, type RollPlan, type RollPolicy, usualRollPolicy } from '../../lib/operations';
import { seededRandom } from '../kube/manual-clock';
import { SimulatedCluster, type SimulationShape } from './simulated-cluster';

const pool = { size: 3, max: 5, services: 0, jobs: 0 };
const started = (shape: Partial<SimulationShape> = {}): SimulatedCluster => {
  const cluster = new SimulatedCluster({ masters: 3, pools: [pool], ...shape }, seededRandom(1));
  cluster.change('2');
  return cluster;
};
const plan = (cluster: SimulatedCluster, policy: Partial<RollPolicy> = {}): RollPlan =>
  planRoll(cluster.observe(), { ...usualRollPolicy, ...policy });

/** Drives without crashes until a plan is as wanted. */
async function until(
  cluster: SimulatedCluster,
  isWanted: (plan: RollPlan) => boolean,
  policy: Partial<RollPolicy> = {},
): Promise<RollPlan> {
  for (let pass = 0; pass < 500; pass++) {
    const next = plan(cluster, policy);
    if (isWanted(next)) return next;
    for (const step of next.steps) await cluster.carryOut(step);
    cluster.evolve();
  }
  throw new Error('it never came so far');
}

const terminates = ({ steps }: RollPlan): boolean => steps.some((step) => step.do === 'terminate');

test('what will be replaced is told first, masters before pools, each with its reason', () => {
  const cluster = started();
  const { replacements } = plan(cluster);
  expect(replacements.map(({ unit, reasons }) => `${unit}: ${reasons.join()}`)).toEqual([
    'master-a: image',
    'master-b: image',
    'master-c: image',
    'pool-0: image',
    'pool-0: image',
    'pool-0: image',
  ]);
});

test('the master whose databases lead goes last', async () => {
  const cluster = started();
  const order: string[] = [];
  await until(cluster, (next) => {
    for (const step of next.steps) if (step.do === 'choose' && step.group.includes('master')) order.push(step.group);
    return next.replacements.every(({ unit }) => !unit.startsWith('master'));
  });
  expect(order).toEqual(['prod-master-b', 'prod-master-c', 'prod-master-a']);
});

test('an alarm stops the roll at once', () => {
  const cluster = started();
  cluster.alarms.push('NOSPACE');
  const { halt, steps } = plan(cluster);
  expect(steps).toEqual([]);
  expect(halt).toMatchObject({ unit: 'master-a', reason: 'etcd main has the alarm NOSPACE' });
  expect(halt?.remedy).toContain('defragment');
});

test('a new master that does not become healthy is waited for, and then stops the roll', async () => {
  const cluster = started();
  await until(cluster, terminates);
  const step = plan(cluster).steps[0];
  if (step) await cluster.carryOut(step);
  cluster.evolve();
  // It starts, and its API server never answers.
  for (const machine of cluster.machines.values()) if (machine.version === '2') machine.sound = false;
  expect(plan(cluster)).toMatchObject({ steps: [], waits: [{ group: 'prod-master-b' }] });
  cluster.wait(25);
  const { halt, steps } = plan(cluster);
  expect(steps).toEqual([]);
  expect(halt?.unit).toBe('master-b');
});

test('a master that is ill and to be replaced anyway is replaced first', () => {
  const cluster = started();
  cluster.makeIll('prod-master-c');
  expect(plan(cluster).steps).toMatchObject([{ do: 'choose', group: 'prod-master-c' }]);
});

test('masters whose databases nobody knows are not touched', () => {
  const observed = started().observe();
  const masters = observed.masters.map((master) => ({ ...master, databases: [] }));
  expect(planRoll({ ...observed, masters }, usualRollPolicy)).toMatchObject({
    steps: [],
    waits: [{ for: expect.stringContaining('none of its databases is known') as unknown }],
  });
});

test('with two masters ill none is touched, and after a while the roll stops', () => {
  const cluster = started();
  cluster.makeIll('prod-master-b');
  cluster.makeIll('prod-master-c');
  for (const member of ['b', 'c']) cluster.illSince.set(member, cluster.now);
  expect(plan(cluster).steps).toEqual([]);
  cluster.wait(6);
  expect(plan(cluster)).toMatchObject({ steps: [], halt: { unit: 'master-b and master-c' } });
});

test.each([1, 2])('of %i masters none is replaced unless an outage is accepted', (masters) => {
  const cluster = started({ masters });
  expect(plan(cluster).halt?.remedy).toContain('--accept-outage');
  expect(plan(cluster, { acceptOutage: true }).steps).toMatchObject([{ do: 'choose' }]);
});

test('a pool that may not grow is not begun, unless old machines may go first', () => {
  const cluster = started({ masters: 0, pools: [{ ...pool, max: 3 }] });
  expect(plan(cluster).halt?.remedy).toContain('--in-place');
  expect(plan(cluster, { inPlace: true }).steps).toMatchObject([{ do: 'keep-base', base: 3 }]);
});

test('pools wait while a master is ill', () => {
  const cluster = started();
  cluster.groupList.filter(({ part }) => part === 'master').forEach((group) => (group.version = '1'));
  cluster.makeIll('prod-master-b');
  expect(plan(cluster)).toMatchObject({ steps: [], waits: [{ for: expect.stringContaining('not ready') as unknown }] });
});

test('pods that ask to stay are waited for, then the roll stops and names them; they go only where that is said', async () => {
  const cluster = started({ masters: 0, pools: [{ ...pool, size: 1 }] });
  const machine = [...cluster.machines.keys()][0] ?? '';
  cluster.addPod({ kind: 'asked', machine });
  const isDraining = ({ waits }: RollPlan): boolean => waits.some(({ pods = [] }) => pods.length > 0);
  await until(cluster, isDraining);
  expect(plan(cluster).steps).toEqual([]);
  cluster.wait(61);
  const { halt } = plan(cluster);
  expect(halt?.reason).toMatch(/still has shop\/asked-\d+ \(asked\) after 6\d minutes/);
  const drain = { ...usualRollPolicy.drain, evict: ['asked'] as const };
  expect(plan(cluster, { drain: { ...drain, podPatience: 999 * 60_000 } }).steps).toMatchObject([{ do: 'evict' }]);
});

test('only the units that are named are touched', () => {
  const cluster = started();
  const { replacements, steps } = plan(cluster, { only: ['pool-0'] });
  expect(new Set(replacements.map(({ unit }) => unit))).toEqual(new Set(['pool-0']));
  expect(steps).toMatchObject([{ do: 'keep-base', group: 'prod-nodes-pool-0' }]);
});

test('machines that somebody else adds meanwhile are kept', async () => {
  const cluster = started({ masters: 0 });
  await until(cluster, ({ steps }) => steps.some((step) => step.do === 'cordon'));
  const group = cluster.groupList[0];
  if (group) group.size += 1;
  await until(cluster, ({ replacements, steps, waits }) => replacements.length + steps.length + waits.length === 0);
  expect(cluster.seenGroups()[0]).toMatchObject({ size: 4 });
});
